# Collects generators that never end, and that contain one another: the fuel or the memory ends it.
def endless():
    while True:
        yield from iter(int, 1)
return list(endless())
