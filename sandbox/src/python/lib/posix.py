"""The operating system as programs see it: files in memory, one process, no environment.

`os` is CPython's own and stands on this module. The files are of the program that makes
them and end with it; no name leads to a file of the machine. `_memory_files.open` opens
them.
"""

import _linux_errors
import _memory_tree as _tree
import errno as _errno
import time as _time
from _memory_descriptors import *
from _memory_descriptors import _files
from _memory_tree import strerror
from _os_results import sched_param, stat_result, statvfs_result, terminal_size, times_result, uname_result

error = OSError
environ = {}
_have_functions = []

F_OK, X_OK, W_OK, R_OK = 0, 1, 2, 4
SEEK_DATA, SEEK_HOLE = 3, 4
EX_OK = 0
WNOHANG = 1
P_NOWAIT, P_WAIT = 1, 0



def stat(path, *, dir_fd=None, follow_symlinks=True):
    _tree.no_descriptor(dir_fd)
    if isinstance(path, int):
        return fstat(path)
    return _tree.status(_tree.find(path, follow_symlinks))


def lstat(path, *, dir_fd=None):
    return stat(path, dir_fd=dir_fd, follow_symlinks=False)


def access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    _tree.no_descriptor(dir_fd)
    try:
        node = _tree.find(path, follow_symlinks)
    except OSError:
        return False
    return not mode or (node.mode >> 6) & mode == mode


def getcwd():
    return _tree.here[0]


def getcwdb():
    return _tree.here[0].encode("utf-8", "surrogateescape")


def chdir(path):
    node = _tree.find(path)
    if node.kind != _tree.FOLDER:
        raise _tree.failed(_errno.ENOTDIR, path)
    import posixpath

    _tree.here[0] = posixpath.normpath(posixpath.join(_tree.here[0], _tree.path_text(path)))


def umask(mask, /):
    before, _tree.mask[0] = _tree.mask[0], mask & 0o777
    return before


def mkdir(path, mode=0o777, *, dir_fd=None):
    _tree.no_descriptor(dir_fd)
    folder, name, found = _tree.find(_tree.path_text(path).rstrip("/") or "/", False, True)
    if found is not None:
        raise _tree.failed(_errno.EEXIST, path)
    folder.entries[name] = _tree.Node(_tree.FOLDER | mode & ~_tree.mask[0] & 0o777).made_now()
    folder.changed()


def rmdir(path, *, dir_fd=None):
    _tree.no_descriptor(dir_fd)
    folder, name, found = _tree.place(path)
    if found is None:
        raise _tree.failed(_errno.ENOENT, path)
    if found.kind != _tree.FOLDER:
        raise _tree.failed(_errno.ENOTDIR, path)
    if found.entries:
        raise _tree.failed(_errno.ENOTEMPTY, path)
    del folder.entries[name]
    folder.changed()


def unlink(path, *, dir_fd=None):
    _tree.no_descriptor(dir_fd)
    folder, name, found = _tree.place(path)
    if found is None:
        raise _tree.failed(_errno.ENOENT, path)
    if found.kind == _tree.FOLDER:
        raise _tree.failed(_errno.EISDIR, path)
    del folder.entries[name]
    found.links -= 1
    folder.changed()


remove = unlink


