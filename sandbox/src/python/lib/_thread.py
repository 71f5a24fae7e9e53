"""Threads that take turns.

The sandbox has one processor and no clock that interrupts it, so a thread runs when
somebody waits: for the thread itself, for a lock, for an entry of a queue, or for time to
pass. A function of the program that runs in a thread is made a generator (`_turns`), which
stops where it has to wait and lets the others go on. In other code, as in a `sorted` whose
key waits, the others run within the wait. A wait that nothing can end raises an error.
"""

TIMEOUT_MAX = 9223372036.0
error = RuntimeError

_MAIN = 1
_current = [_MAIN]
# The threads that have started and have not ended, in the order in which they take turns.
_threads = []
_made = [_MAIN]
# The call that a thread makes of a function that may wait, while it is made.
_direct = [None]

_AGAIN, _WAITS, _MOVED = "again", "waits", "moved"

_NOTHING = (
    "nothing can end this wait: there is no other thread that could go on "
    "(threads take turns here, and every other one has ended or waits as well)"
)


class WouldWait(BaseException):
    """A function that waits was called directly by a thread, which can stop and try again."""


def _now():
    import time

    return time.monotonic()


class _Thread:
    def __init__(self, steps, handle, daemon):
        _made[0] += 1
        self.ident = _made[0]
        self.steps, self.handle, self.daemon = steps, handle, daemon
        self.active = False
        # When it goes on by itself; None if it waits for somebody or is ready.
        self.wakes = None
        # When it is tired of waiting for somebody.
        self.limit = None
        self.context = None

    def step(self):
        """Runs the thread until it waits. Whether it got any further."""
        before, call = _current[0], _direct[0]
        _current[0], _direct[0], self.active = self.ident, None, True
        try:
            if self.context is not None:
                return self.context.run(next, self.steps) is not _AGAIN
            return next(self.steps) is not _AGAIN
        except StopIteration:
            self.end()
            return True
        finally:
            _current[0], _direct[0], self.active = before, call, False

    def end(self):
        _threads.remove(self)
        self.handle._set_done()


def run_others():
    """Lets one thread that can go on do so. Whether there was one."""
    for thread in list(_threads):
        if thread.active or thread not in _threads:
            continue
        if thread.wakes is not None and _now() < thread.wakes:
            continue
        got_on = thread.step()
        if got_on:
            # The next turn is that of the next thread.
            if thread in _threads:
                _threads.remove(thread)
                _threads.append(thread)
            return True
    return False


def _next_wake(until):
    waiting = [thread for thread in _threads if not thread.active]
    wakes = [thread.limit if thread.wakes is None else thread.wakes for thread in waiting]
    wakes = [time for time in wakes if time is not None]
    if until is not None:
        wakes.append(until)
    return min(wakes, default=None)


def wait(ready, timeout=-1):
    """Lets other threads run until `ready()`. False if the time ran out before."""
    if ready():
        return True
    until = None if timeout is None or timeout < 0 else _now() + timeout
    if _direct[0] is not None:
        _direct[0].until = until
        raise WouldWait
    while True:
        if run_others():
            if ready():
                return True
            if until is not None and _now() >= until:
                return False
            continue
        if ready():
            return True
        wakes = _next_wake(until)
        if wakes is None:
            raise RuntimeError(_NOTHING)
        pause = wakes - _now()
        if pause > 0:
            _native_sleep(pause)
        if until is not None and _now() >= until:
            return ready()


def waiting(ready, timeout=None):
    """`wait` for a thread that is a generator."""
    thread = _thread_of(_current[0])
    until = None if timeout is None or timeout < 0 else _now() + timeout
    signal = _WAITS
    while not ready():
        if until is not None and _now() >= until:
            thread.limit = None
            return False
        # It is asked again whenever the others have gone on, and at the latest then.
        thread.limit = until
        yield signal
        signal = _AGAIN
    thread.limit = None
    return True


def _thread_of(ident):
    for thread in _threads:
        if thread.ident == ident:
            return thread
    return None


def _native_sleep(seconds):
    _sleeps[0](seconds)


_sleeps = []


def sleep(seconds, /):
    """`time.sleep`, in which the other threads go on."""
    if not _threads or not isinstance(seconds, (int, float)) or not seconds >= 0:
        return _native_sleep(seconds)
    until = _now() + seconds
    while True:
        if run_others():
            if _now() >= until:
                return None
            continue
        pause = _next_wake(until) - _now()
        if pause > 0:
            _native_sleep(pause)
        if _now() >= until:
            return None


def sleeping(seconds, /):
    """`sleep` for a thread that is a generator."""
    if not isinstance(seconds, (int, float)) or not seconds >= 0:
        return _native_sleep(seconds)
    thread = _thread_of(_current[0])
    thread.wakes = _now() + seconds
    yield _MOVED
    while _now() < thread.wakes:
        yield _AGAIN
    thread.wakes = None


class lock:
    """A lock that whoever waits for lets the others run."""

    def __init__(self):
        self._held = False

    def _take(self):
        if self._held:
            return False
        self._held = True
        return True

    def acquire(self, blocking=True, timeout=-1):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if timeout > TIMEOUT_MAX:
            raise OverflowError("timeout value is too large")
        if self._take():
            return True
        if not blocking:
            return False
        return wait(self._take, timeout)

    acquire_lock = acquire

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    release_lock = release

    def locked(self):
        return self._held

    locked_lock = locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_):
        self.release()

    def _ready(self):
        return not self._held

    def _at_fork_reinit(self):
        self._held = False

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle '_thread.{type(self).__name__}' object")

    def __repr__(self):
        state = "locked" if self._held else "unlocked"
        return f"<{state} _thread.lock object at {id(self):#x}>"


