# Files of the user. The host opens them; a program only names them. What lies below /tmp is
# of the program itself, in memory (`sandbox/src/python/lib/posix.py`).

import builtins
import io
import os
import posixpath

_FILE_ERRORS = {
    "FileNotFoundError": (FileNotFoundError, 2), "PermissionError": (PermissionError, 13),
    "IsADirectoryError": (IsADirectoryError, 21), "NotADirectoryError": (NotADirectoryError, 20),
    "OSError": (OSError, 5),
}
# Whether folders are granted to this program.
_granted = False


def _ask_files(operation, **params):
    """A call about files; what the host refuses is an error of the operating system."""
    try:
        return _host.call(operation, params)
    except _host.Refusal as refusal:
        kind, number = _FILE_ERRORS.get(refusal.code, (OSError, 5))
        error = kind(number, refusal.message)
    raise error


class _File(io.RawIOBase):
    """A file of the user, open for reading, or for `download_fileobj` to write."""

    def __init__(self, name, mode):
        self.name, self.mode, self._at = name, mode, 0
        if self.readable():
            _ask_files("read_file", Filename=name, Size=0)

    def readable(self):
        return "r" in self.mode

    def writable(self):
        return not self.readable()

    def seekable(self):
        return self.readable()

    def tell(self):
        return self._at

    def seek(self, offset, whence=0):
        size = 0 if whence < 2 else _ask_files("read_file", Filename=self.name, Size=0)["Size"]
        self._at = max(0, offset + (0, self._at, size)[whence])
        return self._at

    def read(self, size=-1):
        if not self.readable():
            raise io.UnsupportedOperation("not readable")
        pieces, limit = [], 1 << 62 if size is None or size < 0 else size
        while limit > 0:
            piece = _ask_files("read_file", Filename=self.name, Start=self._at, Size=min(limit, 8 << 20))["Body"]
            if not piece:
                break
            pieces.append(piece)
            self._at += len(piece)
            limit -= len(piece)
        return b"".join(pieces)

    readall = read

    def readinto(self, buffer):
        piece = self.read(len(buffer))
        buffer[:len(piece)] = piece
        return len(piece)

    def write(self, content):
        raise io.UnsupportedOperation(
            f"a program writes {self.name!r} with s3.download_file or s3.download_fileobj alone"
        )


def _is_temporary(path):
    """Whether a path leads to the program's own files, which are in memory."""
    if isinstance(path, int):
        return True
    absolute = posixpath.normpath(posixpath.join(os.getcwd(), os.fsdecode(path)))
    return absolute.startswith(("/tmp/", "/dev/")) or absolute in ("/tmp", "/dev")


def _beside(of_memory, of_user):
    """A function of paths that is one for the program's own files and another for the user's."""

    def choose(path=".", *args, **words):
        chosen = of_memory if _is_temporary(path) else of_user
        return chosen(path, *args, **words)

    choose.__name__ = choose.__qualname__ = getattr(of_memory, "__name__", "choose")
    return choose


def _open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    name, kind = os.fspath(file), mode.replace("b", "").replace("t", "")
    if kind not in ("r", "w", "x"):
        raise ValueError(f"invalid mode: {mode!r}")
    raw = _File(name, kind)
    if "b" in mode:
        return raw
    if kind != "r":
        return raw.write("")
    return io.StringIO(raw.read().decode(encoding or "utf-8", errors or "strict"), newline)


def _listed(path, recursive=False):
    return _ask_files("list_files", Path=os.fspath(path), Recursive=recursive)


def _listdir(path="."):
    found = _listed(path)
    names = [entry["Name"] for entry in found["Files"]] + found["Folders"]
    return sorted(posixpath.basename(name) for name in names)


def _walk(top, topdown=True, onerror=None, followlinks=False):
    try:
        found = _listed(top, True)
    except OSError as error:
        if onerror is not None:
            onerror(error)
        return
    top = os.fspath(top)
    names = [entry["Name"] for entry in found["Files"]]
    # The host's names begin with that of the granted folder; those of the walk with `top`.
    start = posixpath.normpath(top)
    below = {"": ([], [])}
    root = _root_of(top, names + found["Folders"])
    for folder in found["Folders"]:
        below.setdefault(folder[len(root):].strip("/"), ([], []))
    for place in sorted(below):
        if place:
            above, _, name = place.rpartition("/")
            below.setdefault(above, ([], []))[0].append(name)
    for name in names:
        above, _, name = name[len(root):].strip("/").rpartition("/")
        below[above][1].append(name)

    def visit(place):
        folders, files = below[place]
        here = posixpath.join(start, place) if place else top
        if topdown:
            yield here, folders, files
        for folder in list(folders):
            inner = posixpath.join(place, folder) if place else folder
            if inner in below:
                yield from visit(inner)
        if not topdown:
            yield here, folders, files

    yield from visit("")


