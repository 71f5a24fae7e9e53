# Opens files of the host by every library that opens files: not one is opened.
import warnings
warnings.simplefilter("ignore")
import codecs, io, importlib
paths = ["/etc/passwd", "/etc/hostname", "Cargo.toml", "../Cargo.toml", "/proc/self/environ", "~/.aws/credentials"]
ways = {"open": open, "io.open": io.open, "codecs.open": codecs.open}
for name in ["_io.open", "_io.FileIO", "_io.open_code", "io.FileIO", "io.open_code", "gzip.open", "bz2.open", "lzma.open", "zipfile.ZipFile", "tarfile.open",
             "shelve.open", "dbm.open", "sqlite3.connect", "wave.open", "fileinput.input", "tokenize.open",
             "linecache.getlines", "mmap.mmap", "pathlib.Path.read_text", "configparser.ConfigParser.read"]:
    module, _, attribute = name.partition(".")
    try:
        found = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
        ways[name] = found
    except (ImportError, AttributeError, OSError):
        pass
got = []
for name, way in ways.items():
    for path in paths:
        try:
            opened = way(path)
            got.append([name, path, repr(list(opened) if name == "linecache.getlines" else opened.read())])
        except Exception:
            pass
return [g for g in got if g[2] != "[]"]
