"""What programs of a folder's domain see, and what answers their calls.

A program and the world that it acts on run in two instances of this client. `set_up` makes
the handle of a program; `ask` loads `world.py` and answers calls, in an instance that the
program cannot reach.
"""

import builtins
import datetime
import json
import sys

import _host
import _runtime

PROGRAM_GLOBALS = {}


# The side of programs.


class _Operation:
    """An operation as a method. Arguments are bound as Python binds them."""

    __slots__ = ("__name__", "_positional", "_names", "_required")

    def __init__(self, name, parameters):
        self.__name__ = name
        self._positional = [p for p, _, keyword_only in parameters if not keyword_only]
        self._names = {p for p, _, _ in parameters}
        self._required = [p for p, required, _ in parameters if required]

    def __call__(self, /, *args, **kwargs):
        name, positional = self.__name__, self._positional
        if len(args) > len(positional):
            takes = f"{len(positional)} positional argument" + "s" * (len(positional) != 1)
            raise TypeError(f"{name}() takes {takes} but {len(args)} were given")
        params = dict(zip(positional, args))
        for key, value in kwargs.items():
            if key in params:
                raise TypeError(f"{name}() got multiple values for argument {key!r}")
            if key not in self._names:
                raise TypeError(f"{name}() got an unexpected keyword argument {key!r}")
            params[key] = value
        missing = [p for p in self._required if p not in params]
        if missing:
            names = ", ".join(map(repr, missing))
            plural = "s" * (len(missing) != 1)
            raise TypeError(f"{name}() missing {len(missing)} required argument{plural}: {names}")
        return _call(name, params)

    def __repr__(self):
        return f"<operation {self.__name__}>"


_exceptions = {}


class WorldError(Exception):
    """The code behind the API failed: a mistake of its author, not of the program."""


def _call(name, params):
    try:
        try:
            answer = _host.call(name, params)
        except (OverflowError, TypeError):
            # Nothing was called: a parameter cannot cross the boundary as it is.
            marked = _marked(params)
            if marked == params:
                raise
            answer = _host.call(name, marked)
        return _unmarked(answer)
    except _host.Refusal as refusal:
        refusal.details = _unmarked(refusal.details)
        kind = _exceptions.get(refusal.code)
        if refusal.code == "AttributeError":
            kind = AttributeError  # an operation that this turn does not offer
        if kind is None:
            raise
        error = kind(refusal.message)
        error.code, error.message = refusal.code, refusal.message
        error.status, error.details = refusal.status, refusal.details
    raise error


