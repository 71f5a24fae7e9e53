# Gives the host parameters that are no dict, or hold what no parameter is: refused before or by the world.
import _host
told = []
for params in [None, 5, "Bucket", b"\xa0", [], [["Bucket", "zoo"]], True, 2.5, {"Bucket": None}, {"Bucket": True}, {"Bucket": 2.5}, {"Bucket": ["zoo"]}, {"Bucket": {"Bucket": "zoo"}}, {"Bucket": b"zoo"}, {b"Bucket": "zoo"}, {1: 2}, {None: None}, {"Bucket": object()}, {"Bucket": {1, 2}}, {"Bucket": 1j}, {"Bucket": lambda: "zoo"}, {"Bucket": range(3)}, {"Bucket": memoryview(b"zoo")}]:
    try:
        told.append(repr(_host.call("list_objects", params))[:30])
    except Exception as e:
        told.append(type(e).__name__)
return told
