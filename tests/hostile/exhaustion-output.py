# Prints line after line, a megabyte of them: the first part is kept, and the rest cut.
n = 0
while n < 20_000:
    print("spam" * 10)
    n += 1
return n
