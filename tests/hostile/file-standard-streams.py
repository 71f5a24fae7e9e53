# Writes past the kept output, to the descriptors 1 and 2 and to what sys kept of them: it reaches no stream of the host.
import io, sys
for number in (1, 2):
    for way in [io.FileIO, __import__("_io").open]:
        try:
            way(number, "w", closefd=False).write(b"\x1b]0;pwned\x07 past the output\n")
        except Exception:
            pass
streams = [getattr(sys, name, None) for name in ("__stdout__", "__stderr__", "__stdin__", "stdin")]
for stream in streams:
    try:
        stream.write("past the output\n")
        stream.flush()
    except Exception:
        pass
return "still here"
