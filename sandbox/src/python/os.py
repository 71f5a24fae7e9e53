"""A stand-in for `os`: names and paths, no files, no processes, no environment."""

import abc as _abc
import sys as _sys

name = "posix"
sep = "/"
altsep = None
curdir = "."
pardir = ".."
extsep = "."
pathsep = ":"
linesep = "\n"
devnull = "/dev/null"
defpath = "/bin:/usr/bin"
error = OSError
environ = {}
supports_follow_symlinks = frozenset()
O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND = 0, 1, 2, 64, 128, 512, 1024

_UNAVAILABLE = frozenset(
    """access chdir chmod chown close closerange cpu_count dup dup2 environb execl
    execle execlp execv execve execvp _exit abort fdopen fstat fsync ftruncate
    getcwdb getenvb getgid getlogin getpgid getppid getuid isatty kill killpg lchown link listdir
    lseek lstat makedirs mkdir mkfifo mknod nice open openpty pipe popen posix_spawn
    putenv read readlink remove removedirs rename renames replace rmdir scandir
    sendfile setgid setuid spawnl spawnv stat statvfs symlink sync system times
    truncate umask uname unlink unsetenv utime wait waitpid walk fwalk write""".split()
)


def __getattr__(attribute):
    if attribute not in _UNAVAILABLE:
        raise AttributeError(f"module 'os' has no attribute {attribute!r}")

    def refuse(*args, **kwargs):
        raise PermissionError(1, f"os.{attribute} is not available in the sandbox")

    refuse.__name__ = refuse.__qualname__ = attribute
    return refuse


def fspath(path):
    """The text or bytes of a path-like object."""
    if isinstance(path, (str, bytes)):
        return path
    kind = type(path)
    if not hasattr(kind, "__fspath__"):
        raise TypeError(
            f"expected str, bytes or os.PathLike object, not {kind.__name__}"
        )
    text = kind.__fspath__(path)
    if isinstance(text, (str, bytes)):
        return text
    raise TypeError(
        f"expected {kind.__name__}.__fspath__() to return str or bytes, "
        f"not {type(text).__name__}"
    )


class PathLike(_abc.ABC):
    """Abstract base class for the file system path protocol."""

    __slots__ = ()

    @_abc.abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        return hasattr(subclass, "__fspath__") if cls is PathLike else NotImplemented


def fsencode(filename):
    filename = fspath(filename)
    return filename.encode("utf-8", "surrogateescape") if isinstance(filename, str) else filename


def fsdecode(filename):
    filename = fspath(filename)
    return filename.decode("utf-8", "surrogateescape") if isinstance(filename, bytes) else filename


def getcwd():
    return "/"


def getpid():
    return 1


def getenv(key, default=None):
    return environ.get(key, default)


def strerror(code):
    return f"error {code}"


def urandom(size):
    """Bytes from the seeded generator: the sandbox has no entropy of its own."""
    import random

    return random.randbytes(size)


_sys.modules["posix"] = _sys.modules["os"]
import posixpath as path  # noqa: E402

_sys.modules["os.path"] = path
