# Changes the list while it is sorted, and sorts it again from within: an exception or a list, no crash.
data = list(range(1000))
def key(x):
    data.clear()
    data.extend(range(10))
    data.sort()
    return -x
try:
    data.sort(key=key)
    return "sorted"
except Exception as e:
    return type(e).__name__
