"""Says how many colours a PNG has, and the share of the most frequent one: FILE."""
import collections
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
at, packed = 8, b""
while at < len(data):
    (length,), kind = struct.unpack(">I", data[at:at + 4]), data[at + 4:at + 8]
    content = data[at + 8:at + 8 + length]
    if kind == b"IHDR":
        width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", content)
    elif kind == b"IDAT":
        packed += content
    at += length + 12
assert depth == 8 and colour in (2, 6) and not interlaced, "another kind of PNG"
size = 3 if colour == 2 else 4
raw, row, count = zlib.decompress(packed), bytearray(width * size), collections.Counter()
for y in range(height):
    start = y * (width * size + 1)
    method, line = raw[start], bytearray(raw[start + 1:start + 1 + width * size])
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        up, corner = row[i], row[i - size] if i >= size else 0
        if method == 1:
            line[i] = (line[i] + left) & 255
        elif method == 2:
            line[i] = (line[i] + up) & 255
        elif method == 3:
            line[i] = (line[i] + (left + up) // 2) & 255
        elif method == 4:
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
            line[i] = (line[i] + near[2]) & 255
    row = line
    count.update(bytes(line[i:i + 3]) for i in range(0, len(line), size))
print(len(count), count.most_common(1)[0][1] / (width * height))
