# Prints ten megabytes at once: the first part is kept.
print("x" * 10_000_000)
return "printed"
