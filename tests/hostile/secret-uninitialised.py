# Looks into memory that was just given to it, in every way to get some without filling it: all of it is zero or its own.
import array, io, struct
found = []
sizes = [1, 7, 64, 4096, 65_536, 1_000_000, 5_000_000]
for size in sizes:
    for name, buffer in [("bytes", bytes(size)), ("bytearray", bytearray(size)), ("array", bytes(array.array("B", bytes(size))))]:
        if buffer.count(0) != size:
            found.append([name, size])
grown = bytearray()
for size in sizes:
    grown.extend(b"\0" * size)
    grown = grown[: size // 2] + bytearray(size)
if grown.count(0) != len(grown):
    found.append("grown")
stream = io.BytesIO()
stream.seek(100_000)
stream.write(b"\0")
if any(stream.getvalue()[:100_000:7]):
    found.append("stream")
stream.truncate(10)
stream.seek(90_000)
stream.write(b"\0")
if any(stream.getvalue()[::7]):
    found.append("truncated")
packed = bytearray(64)
struct.pack_into("<b", packed, 63, 0)
if any(packed):
    found.append("packed")
return found
