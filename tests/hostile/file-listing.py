# Lists folders of the host: no name is seen.
import glob, os
got = []
for place in ["/", ".", "..", "/etc", "/proc", "/proc/self/fd", "/tmp"]:
    for way in [os.listdir, os.scandir, os.walk, glob.glob, glob.iglob, lambda p: __import__("pathlib").Path(p).iterdir()]:
        try:
            got += [str(name) for name in way(place)]
        except Exception:
            pass
return got