def rename(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
    _tree.no_descriptor(src_dir_fd)
    _tree.no_descriptor(dst_dir_fd)
    try:
        folder, name, found = _tree.place(src)
        if found is None:
            raise _tree.failed(_errno.ENOENT)
        there, new, taken = _tree.place(dst)
    except OSError as problem:
        raise _tree.failed(problem.errno, src, dst) from None
    if taken is found:
        return
    if taken is not None:
        if found.kind == _tree.FOLDER and taken.kind != _tree.FOLDER:
            raise _tree.failed(_errno.ENOTDIR, src, dst)
        if found.kind != _tree.FOLDER and taken.kind == _tree.FOLDER:
            raise _tree.failed(_errno.EISDIR, src, dst)
        if found.kind == _tree.FOLDER and taken.entries:
            raise _tree.failed(_errno.ENOTEMPTY, src, dst)
    if found.kind == _tree.FOLDER and _is_within(there, found):
        raise _tree.failed(_errno.EINVAL, src, dst)
    del folder.entries[name]
    there.entries[new] = found
    folder.changed()
    there.changed()


def _is_within(folder, top):
    return folder is top or any(
        _is_within(folder, entry) for entry in top.entries.values() if entry.kind == _tree.FOLDER
    )


replace = rename


def symlink(src, dst, target_is_directory=False, *, dir_fd=None):
    _tree.no_descriptor(dir_fd)
    folder, name, found = _tree.place(dst)
    if found is not None:
        raise _tree.failed(_errno.EEXIST, src, dst)
    made = _tree.Node(_tree.LINK | 0o777).made_now()
    made.target = _tree.path_text(src)
    folder.entries[name] = made
    folder.changed()


def link(src, dst, *, src_dir_fd=None, dst_dir_fd=None, follow_symlinks=True):
    node = _tree.find(src, follow_symlinks)
    folder, name, found = _tree.place(dst)
    if found is not None:
        raise _tree.failed(_errno.EEXIST, src, dst)
    if node.kind == _tree.FOLDER:
        raise _tree.failed(_errno.EPERM, src, dst)
    folder.entries[name] = node
    node.links += 1
    folder.changed()


def readlink(path, *, dir_fd=None):
    _tree.no_descriptor(dir_fd)
    node = _tree.find(path, False)
    if node.kind != _tree.LINK:
        raise _tree.failed(_errno.EINVAL, path)
    return node.target.encode() if isinstance(path, bytes) else node.target


def listdir(path=None):
    if path is None:
        path = "."
    node = _tree.find(path)
    if node.kind != _tree.FOLDER:
        raise _tree.failed(_errno.ENOTDIR, path)
    names = list(node.entries)
    return [name.encode("utf-8", "surrogateescape") for name in names] if isinstance(path, bytes) else names


class DirEntry:
    """An entry of a folder, as `scandir` gives it."""

    def __init__(self, folder, name, node):
        as_bytes = isinstance(folder, bytes)
        slash = b"/" if as_bytes else "/"
        self.name = name.encode("utf-8", "surrogateescape") if as_bytes else name
        self.path = self.name if folder is None else folder.rstrip(slash) + slash + self.name
        if folder in ("/", b"/"):
            self.path = slash + self.name
        self._node = node

    def _at(self, follow):
        return _tree.find(self.path, follow) if self._node.kind == _tree.LINK else self._node

    def inode(self):
        return self._node.number

    def _is(self, kind, follow):
        try:
            return self._at(follow).kind == kind
        except OSError:
            return False

    def is_dir(self, *, follow_symlinks=True):
        return self._is(_tree.FOLDER, follow_symlinks)

    def is_file(self, *, follow_symlinks=True):
        return self._is(_tree.FILE, follow_symlinks)

    def is_symlink(self):
        return self._node.kind == _tree.LINK

    def is_junction(self):
        return False

    def stat(self, *, follow_symlinks=True):
        return _tree.status(self._at(follow_symlinks))

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"

    __class_getitem__ = classmethod(lambda cls, item: cls)


class _Scanned:
    def __init__(self, entries):
        self._entries = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._entries = iter(())


def scandir(path=None):
    top = "." if path is None else path
    node = _tree.find(top)
    if node.kind != _tree.FOLDER:
        raise _tree.failed(_errno.ENOTDIR, path)
    if not isinstance(top, (str, bytes)):
        top = type(top).__fspath__(top)
    return _Scanned([DirEntry(top, name, entry) for name, entry in list(node.entries.items())])


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    node = _files[path].node if isinstance(path, int) else _tree.find(path, follow_symlinks)
    node.mode = node.kind | mode & 0o7777


def lchmod(path, mode):
    chmod(path, mode, follow_symlinks=False)


def chown(path, uid, gid, *, dir_fd=None, follow_symlinks=True):
    if (uid, gid) not in ((-1, -1), (1000, 1000), (-1, 1000), (1000, -1)):
        raise _tree.failed(_errno.EPERM, path)
    _tree.find(path, follow_symlinks)


def lchown(path, uid, gid):
    chown(path, uid, gid, follow_symlinks=False)


def utime(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True):
    node = _files[path].node if isinstance(path, int) else _tree.find(path, follow_symlinks)
    if times is not None:
        ns = tuple(round(seconds * 10**9) for seconds in times)
    if ns is None:
        ns = (_time.time_ns(),) * 2
    node.read_at, node.changed_at = ns


def truncate(path, length):
    node = _files[path].node if isinstance(path, int) else _tree.find(path)
    if node.kind != _tree.FILE:
        raise _tree.failed(_errno.EISDIR, path)
    _tree.resize(node, length)


def get_inheritable(fd, /):
    return False


def set_inheritable(fd, inheritable, /):
    _opened(fd)


def get_blocking(fd, /):
    return True


def fspath(path):
    """The text or bytes of a path-like object."""
    if isinstance(path, (str, bytes)):
        return path
    kind = type(path)
    if not hasattr(kind, "__fspath__"):
        raise TypeError(f"expected str, bytes or os.PathLike object, not {kind.__name__}")
    text = kind.__fspath__(path)
    if isinstance(text, (str, bytes)):
        return text
    raise TypeError(
        f"expected {kind.__name__}.__fspath__() to return str or bytes, not {type(text).__name__}"
    )


def get_terminal_size(fd=1, /):
    raise _tree.failed(_errno.ENOTTY)


def urandom(size, /):
    """Bytes from the seeded generator: the sandbox has no entropy of its own."""
    import random

    return random.randbytes(size)


def putenv(name, value, /):
    pass


def unsetenv(name, /):
    pass


def getpid():
    return 1


def getppid():
    return 0


def getuid():
    return 1000


geteuid = getgid = getegid = getuid


def getgroups():
    return [1000]


def getlogin():
    raise _tree.failed(_errno.ENXIO)


def cpu_count():
    return 1


def getloadavg():
    return 0.0, 0.0, 0.0


def times():
    spent = _time.process_time()
    return times_result((spent, 0.0, 0.0, 0.0, _time.monotonic()))


def uname():
    return uname_result(("Linux", "sandbox", "0", "0", "wasm32"))


def statvfs(path):
    _tree.find(path)
    return statvfs_result((4096, 4096, 65536, 32768, 32768, 65536, 32768, 32768, 0, 255))


def _exit(status):
    raise SystemExit(status)


def sched_yield():
    _time.sleep(0)


def waitstatus_to_exitcode(status):
    return status


def _refuse(name):
    def refuse(*args, **kwargs):
        raise PermissionError(_errno.EPERM, f"os.{name} is not available in the sandbox")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


# No processes, no devices and no pipes.
for _name in """abort chroot dup2 execv execve getpgid getsid kill killpg mkfifo mknod nice openpty
pipe posix_spawn posix_spawnp sendfile setgid setsid setuid sync system wait waitpid""".split():
    globals()[_name] = _refuse(_name)
