# Lets go of what is nested a million deep, in native code that recurses to free it: it is freed, or the stack's limit ends the program.
deep = None
for n in range(1_000_000):
    deep = (deep,)
del deep
return "freed"
