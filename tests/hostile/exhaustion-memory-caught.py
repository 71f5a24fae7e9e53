# Catches its MemoryError and goes on asking, a thousand times: it ends, and stays within its memory.
kept, refused = [], 0
for n in range(1000):
    try:
        kept.append(bytearray(2**24))
    except MemoryError:
        refused += 1
return refused > 900