def _root_of(top, names):
    """The part of the host's names that stands for `top`."""
    if not names:
        return ""
    name = posixpath.basename(posixpath.normpath(top))
    if name in ("", "."):
        # The only granted folder, or all of them.
        return _granted[0] if len(_granted) == 1 else ""
    parts = names[0].split("/")
    wanted = [part for part in posixpath.normpath(top).split("/") if part]
    for end in range(1, len(parts) + 1):
        if parts[:end] == wanted[-end:] and (end == len(wanted) or parts[0] in _granted):
            best = end
            while best < len(parts) and parts[:best + 1] == wanted[-best - 1:]:
                best += 1
            return "/".join(parts[:best])
    return parts[0]


def _look(path):
    """The entry of a file, `True` for a folder, `None` for nothing."""
    path = posixpath.normpath(os.fspath(path))
    try:
        _listed(path)
        return True
    except NotADirectoryError:
        pass
    except OSError:
        return None
    name = posixpath.basename(path)
    for entry in _listed(posixpath.dirname(path) or ".")["Files"]:
        if posixpath.basename(entry["Name"]) == name:
            return entry
    return None


def _entry(path):
    found = _look(path)
    if found is None:
        raise FileNotFoundError(2, f"No such file or directory: {os.fspath(path)!r}")
    return {"Size": 0, "Modified": None} if found is True else found


def _status(path):
    found = _look(path)
    if found is None:
        raise FileNotFoundError(2, "No such file or directory", os.fspath(path))
    is_folder = found is True
    changed = 0 if is_folder else found["Modified"].timestamp()
    mode = 0o040755 if is_folder else 0o100644
    size = 0 if is_folder else found["Size"]
    return os.stat_result((mode, 0, 0, 1, 0, 0, size, changed, changed, changed))


class _Entry:
    def __init__(self, folder, name, is_folder):
        self.name, self.path, self._is_folder = name, posixpath.join(folder, name), is_folder

    def is_dir(self, *, follow_symlinks=True):
        return self._is_folder

    def is_file(self, *, follow_symlinks=True):
        return not self._is_folder

    def is_symlink(self):
        return False

    is_junction = is_symlink

    def stat(self, *, follow_symlinks=True):
        return _status(self.path)

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


def _scandir(path="."):
    import contextlib

    found, folder = _listed(path), os.fspath(path)
    entries = [_Entry(folder, posixpath.basename(entry["Name"]), False) for entry in found["Files"]]
    entries += [_Entry(folder, posixpath.basename(name), True) for name in found["Folders"]]
    return contextlib.nullcontext(iter(sorted(entries, key=lambda entry: entry.name)))


def _glob(pathname, *, root_dir=None, recursive=False, **_):
    import fnmatch

    fixed = []
    for part in pathname.split("/")[:-1]:
        if any(sign in part for sign in "*?["):
            break
        fixed.append(part)
    top = "/".join(fixed) or ("/" if pathname.startswith("/") else ".")
    found = []
    for here, folders, files in _walk(top):
        found += [posixpath.normpath(posixpath.join(here, name)) for name in folders + files]
    wanted = posixpath.normpath(pathname).split("/")

    def fits(parts, wanted):
        if not wanted:
            return not parts
        if wanted[0] == "**" and recursive:
            return any(fits(parts[at:], wanted[1:]) for at in range(len(parts) + 1))
        return bool(parts) and fnmatch.fnmatchcase(parts[0], wanted[0]) and fits(parts[1:], wanted[1:])

    return sorted(name for name in found if fits(name.split("/"), wanted))


def set_up(text):
    """Opens the granted folders to the program that begins. `text` is the list of their names."""
    global _granted
    import json

    _granted = json.loads(text)
    builtins.open = io.open = _beside(builtins.open, _open)
    os.listdir, os.walk = _beside(os.listdir, _listdir), _beside(os.walk, _walk)
    os.stat, os.lstat = _beside(os.stat, _status), _beside(os.lstat, _status)
    os.scandir = _beside(os.scandir, _scandir)
    os.makedirs = _beside(os.makedirs, lambda name, mode=0o777, exist_ok=False: None)
    path = os.path
    exists = _beside(path.exists, lambda name: _look(name) is not None)
    path.exists = path.lexists = exists
    path.isdir = _beside(path.isdir, lambda name: _look(name) is True)
    path.isfile = _beside(path.isfile, lambda name: isinstance(_look(name), dict))
    path.getsize = _beside(path.getsize, lambda name: _entry(name)["Size"])
    path.getmtime = _beside(path.getmtime, lambda name: _entry(name)["Modified"].timestamp())
    import glob

    glob.glob = _beside(glob.glob, _glob)
    glob.iglob = lambda *args, **words: iter(glob.glob(*args, **words))
    return {}
