# Keeps appending: it gets a MemoryError of Python or the limit, and the host keeps its memory.
kept = []
while True:
    kept.append(bytearray(1_000_000))
