# Asks whether files of the host are there: nothing is.
import os.path
found = []
for path in ["/", ".", "/etc/passwd", "/proc", "/dev/null", "/tmp"]:
    for way in ("exists", "isfile", "isdir", "islink", "lexists", "ismount", "getsize", "getmtime", "realpath", "samefile"):
        try:
            answer = getattr(os.path, way)(path, path) if way == "samefile" else getattr(os.path, way)(path)
            if answer not in (False, path, "/"):
                found.append([way, path, repr(answer)])
        except Exception:
            pass
return found
