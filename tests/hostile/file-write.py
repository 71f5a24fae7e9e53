# Writes files to the host, under every name for it: nothing is written.
import io, os
got = []
for path in ["/tmp/hostile", "hostile", "/dev/stdout", "/dev/shm/hostile", "../hostile"]:
    for mode in ["w", "wb", "a", "x", "r+", "w+b"]:
        for way in [open, io.open, io.FileIO, __import__("_io").open]:
            try:
                way(path, mode).write("x" if "b" not in mode else b"x")
                got.append([path, mode, repr(way)])
            except Exception:
                pass
for name in ["mkdir", "makedirs", "mknod", "mkfifo", "truncate", "utime", "chmod", "remove", "unlink", "rmdir", "removedirs"]:
    try:
        getattr(os, name)("/tmp/hostile")
        got.append(name)
    except PermissionError:
        pass
return got
