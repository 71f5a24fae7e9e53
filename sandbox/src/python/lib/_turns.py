"""Makes functions of the program generators that give way where they wait.

Each call `f(x)` in such a function becomes `(yield from call(f, x))`: if `f` is a function
of the program it is made a generator as well, and if it is one that waits, as `Queue.get`,
the thread stops there and tries again when it is its turn.
"""

import _thread
import ast
import functools
import sys
import time
from types import CellType, FunctionType, MethodType

FILE = "program.py"
_GENERATOR, _COROUTINES = 0x20, 0x80 | 0x200

# Functions of the library that wait, and have changed nothing when they do: they are called
# again.
_WAITING = {
    ("_thread", "lock.acquire"), ("_thread", "RLock.acquire"), ("_thread", "lock.__enter__"),
    ("_thread", "RLock.__enter__"), ("_thread", "_ThreadHandle.join"),
    ("threading", "Thread.join"), ("threading", "Event.wait"), ("threading", "Semaphore.acquire"),
    ("threading", "Semaphore.__enter__"),
    ("queue", "Queue.get"), ("queue", "Queue.put"), ("queue", "Queue.join"),
    ("queue", "_PySimpleQueue.get"), ("concurrent.futures._base", "Future.result"),
    ("concurrent.futures._base", "Future.exception"), ("concurrent.futures._base", "wait"),
    ("concurrent.futures.thread", "ThreadPoolExecutor.shutdown"),
}


class _Attempt:
    until = None


def _again(function, args, kwargs):
    """Calls a function that waits until it no longer has to."""
    thread = _thread._thread_of(_thread._current[0])
    limit, signal = None, _thread._WAITS
    while True:
        attempt = _thread._direct[0] = _Attempt()
        try:
            return function(*args, **kwargs)
        except _thread.WouldWait:
            pass
        finally:
            _thread._direct[0] = None
            thread.limit = None
        if limit is None:
            limit = attempt.until
        elif _thread._now() >= limit:
            # It knows how to give up.
            return function(*args, **kwargs)
        thread.limit = limit
        yield signal
        signal = _thread._AGAIN


def _condition_wait(self, timeout=None):
    if not self._is_owned():
        raise RuntimeError("cannot wait on un-acquired lock")
    waiter = _thread.allocate_lock()
    waiter.acquire()
    self._waiters.append(waiter)
    saved = self._release_save()
    notified = False
    try:
        notified = yield from _thread.waiting(waiter._take, timeout)
        return notified
    finally:
        yield from _thread.waiting(self._lock._ready)
        self._acquire_restore(saved)
        if not notified:
            try:
                self._waiters.remove(waiter)
            except ValueError:
                pass


def _condition_wait_for(self, predicate, timeout=None):
    until = None if timeout is None else _thread._now() + timeout
    result = yield from call(predicate)
    while not result:
        left = None if until is None else until - _thread._now()
        if left is not None and left <= 0:
            break
        yield from _condition_wait(self, left)
        result = yield from call(predicate)
    return result


def _barrier_wait(self, timeout=None):
    timeout = self._timeout if timeout is None else timeout
    yield from _thread.waiting(lambda: self._state not in (-1, 1))
    with self._cond:
        self._enter()
        index = self._count
        self._count += 1
        try:
            if index + 1 == self._parties:
                self._release()
            else:
                done = yield from _condition_wait_for(self._cond, lambda: self._state != 0, timeout)
                if not done:
                    self._break()
                if not done or self._state < 0:
                    import threading

                    raise threading.BrokenBarrierError
            return index
        finally:
            self._count -= 1
            self._exit()


_INSTEAD = {
    ("threading", "Condition.wait"): _condition_wait,
    ("threading", "Condition.wait_for"): _condition_wait_for,
    ("threading", "Barrier.wait"): _barrier_wait,
    ("_thread", "sleep"): _thread.sleeping,
}
# Functions of the library that are generators for this purpose.
_STEPS = set()


def steps(function):
    """Declares a generator function as the body of a thread."""
    _STEPS.add(function)
    return function


def call(function, /, *args, **kwargs):
    """Calls a function within a thread."""
    inner = function
    while True:
        kind = type(inner)
        if kind is MethodType:
            args, inner = (inner.__self__, *args), inner.__func__
        elif kind is functools.partial:
            args, kwargs, inner = inner.args + args, {**inner.keywords, **kwargs}, inner.func
        elif inner is time.sleep:
            inner = _thread.sleep
        else:
            break
    if kind is FunctionType:
        name = (inner.__module__, inner.__qualname__)
        if inner.__code__.co_filename == FILE:
            twin = _twin(inner)
            if twin is not None:
                return (yield from twin(*args, **kwargs))
        elif name in _WAITING:
            return (yield from _again(inner, args, kwargs))
        elif name in _INSTEAD:
            return (yield from _INSTEAD[name](*args, **kwargs))
        elif inner in _STEPS:
            return (yield from inner(*args, **kwargs))
    return inner(*args, **kwargs)


