"""`open` and `FileIO` for the files that `posix` keeps in memory."""

import _io
import errno
import io
import os


_ONLY = "programs see no files of the machine, only those that they make"


def _is_temporary(path):
    text = os.path.join(os.getcwd(), os.fsdecode(path))
    return os.path.normpath(text).startswith("/tmp/")


class FileIO(io.RawIOBase):
    """A file, unbuffered."""

    def __init__(self, file, mode="r", closefd=True, opener=None):
        self._fd = -1
        kind = mode.replace("b", "")
        if sorted(kind.replace("+", "")) not in (["r"], ["w"], ["x"], ["a"]) or kind.count("+") > 1:
            raise ValueError(f"Must have exactly one of create/read/write/append mode and at most one plus: {mode!r}")
        first = kind.strip("+")
        both = "+" in kind
        self._reads, self._writes = both or first == "r", both or first != "r"
        self._first = first
        flags = os.O_RDWR if both else os.O_RDONLY if first == "r" else os.O_WRONLY
        flags |= {
            "r": 0, "w": os.O_CREAT | os.O_TRUNC, "x": os.O_CREAT | os.O_EXCL,
            "a": os.O_CREAT | os.O_APPEND,
        }[first]
        if isinstance(file, int) and not isinstance(file, bool):
            if file < 0:
                raise ValueError("negative file descriptor")
            self._fd, self._closefd = file, closefd
            os.fstat(file)
        else:
            if not closefd:
                raise ValueError("Cannot use closefd=False with file name")
            self._closefd = True
            try:
                self._fd = os.open(file, flags, 0o666) if opener is None else opener(file, flags)
            except FileNotFoundError as problem:
                missing = problem if first != "r" or _is_temporary(file) else None
            else:
                missing = False
            if missing is None:
                raise FileNotFoundError(2, f"No such file or directory ({_ONLY})", file)
            if missing:
                raise missing
            if not isinstance(self._fd, int):
                raise TypeError("expected integer from opener")
            if self._fd < 0:
                raise ValueError(f"opener returned {self._fd}")
            if os.fstat(self._fd).st_mode & 0o170000 == 0o040000:
                os.close(self._fd)
                self._fd = -1
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), file)
        self.name = file
        if first == "a" and self._fd > 2:
            os.lseek(self._fd, 0, 2)

    @property
    def mode(self):
        if self._first in ("x", "a"):
            return self._first + ("b+" if self._reads else "b")
        return ("rb+" if self._writes else "rb") if self._reads else "wb"

    @property
    def closefd(self):
        return self._closefd

    def _check(self):
        if self.closed:
            raise ValueError("I/O operation on closed file")

    def fileno(self):
        self._check()
        return self._fd

    def isatty(self):
        self._check()
        return False

    def readable(self):
        self._check()
        return self._reads

    def writable(self):
        self._check()
        return self._writes

    def seekable(self):
        self._check()
        return self._fd > 2

    def tell(self):
        self._check()
        return os.lseek(self._fd, 0, 1)

    def seek(self, offset, whence=0, /):
        self._check()
        return os.lseek(self._fd, offset, whence)

    def truncate(self, size=None, /):
        self._check()
        if not self._writes:
            raise io.UnsupportedOperation("File not open for writing")
        size = self.tell() if size is None else size
        os.ftruncate(self._fd, size)
        return size

    def readinto(self, buffer, /):
        self._check()
        if not self._reads:
            raise io.UnsupportedOperation("File not open for reading")
        view = memoryview(buffer).cast("B")
        piece = os.read(self._fd, len(view))
        view[:len(piece)] = piece
        return len(piece)

    def read(self, size=-1, /):
        self._check()
        if not self._reads:
            raise io.UnsupportedOperation("File not open for reading")
        if size is None or size < 0:
            return self.readall()
        return os.read(self._fd, size)

    def readall(self):
        self._check()
        return os.read(self._fd, 1 << 40)

    def write(self, data, /):
        self._check()
        if not self._writes:
            raise io.UnsupportedOperation("File not open for writing")
        return os.write(self._fd, data)

    def close(self):
        if not self.closed:
            try:
                super().close()
            finally:
                if self._closefd and self._fd > 2:
                    try:
                        os.close(self._fd)
                    except OSError:
                        pass

    def __repr__(self):
        if self.closed:
            return "<_io.FileIO [closed]>"
        return f"<_io.FileIO name={self.name!r} mode={self.mode!r} closefd={self._closefd}>"


FileIO.__module__ = "_io"
FileIO.__qualname__ = "FileIO"


def open(
    file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None,
):
    if not isinstance(file, int):
        file = os.fspath(file)
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    modes = set(mode)
    if modes - set("axrwb+t") or len(mode) > len(modes):
        raise ValueError(f"invalid mode: {mode!r}")
    text, binary = "t" in modes, "b" in modes
    if text and binary:
        raise ValueError("can't have text and binary mode at once")
    if len(modes & set("axrw")) != 1:
        raise ValueError("must have exactly one of create/read/write/append mode")
    for given, name in ((encoding, "an encoding"), (errors, "an errors"), (newline, "a newline")):
        if binary and given is not None:
            raise ValueError(f"binary mode doesn't take {name} argument")
    kind = "".join(sign for sign in "xrwa+" if sign in modes)
    raw = FileIO(file, kind, closefd, opener)
    try:
        if buffering == 0:
            if not binary:
                raise ValueError("can't have unbuffered text I/O")
            return raw
        size = buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE
        if "+" in modes:
            buffered = io.BufferedRandom(raw, size)
        elif "r" in modes:
            buffered = io.BufferedReader(raw, size)
        else:
            buffered = io.BufferedWriter(raw, size)
        if binary:
            return buffered
        made = io.TextIOWrapper(buffered, encoding or "utf-8", errors, newline, buffering == 1)
        made.mode = mode
        return made
    except BaseException:
        raw.close()
        raise


def open_code(path):
    return open(path, "rb")


open.__module__ = open_code.__module__ = "_io"


def install():
    """Makes these the `open` and the `FileIO` of every module."""
    import builtins

    for module in (_io, io):
        module.open, module.open_code, module.FileIO = open, open_code, FileIO
    io.RawIOBase.register(FileIO)
    builtins.open = open