def _marked(value):
    if isinstance(value, dict):
        return {key: _marked(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_marked(item) for item in value]
    if type(value) is int and value.bit_length() > 63:
        return {_NUMBER: str(value)}
    if isinstance(value, (datetime.date, datetime.time)) and not isinstance(
        value, datetime.datetime
    ):
        return value.isoformat()
    return value


class Handle:
    """The API. Its methods are the operations."""

    def __getattr__(self, name):
        raise AttributeError(f"the API has no operation {name!r}")

    def __setattr__(self, name, value):
        raise AttributeError("the API cannot be changed")

    def __dir__(self):
        return sorted(self.__dict__)


def set_up(text):
    """The globals of a program: the handle, and the exceptions of the API."""
    spec = json.loads(text)
    _exceptions["WorldError"] = WorldError
    for name in spec["exceptions"]:
        kind = getattr(builtins, name, None)
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            kind = type(name, (Exception,), {"__module__": "builtins"})
        _exceptions[name] = kind
    handle = Handle()
    for name, parameters in spec["operations"]:
        handle.__dict__[name] = _Operation(name, parameters)
    handle.__dict__.update(_exceptions)
    return {spec["handle"]: handle, **_exceptions}


# The side of the world.

MODULE = "world"
FILE = "world.py"
_LARGEST = sys.float_info.max
# What to return in the place of values that cannot be passed on.
_INSTEAD = {
    "set": "a list, such as sorted() gives",
    "frozenset": "a list, such as sorted() gives",
    "date": "its text, isoformat()",
    "time": "its text, isoformat()",
    "Decimal": "a text or a float",
}

_functions = {}
_source = []
_answers = ()
_state = None


def ask(request):
    """Answers one request of the host: a dict, and so is the answer.

    A request with `lines` is stopped after so many lines of `world.py`.
    """
    lines = request.pop("lines", None)
    if lines is None:
        return _answer(request) if request["do"] == "call" else _load(request)
    _stop_after(lines)
    try:
        return ask(request)
    finally:
        _settrace(None)


class _Stopped(BaseException):
    """Raised in `world.py` after the given number of lines."""


# `world.py` could replace it.
_settrace = sys.settrace


def _stop_after(left):
    def trace(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename != FILE:
            return None
        left -= event == "line"
        if left < 0:
            raise _Stopped
        return trace

    _settrace(trace)


def _load(request):
    global _functions, _source, _answers, _state
    _source = request["source"].split("\n")
    _answers = tuple(request["errors"])
    _runtime.begin("", 0)
    names = {"__name__": MODULE, "__builtins__": builtins}
    try:
        exec(compile(request["source"], FILE, "exec"), names)
        _state = request["state"]
        _host.watch(_state)
    except BaseException as error:
        return _account(error)
    _functions = names
    return {}


def _answer(request):
    _runtime.begin("", request["random"])
    operation = request["operation"]
    try:
        if operation not in _functions:
            raise NameError(f"api.pyi has {operation}, and world.py defines no such function")
        result = _functions[operation](_state, **request["params"])
        _check(result, operation)
    except BaseException as error:
        _host.revert()
        return _account(error)
    try:
        return {"result": result, "changes": _host.changes()}
    except BaseException as error:
        # The shadow is of no use any more, and neither is this instance.
        return {**_account(error), "is_lost": True}


def _check(result, operation):
    try:
        _host.check(result)
        _is_json(result)
    except OverflowError:
        message = f"{operation} returned an integer of more than 64 bits: return it as a text"
    except Exception as error:
        words = str(error).replace("cannot be a parameter of an operation", "is not JSON")
        if (kind := words.removesuffix(" is not JSON")) in _INSTEAD:
            words += f": return {_INSTEAD[kind]}"
        words = words.replace("a parameter is", "it is").replace("of a parameter must", "must")
        message = f"{operation} returned what cannot be passed on: {words}"
    else:
        return
    raise TypeError(message)


def _is_json(value):
    """Refuses what can be passed on and is no JSON: recordings and states could not have it."""
    kind = type(value)
    if kind is list or kind is tuple:
        for item in value:
            _is_json(item)
    elif kind is dict:
        for item in value.values():
            _is_json(item)
    elif kind is float:
        if not -_LARGEST <= value <= _LARGEST:
            raise TypeError(f"{value} is not JSON: return None or a text instead")
    elif isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"{kind.__name__} is not JSON: return a text, such as its Base64")
    elif isinstance(value, (datetime.date, datetime.time)):
        raise TypeError(f"{kind.__name__} is not JSON: return its text, isoformat()")


def _account(error):
    """Describes an exception for the host, with the lines of `world.py` that it came from."""
    kind = type(error)
    lines = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename == FILE:
            at = step.tb_lineno
            text = _source[at - 1].strip() if 0 < at <= len(_source) else ""
            lines.append(f"{FILE}, line {at}, in {code.co_name}: {text}")
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename == FILE:
        lines.append(f"{FILE}, line {error.lineno}")
    try:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:
        message = ""
    is_answer = kind.__module__ == MODULE or any(k.__name__ in _answers for k in kind.__mro__)
    return {
        "error": kind.__name__,
        "message": message.strip().encode("utf-8", "replace").decode("utf-8"),
        "is_answer": is_answer and isinstance(error, Exception),
        "lines": lines[-8:],
    }


# Runs both sides several times, because the interpreter learns only from repeated runs, and the
# snapshot keeps what it has learned.

_WORLD = """
class Missing(Exception):
    pass


def add(state, name, value=1):
    if value < 0:
        raise Missing(name)
    state["records"][name] = {"value": value, "tags": [name]}
    state["last"] = name
    return state["records"][name]
"""


def _rehearse():
    spec = {"handle": "api", "exceptions": ["Missing"]}
    spec["operations"] = [["add", [["name", True, False], ["value", False, True]]]]
    for _ in range(4):
        add = set_up(json.dumps(spec))["api"].add
        _host.rehearse({"value": 1})
        add("a", value=2)
        _host.rehearse(_host.Refusal("Missing", "a", 404, {}))
        try:
            add(name="a")
        except Exception:
            pass
        state = {"records": {"a": {"value": 1.5, "tags": ["x", None, True]}}, "last": ""}
        ask({"do": "load", "source": _WORLD, "errors": [], "state": state})
        for value in [1, 2, -1]:
            params = {"name": "b", "value": value}
            ask({"do": "call", "operation": "add", "params": params, "random": 1})
        params = {"name": 1}
        ask({"do": "call", "operation": "add", "params": params, "random": 1})


_rehearse()
_host.watch({})
_functions, _source, _answers, _state = {}, [], (), None
_exceptions.clear()
