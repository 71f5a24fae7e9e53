"""Starts and ends a program: sets up its names, keeps its output, describes its error."""

import atexit
import builtins
import random
import sys
import threading

import _host
import _memory_files
import _memory_tree
import _more_times
import _native_parts
import _thread

_memory_files.install()
_more_times.install()

FILE = "program.py"
_print = _host.print


class OutOfScopeRequestError(Exception):
    """The request is for something the API cannot do."""


class AmbiguousRequestError(Exception):
    """The request can be meant in more than one way."""


class ChitChat(Exception):
    """The utterance is small talk."""


class FAQ(Exception):
    """The user asks a question about the domain that no program can answer."""


class OverSpecificationError(Exception):
    """The request has a condition that no program can meet."""


class EndDialog(Exception):
    """The user ends the conversation."""


CONVERSATIONAL = (
    OutOfScopeRequestError,
    AmbiguousRequestError,
    ChitChat,
    FAQ,
    OverSpecificationError,
    EndDialog,
)
for _class in CONVERSATIONAL:
    _class.__module__ = "builtins"


class Output:
    """Passes what a program prints to the host, so that it is kept however the program ends."""

    encoding = "utf-8"
    errors = "replace"
    closed = False
    newlines = None

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            _print(text.encode("utf-8", "replace"))
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def writable(self):
        return True

    def readable(self):
        return False


_output = Output()
_source = ""


_held = []


def hold_frames():
    """Uses up the free list of frames, because those frames lie all over the snapshot."""
    _held.extend(_endless() for _ in range(300))


def _endless():
    yield


def begin(source, seed):
    """Seeds `random` and returns the names of the program's module."""
    global _source
    _source = source
    random.seed(seed)
    sys.stdout = sys.stderr = _output
    main = sys.modules["__main__"] = type(sys)("__main__")
    main.__dict__.update(_names)
    return main.__dict__


_names = {c.__name__: c for c in CONVERSATIONAL}
_names["__doc__"] = None
_names["__file__"] = FILE
_names["__builtins__"] = builtins


def end():
    """What Python does after the last line of a program: it waits for the threads, and calls
    what `atexit` was given."""
    for call in reversed(threading._threading_atexits):
        call()
    _thread._shutdown()
    atexit._run_exitfuncs()
    left = _memory_tree.left_outside_of_temporary()
    if left:
        names = ", ".join(left[:3]) + (", …" if len(left) > 3 else "")
        _output.write(f"note: files of a program are in memory and end with it: {names}\n")


def _is_indented():
    """If the whole body is indented, a line was added above it to compile it."""
    first = next((l for l in _source.split("\n") if l.strip() and not l.lstrip().startswith("#")), "")
    return first[:1] in (" ", "\t")


def compiled_text():
    """The text of the program as it was compiled."""
    return f"if True:\n{_source}" if _is_indented() else _source


def describe(exception):
    """The error's name, its message and its traceback."""
    global _lines, _shift
    _lines = _source.split("\n")
    _shift = 1 if _is_indented() else 0
    name = getattr(exception, "_outcome_error", None)
    if not isinstance(name, str):
        name = type(exception).__name__
    message = _message(exception)
    kind = type(exception).__qualname__
    last = f"{kind}: {message}" if message else kind
    frames = _frames(exception.__traceback__)
    if len(frames) > 12:
        left_out = f"  … {len(frames) - 12} more calls …"
        frames = frames[:4] + [left_out] + frames[-8:]
    if not frames:
        return _text(name), _text(message), ""
    return (
        _text(name),
        _text(message),
        _text("\n".join(["Traceback (most recent call last):", *frames, last])),
    )


def _message(exception):
    if isinstance(exception, SyntaxError):
        place = ""
        if exception.filename == FILE and exception.lineno:
            column = f", column {exception.offset}" if exception.offset else ""
            place = f" (line {exception.lineno - _shift}{column})"
        return f"{exception.msg}{place}"
    try:
        message = str(exception)
    except Exception:
        return ""
    if not message and isinstance(exception, MemoryError):
        return "the program needs more memory than it may use"
    return message


def _frames(step):
    shown = []
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename == FILE:
            line = step.tb_lineno - _shift
            shown.append(f'  File "{FILE}", line {line}, in {code.co_name}')
            if 1 <= line <= len(_lines) and _lines[line - 1].strip():
                shown[-1] += "\n    " + _lines[line - 1].strip()
        step = step.tb_next
    return shown


def _text(text, limit=8000):
    """Makes text that every decoder accepts: no lone surrogates, and not too long."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= limit else text[:limit] + " … (cut)"


def _unavailable(what):
    def refuse(*args, **kwargs):
        raise PermissionError(1, f"{what} is not available in the sandbox")

    refuse.__name__ = refuse.__qualname__ = what.rpartition(".")[2]
    return refuse


def _input(prompt="", /):
    raise EOFError("input is not available in the sandbox")


def _exit(code=None):
    raise SystemExit(code)


class _Star:
    """What `import *` leaves in the program: nothing."""

    __star__ = None


def close_imports():
    """Makes missing features raise a plain error. Called after everything is loaded."""
    sys.argv = [FILE]
    builtins.input = _input
    builtins.breakpoint = _unavailable("breakpoint")
    builtins.exit = builtins.quit = _exit
    find = builtins.__import__

    def __import__(name, globals=None, locals=None, fromlist=(), level=0):
        if globals is None or globals.get("__name__") != "__main__":
            return find(name, globals, locals, fromlist, level)
        try:
            if fromlist == ("__star__",):
                module = find(name, globals, locals, ("*",), level)
                names = getattr(module, "__all__", None)
                if names is None:
                    names = [name for name in vars(module) if not name.startswith("_")]
                globals.update((name, getattr(module, name)) for name in names)
                return _Star
            return find(name, globals, locals, fromlist, level)
        except Exception as error:
            # Whatever keeps a module of the standard library from loading is missing in
            # the sandbox.
            if fromlist and name in sys.modules and isinstance(error, ImportError):
                raise
            reason = _native_parts.ABSENT.get(name.partition(".")[0], "it is not available in the sandbox")
            message = f"No module named {name!r}: {reason}"
        raise ModuleNotFoundError(message, name=name)

    builtins.__import__ = __import__
