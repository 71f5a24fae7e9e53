# Returns what is nested a hundred thousand deep: an error of the program.
deep = []
for n in range(100_000):
    deep = [deep]
return deep
