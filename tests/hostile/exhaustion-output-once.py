# Prints a hundred megabytes at once: the first part is kept.
print("x" * 100_000_000)
return "printed"
