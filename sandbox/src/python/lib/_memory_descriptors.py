"""Open files of a program: their numbers, and what is read and written by them."""

import _memory_tree as _tree
import errno as _errno
import sys as _sys

O_RDONLY, O_WRONLY, O_RDWR, O_ACCMODE = 0, 1, 2, 3
O_CREAT, O_EXCL, O_TRUNC, O_APPEND = 64, 128, 512, 1024
O_NOFOLLOW, O_CLOEXEC, O_DIRECTORY = 131072, 524288, 65536

# Open files by their number. The first three are the standard streams.
_files = {}


class _Opened:
    """An open file: where it stands, and what it may do."""

    def __init__(self, node, flags):
        self.node = node
        self.at = 0
        self.flags = flags

    @property
    def reads(self):
        return self.flags & O_ACCMODE != O_WRONLY

    @property
    def writes(self):
        return self.flags & O_ACCMODE != O_RDONLY


def open(path, flags, mode=0o777, *, dir_fd=None):
    _tree.no_descriptor(dir_fd)
    writes = flags & O_ACCMODE != O_RDONLY
    if flags & O_CREAT:
        if _tree.path_text(path).endswith("/"):
            raise _tree.failed(_errno.EISDIR, path)
        folder, name, found = _tree.find(path, True, True)
        if found is not None and found.kind == _tree.LINK and not flags & O_EXCL:
            try:
                found = _tree.find(path)
            except FileNotFoundError:
                return open(found.target, flags, mode)
        if found is None:
            found = folder.entries[name] = _tree.Node(_tree.FILE | mode & ~_tree.mask[0] & 0o777).made_now()
            folder.changed()
        elif flags & O_EXCL:
            raise _tree.failed(_errno.EEXIST, path)
    else:
        found = _tree.find(path, not flags & O_NOFOLLOW)
    if found.kind == _tree.FOLDER and (writes or flags & O_CREAT):
        raise _tree.failed(_errno.EISDIR, path)
    if found.kind == _tree.LINK:
        raise _tree.failed(_errno.ELOOP, path)
    if found.kind != _tree.FOLDER and flags & O_DIRECTORY:
        raise _tree.failed(_errno.ENOTDIR, path)
    if writes and found.kind == _tree.FILE and not found.mode & 0o200:
        raise _tree.failed(_errno.EACCES, path)
    if flags & O_TRUNC and found.kind == _tree.FILE:
        _tree.resize(found, 0)
    number = 3
    while number in _files:
        number += 1
    if number > 1023:
        raise _tree.failed(_errno.EMFILE, path)
    _files[number] = _Opened(found, flags)
    return number


def _opened(number):
    try:
        return _files[number]
    except KeyError:
        pass
    raise _tree.failed(_errno.EBADF)


def close(fd):
    _opened(fd)
    del _files[fd]


def closerange(fd_low, fd_high, /):
    for number in [number for number in _files if fd_low <= number < fd_high]:
        close(number)


def dup(fd, /):
    opened = _opened(fd)
    number = 3
    while number in _files:
        number += 1
    _files[number] = opened
    return number


def read(fd, length, /):
    opened = _opened(fd)
    if not opened.reads:
        raise _tree.failed(_errno.EBADF)
    node = opened.node
    if node.kind == _tree.FOLDER:
        raise _tree.failed(_errno.EISDIR)
    piece = bytes(memoryview(node.data)[opened.at:opened.at + length])
    opened.at += len(piece)
    return piece


def write(fd, data, /):
    if fd in (1, 2):
        _sys.stdout.write(bytes(data).decode("utf-8", "replace"))
        return len(data)
    opened = _opened(fd)
    if not opened.writes:
        raise _tree.failed(_errno.EBADF)
    node, view = opened.node, memoryview(data).cast("B")
    if node.kind == _tree.DEVICE:
        return len(view)
    held = node.data
    if opened.flags & O_APPEND:
        opened.at = len(held)
    if opened.at > len(held):
        held.extend(bytes(opened.at - len(held)))
    if opened.at == len(held):
        held.extend(view)
    else:
        held[opened.at:opened.at + len(view)] = view
    opened.at += len(view)
    node.changed()
    return len(view)


def lseek(fd, position, how, /):
    opened = _opened(fd)
    size = 0 if opened.node.kind == _tree.FOLDER else len(opened.node.data)
    if how not in (0, 1, 2):
        raise _tree.failed(_errno.EINVAL)
    at = position + (0, opened.at, size)[how]
    if at < 0:
        raise _tree.failed(_errno.EINVAL)
    opened.at = at
    return at


def fstat(fd):
    if fd in (0, 1, 2):
        return _tree.status(_tree.NULL)
    return _tree.status(_opened(fd).node)


def ftruncate(fd, length, /):
    opened = _opened(fd)
    if not opened.writes:
        raise _tree.failed(_errno.EINVAL)
    _tree.resize(opened.node, length)


def fsync(fd):
    _opened(fd)


fdatasync = fsync


def fchmod(fd, mode):
    chmod(fd, mode)


def isatty(fd, /):
    return False
