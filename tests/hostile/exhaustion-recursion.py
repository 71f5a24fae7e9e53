# Calls itself without end, and catches the error to call on: Python's own limit holds every time.
depth = 0
def f(n):
    nonlocal depth
    depth = max(depth, n)
    f(n + 1)
for attempt in range(20):
    try:
        f(0)
    except RecursionError:
        pass
return 0 < depth < 100_000
