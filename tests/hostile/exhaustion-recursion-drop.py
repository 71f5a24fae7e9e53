# Lets go of what is nested a hundred thousand deep, in native code that recurses to free it: it is freed, or the stack's limit ends the program.
deep = None
for n in range(100_000):
    deep = (deep,)
del deep
return "freed"