LockType = lock


def allocate_lock():
    return lock()


allocate = allocate_lock


class RLock:
    """A lock that its owner can take again."""

    def __init__(self):
        self._owner = None
        self._count = 0

    def _take(self):
        me = _current[0]
        if self._owner not in (None, me):
            return False
        self._owner = me
        self._count += 1
        return True

    def acquire(self, blocking=True, timeout=-1):
        if not blocking and timeout != -1:
            raise ValueError("can't specify a timeout for a non-blocking call")
        if timeout < 0 and timeout != -1:
            raise ValueError("timeout value must be a non-negative number")
        if self._take():
            return True
        if not blocking:
            return False
        return wait(self._take, timeout)

    def release(self):
        if self._owner != _current[0]:
            raise RuntimeError("cannot release un-acquired lock")
        self._count -= 1
        if not self._count:
            self._owner = None

    def locked(self):
        return self._owner is not None

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_):
        self.release()

    def _ready(self):
        return self._owner in (None, _current[0])

    def _is_owned(self):
        return self._owner == _current[0]

    def _recursion_count(self):
        return self._count if self._is_owned() else 0

    def _release_save(self):
        if not self._count:
            raise RuntimeError("cannot release un-acquired lock")
        saved = self._count, self._owner
        self._count, self._owner = 0, None
        return saved

    def _acquire_restore(self, saved):
        wait(lambda: self._owner is None)
        self._count, self._owner = saved

    def _at_fork_reinit(self):
        self._count, self._owner = 0, None

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle '_thread.{type(self).__name__}' object")

    def __repr__(self):
        state = "locked" if self._count else "unlocked"
        return f"<{state} _thread.RLock object owner={self._owner or 0} count={self._count} at {id(self):#x}>"


class _ThreadHandle:
    def __init__(self):
        self._ident = None
        self._done = False

    @property
    def ident(self):
        return self._ident

    def _set_done(self):
        self._done = True

    def is_done(self):
        return self._done

    def join(self, timeout=None):
        if self._ident == _current[0]:
            raise RuntimeError("Cannot join current thread")
        wait(self.is_done, -1 if timeout is None else max(timeout, 0))

    def __repr__(self):
        return f"<_ThreadHandle object: ident={self._ident}>"


def _make_thread_handle(ident):
    handle = _ThreadHandle()
    handle._ident = ident
    return handle


def start_joinable_thread(function, handle=None, daemon=True):
    import _turns

    handle = _ThreadHandle() if handle is None else handle
    thread = _Thread(None, handle, daemon)
    handle._ident = thread.ident
    of = getattr(function, "__self__", None)
    if of is not None and getattr(function, "__name__", None) == "_bootstrap":
        # A Thread: it has begun, for those who ask, before its first turn.
        before, _current[0] = _current[0], thread.ident
        try:
            thread.steps = _turns.begin(of)
            thread.context = of._context
        finally:
            _current[0] = before
    else:
        thread.steps = _turns.plain(function, (), {})
    _threads.append(thread)
    return handle


def start_new_thread(function, args, kwargs={}, /):
    import _turns

    if not callable(function):
        raise TypeError("first arg must be callable")
    if not isinstance(args, tuple):
        raise TypeError("2nd arg must be a tuple")
    if not isinstance(kwargs, dict):
        raise TypeError("optional 3rd arg must be a dictionary")
    thread = _Thread(_turns.plain(function, args, kwargs), _ThreadHandle(), True)
    thread.handle._ident = thread.ident
    _threads.append(thread)
    return thread.ident


start_new = start_new_thread


def _shutdown():
    """Waits for the threads that are no daemons, as at the end of every program."""
    if _current[0] == _MAIN:
        wait(lambda: all(thread.daemon for thread in _threads))


def daemon_threads_allowed():
    return True


def get_ident():
    return _current[0]


def get_native_id():
    return _current[0]


def _get_main_thread_ident():
    return _MAIN


def _is_main_interpreter():
    return True


def exit():
    raise SystemExit


exit_thread = exit


def interrupt_main(signum=2, /):
    raise PermissionError(1, "_thread.interrupt_main is not available in the sandbox")


def stack_size(size=0, /):
    if size:
        raise ValueError("setting the size of stacks is not available in the sandbox")
    return 0


def set_name(name):
    pass


def _count():
    return len(_threads)


class _local:
    """Attributes that each thread has of its own."""

    def __new__(cls, /, *args, **kwargs):
        if (args or kwargs) and cls.__init__ is object.__init__:
            raise TypeError("Initialization arguments are not supported")
        made = object.__new__(cls)
        object.__setattr__(made, "_local__of", {_current[0]: {}})
        object.__setattr__(made, "_local__with", (args, kwargs))
        return made

    def _local__here(self):
        of = object.__getattribute__(self, "_local__of")
        names = of.get(_current[0])
        if names is None:
            names = of[_current[0]] = {}
            args, kwargs = object.__getattribute__(self, "_local__with")
            self.__init__(*args, **kwargs)
        return names

    def __getattribute__(self, name):
        names = object.__getattribute__(self, "_local__here")()
        if name == "__dict__":
            return names
        if name in names:
            return names[name]
        return object.__getattribute__(self, name)

    def __setattr__(self, name, value):
        if name == "__dict__":
            raise AttributeError(f"{type(self).__name__!r} object attribute '__dict__' is read-only")
        object.__getattribute__(self, "_local__here")()[name] = value

    def __delattr__(self, name):
        names = object.__getattribute__(self, "_local__here")()
        if name not in names:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        del names[name]
