# Reads and writes open file descriptors of the host by their number: none is there.
import io, os
got = []
for number in [*range(64), 255, 1023, 2**31 - 1]:
    for way in [io.FileIO, __import__("_io").open]:
        try:
            got.append([number, repr(way(number).read(10))])
        except Exception:
            pass
for name in ["read", "fstat", "dup", "isatty", "ftruncate", "lseek", "close"]:
    try:
        getattr(os, name)(0)
        got.append(name)
    except PermissionError:
        pass
return got