def ready(manager):
    """Waits until the lock that a `with` takes is free."""
    free = getattr(manager, "_ready", None)
    if free is None:
        free = getattr(getattr(manager, "_lock", None), "_ready", None)
    if free is None and type(manager).__module__ == "threading" and hasattr(manager, "_value"):
        free = lambda: manager._value > 0  # noqa: E731
    if callable(free):
        yield from _thread.waiting(free)
    elif type(manager).__module__ == "concurrent.futures.thread":
        pass
    return manager


def plain(function, args, kwargs):
    """The steps of a thread of `_thread.start_new_thread`."""
    try:
        yield from call(function, *args, **kwargs)
    except SystemExit:
        pass
    except BaseException:
        import traceback

        traceback.print_exc()


def begin(thread):
    """The steps of a `threading.Thread`."""
    threading = sys.modules["threading"]
    thread._set_ident()
    thread._set_native_id()
    thread._started.set()
    with threading._active_limbo_lock:
        threading._active[thread._ident] = thread
        del threading._limbo[thread]
    return _lived(thread, threading)


def _lived(thread, threading):
    try:
        try:
            if type(thread).run is threading.Thread.run:
                try:
                    if thread._target is not None:
                        yield from call(thread._target, *thread._args, **thread._kwargs)
                finally:
                    del thread._target, thread._args, thread._kwargs
            else:
                yield from call(thread.run)
        except BaseException:
            thread._invoke_excepthook(thread)
    finally:
        thread._delete()


_NATIVE = {"super", "locals", "vars", "dir", "eval", "exec"}


class _GivesWay(ast.NodeTransformer):
    def __init__(self):
        self.made = 0

    def _keep(self, node):
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _keep
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _keep

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _NATIVE:
            return node
        name = ast.copy_location(ast.Name("__call__", ast.Load()), node)
        made = ast.copy_location(ast.Call(name, [node.func, *node.args], node.keywords), node)
        return ast.copy_location(ast.YieldFrom(made), node)

    def visit_With(self, node):
        self.generic_visit(node)
        body = node.body
        for item in reversed(node.items):
            self.made += 1
            name = f".with{self.made}"
            at = item.context_expr

            def put(made):
                return ast.fix_missing_locations(ast.copy_location(made, at))

            manager = put(ast.YieldFrom(put(ast.Call(
                put(ast.Name("__ready__", ast.Load())), [item.context_expr], []
            ))))
            keep = put(ast.Assign([put(ast.Name(name, ast.Store()))], manager))
            entered = ast.withitem(put(ast.Name(name, ast.Load())), item.optional_vars)
            body = [keep, ast.copy_location(ast.With([entered], body), node)]
        return body


_parsed = {}
_twins = {}


def _definition(code):
    """The definition of a function in the text of the program."""
    runtime = sys.modules["_runtime"]
    if "tree" not in _parsed:
        text = runtime.compiled_text()
        found = {}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
                found[first, node.name] = node
        _parsed["tree"] = found
    return _parsed["tree"].get((code.co_firstlineno, code.co_name))


def _code(code):
    """The code of the generator for the function with this code, or None."""
    if code.co_flags & (_GENERATOR | _COROUTINES):
        return None
    node = _definition(code)
    if node is None:
        return None
    arguments = node.args
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
        if argument is not None:
            argument.annotation = None
    plain_value = ast.copy_location(ast.Constant(None), node)
    arguments.defaults = [plain_value] * len(arguments.defaults)
    arguments.kw_defaults = [value and plain_value for value in arguments.kw_defaults]
    changer = _GivesWay()
    body = []
    for statement in node.body:
        changed = changer.visit(statement)
        body += changed if isinstance(changed, list) else [changed]
    # A function that calls nothing is a generator all the same.
    never = ast.parse("if False:\n    yield").body
    body += [ast.copy_location(part, node) for part in never]
    twin = ast.copy_location(ast.FunctionDef(node.name, arguments, body, [], None, None, []), node)
    names = [ast.arg(name) for name in (*code.co_freevars, "__call__", "__ready__")]
    outer = ast.FunctionDef(
        "outer", ast.arguments([], names, None, [], [], None, []), [twin], [], None, None, []
    )
    module = ast.fix_missing_locations(ast.Module([outer], []))
    made = compile(module, FILE, "exec", dont_inherit=True)
    for name in ("outer", node.name):
        made = next(part for part in made.co_consts if getattr(part, "co_name", None) == name)
    return made


def _twin(function):
    code = function.__code__
    if code not in _twins:
        try:
            _twins[code] = _code(code)
        except (SyntaxError, ValueError, RecursionError, StopIteration):
            _twins[code] = None
    made = _twins[code]
    if made is None:
        return None
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    cells["__call__"], cells["__ready__"] = CellType(call), CellType(ready)
    closure = tuple(cells[name] for name in made.co_freevars)
    twin = FunctionType(made, function.__globals__, function.__name__, function.__defaults__, closure)
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__qualname__ = function.__qualname__
    return twin
