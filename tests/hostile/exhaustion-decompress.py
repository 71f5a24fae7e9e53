# Decompresses a bomb, a gigabyte from a megabyte: the memory's limit holds.
import zlib
bomb = zlib.compress(b"\0" * 50_000_000)
bomb = zlib.compress(bomb * 1000)
return len(zlib.decompress(zlib.decompress(bomb)))
