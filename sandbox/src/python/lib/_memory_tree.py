"""The files of a program: a tree of nodes in memory, and the paths that lead through it."""

import errno
import time
from _os_results import stat_result

FOLDER, FILE, LINK, DEVICE = 0o040000, 0o100000, 0o120000, 0o020000
_MESSAGES = {
    errno.EPERM: "Operation not permitted", errno.ENOENT: "No such file or directory",
    errno.EBADF: "Bad file descriptor", errno.EACCES: "Permission denied",
    errno.EEXIST: "File exists", errno.EXDEV: "Invalid cross-device link",
    errno.ENOTDIR: "Not a directory", errno.EISDIR: "Is a directory",
    errno.EINVAL: "Invalid argument", errno.EMFILE: "Too many open files",
    errno.ENOTTY: "Inappropriate ioctl for device", errno.EFBIG: "File too large",
    errno.ENOSPC: "No space left on device", errno.ESPIPE: "Illegal seek",
    errno.ENAMETOOLONG: "File name too long", errno.ENOSYS: "Function not implemented",
    errno.ENOTEMPTY: "Directory not empty", errno.ELOOP: "Too many levels of symbolic links",
    errno.EIO: "Input/output error", errno.ENXIO: "No such device or address",
}


def strerror(code, /):
    return _MESSAGES.get(code, f"Unknown error {code}")


# The native constructor of OSError knows the numbers of WASI only.
_CLASSES = {
    errno.ENOENT: FileNotFoundError, errno.EEXIST: FileExistsError, errno.ENOTDIR: NotADirectoryError,
    errno.EISDIR: IsADirectoryError, errno.EACCES: PermissionError, errno.EPERM: PermissionError,
}


def failed(code, path=None, second=None):
    kind, said = _CLASSES.get(code, OSError), strerror(code)
    if second is not None:
        return kind(code, said, path, None, second)
    return kind(code, said) if path is None else kind(code, said, path)


class Node:
    """A file, a folder (`entries`), a link (`target`) or the null device."""

    made = 0

    def __init__(self, mode):
        Node.made += 1
        self.number = Node.made
        self.mode = mode
        self.links = 1
        # None for what is there when the program begins: reading the clock advances it.
        self.read_at = self.changed_at = None
        kind = mode & 0o170000
        if kind == FOLDER:
            self.entries = {}
        else:
            self.data = bytearray()
        self.target = None

    @property
    def kind(self):
        return self.mode & 0o170000

    def made_now(self):
        self.read_at = self.changed_at = time.time_ns()
        return self

    def changed(self):
        self.changed_at = time.time_ns()


root = Node(FOLDER | 0o755)
here = ["/"]
mask = [0o022]

def no_descriptor(dir_fd):
    if dir_fd is not None:
        raise NotImplementedError("dir_fd unavailable on this platform")


def path_text(path):
    if isinstance(path, int):
        raise TypeError(f"path should be string, bytes or os.PathLike, not {type(path).__name__}")
    if not isinstance(path, (str, bytes)):
        kind = type(path)
        if not hasattr(kind, "__fspath__"):
            raise TypeError(f"path should be string, bytes, os.PathLike or integer, not {kind.__name__}")
        path = kind.__fspath__(path)
    if isinstance(path, bytes):
        path = path.decode("utf-8", "surrogateescape")
    if "\0" in path:
        raise ValueError("embedded null byte")
    return path


def find(path, follow=True, parent=False, depth=0):
    """The node at a path, or the folder and the name that it has there."""
    text = path_text(path)
    if not text:
        raise failed(errno.ENOENT, path)
    absolute = text if text.startswith("/") else here[0] + "/" + text
    parts = [part for part in absolute.split("/") if part and part != "."]
    above, node = [], root
    for at, part in enumerate(parts):
        last = at == len(parts) - 1
        if node.kind != FOLDER:
            raise failed(errno.ENOTDIR, path)
        if part == "..":
            node = above.pop() if above else root
            continue
        if len(part.encode("utf-8", "surrogateescape")) > 255:
            raise failed(errno.ENAMETOOLONG, path)
        found = node.entries.get(part)
        if last and parent:
            return node, part, found
        if found is None:
            raise failed(errno.ENOENT, path)
        if found.kind == LINK and (follow or not last):
            if depth > 39:
                raise failed(errno.ELOOP, path)
            rest = "/".join([found.target, *parts[at + 1:]])
            if not found.target.startswith("/"):
                rest = "/" + "/".join(parts[:at]) + "/" + rest
            try:
                return find(rest, follow, parent, depth + 1)
            except OSError as problem:
                raise failed(problem.errno, path) from None
        above.append(node)
        node = found
    if parent:
        # The root, or a path that ends in "..".
        return None, "", node
    if text.endswith("/") and node.kind != FOLDER:
        raise failed(errno.ENOTDIR, path)
    return node


def place(path):
    """The folder and the name of what is to be made, changed or removed."""
    folder, name, found = find(path_text(path).rstrip("/") or "/", False, True)
    if folder is None:
        raise failed(errno.EISDIR if found is root else errno.EINVAL, path)
    return folder, name, found


def status(node):
    size = 0 if node.kind in (FOLDER, DEVICE) else len(node.data)
    if node.kind == LINK:
        size = len(node.target)
    if node.changed_at is None:
        node.made_now()
    changed = node.changed_at
    read = changed if node.read_at is None else node.read_at
    seconds = (read // 10**9, changed // 10**9, changed // 10**9)
    return stat_result(
        (node.mode, node.number, 1, node.links, 1000, 1000, size, *seconds),
        {
            "st_atime": read / 1e9, "st_mtime": changed / 1e9, "st_ctime": changed / 1e9,
            "st_atime_ns": read, "st_mtime_ns": changed, "st_ctime_ns": changed,
            "st_blksize": 4096, "st_blocks": (size + 511) // 512, "st_rdev": 0,
        },
    )


def resize(node, length):
    if length < 0:
        raise failed(errno.EINVAL)
    del node.data[length:]
    if length > len(node.data):
        node.data.extend(bytes(length - len(node.data)))
    node.changed()


NULL = Node(DEVICE | 0o666)
root.entries["dev"] = Node(FOLDER | 0o755)
root.entries["dev"].entries["null"] = NULL
root.entries["tmp"] = Node(FOLDER | 0o1777)


def left_outside_of_temporary():
    """The paths of the files that end with the program, though nobody may expect it."""
    found = []

    def look(folder, path):
        for name, node in folder.entries.items():
            place = f"{path}/{name}"
            if node.kind == FOLDER and place not in ("/tmp", "/dev"):
                look(node, place)
            elif node.kind == FILE:
                found.append(place)

    look(root, "")
    return found
