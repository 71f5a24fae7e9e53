# Gives the host parameters nested to its limit and beyond: refused at the limit, by either side.
import _host
told = []
for depth in (10, 60, 62, 63, 64, 65, 66, 100, 10_000):
    nested = []
    for _ in range(depth):
        nested = [nested]
    try:
        told.append(repr(_host.call("list_objects", {"Bucket": nested})))
    except Exception as e:
        told.append(f"{depth}: {type(e).__name__}")
return told
