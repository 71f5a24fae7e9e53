# Returns thirty doublings of one list, a gigabyte as JSON and nothing in memory: too large, before it is written.
x = ["x" * 1000]
for n in range(30):
    x = [x, x]
return x
