# Imports modules from folders and archives of the host: no path leads to one.
import sys, importlib
sys.path[:0] = ["/usr/lib/python3", "/usr/lib/python3/dist-packages", "/usr/lib/python311.zip", ".", "/tmp"]
importlib.invalidate_caches()
got = []
for name in ["apt_pkg", "pip", "yaml", "requests", "lsb_release", "antigravity_x", "_distutils_hack"]:
    try:
        got.append(repr(importlib.import_module(name)))
    except ImportError:
        pass
try:
    import zipimport
    got.append(repr(zipimport.zipimporter("/usr/lib/python311.zip")))
except Exception:
    pass
return got
