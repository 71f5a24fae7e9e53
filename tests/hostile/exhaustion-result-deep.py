# Returns what is nested a million deep: an error of the program.
deep = []
for n in range(1_000_000):
    deep = [deep]
return deep
