"""Signals, of which none reaches a program: handlers are kept and never called."""

NSIG = 65
SIG_DFL, SIG_IGN = 0, 1
SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK = 0, 1, 2
ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF = 0, 1, 2
(
    SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGUSR1, SIGSEGV,
    SIGUSR2, SIGPIPE, SIGALRM, SIGTERM,
) = range(1, 16)
SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU = range(17, 23)
SIGIOT, SIGCLD = SIGABRT, SIGCHLD
SIGURG, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGWINCH, SIGIO, SIGPWR, SIGSYS = range(23, 32)


class ItimerError(OSError):
    pass


ItimerError.__module__ = "signal"


def default_int_handler(signalnum, frame, /):
    raise KeyboardInterrupt


_handlers = {SIGINT: default_int_handler}


def _number(signalnum):
    if not 1 <= signalnum < NSIG:
        raise ValueError("signal number out of range")
    return signalnum


def signal(signalnum, handler, /):
    if not callable(handler) and handler not in (SIG_DFL, SIG_IGN):
        raise TypeError("signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object")
    if _number(signalnum) in (SIGKILL, SIGSTOP):
        raise OSError(22, "Invalid argument")
    before = _handlers.get(signalnum, SIG_DFL)
    _handlers[signalnum] = handler
    return before


def getsignal(signalnum, /):
    return _handlers.get(_number(signalnum), SIG_DFL)


def strsignal(signalnum, /):
    return None


def valid_signals():
    return set(range(1, NSIG))


def set_wakeup_fd(fd, /, *, warn_on_full_buffer=True):
    return -1


def siginterrupt(signalnum, flag, /):
    _number(signalnum)


def raise_signal(signalnum, /):
    handler = getsignal(signalnum)
    if callable(handler):
        handler(signalnum, None)
    elif handler == SIG_DFL and signalnum not in (SIGCHLD, SIGCONT, SIGURG, SIGWINCH):
        raise SystemExit(128 + signalnum)


def _refuse(name):
    def refuse(*args, **kwargs):
        raise PermissionError(1, f"signal.{name} is not available in the sandbox")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


alarm, setitimer, getitimer, pause = map(_refuse, ("alarm", "setitimer", "getitimer", "pause"))
pthread_kill = _refuse("pthread_kill")
