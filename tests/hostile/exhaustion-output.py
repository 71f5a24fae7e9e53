# Prints for ever: the first part is kept, the rest cut, and the fuel ends it.
n = 0
while n < 300_000:
    print("spam" * 10)
    n += 1
return n
