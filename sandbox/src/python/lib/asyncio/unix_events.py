"""The event loop of the sandbox: it has no sockets, and while it waits the threads run."""


import _thread
from . import base_events
from . import events

__all__ = ("SelectorEventLoop", "EventLoop")

_NOTHING = (
    "nothing can end this wait: no task, no timer and no thread can go on, "
    "and an event loop in the sandbox has no sockets to wait for"
)


class _Waits:
    """What a loop does while none of its tasks can go on."""

    def select(self, timeout=None):
        if timeout == 0:
            # Threads take part when a task gives way.
            _thread.run_others()
            return []
        if _thread.run_others():
            return []
        wakes = _thread._next_wake(None if timeout is None else _thread._now() + timeout)
        if wakes is None:
            raise RuntimeError(_NOTHING)
        pause = wakes - _thread._now()
        if pause > 0:
            _thread._native_sleep(pause)
        return []


class _SandboxEventLoop(base_events.BaseEventLoop):
    def __init__(self, selector=None):
        super().__init__()
        self._selector = _Waits()

    def _process_events(self, event_list):
        pass

    def _write_to_self(self):
        pass

    def add_signal_handler(self, sig, callback, *args):
        """Remembers nothing: no signal reaches a program."""

    def remove_signal_handler(self, sig):
        return False


class _DefaultEventLoopPolicy(events._BaseDefaultEventLoopPolicy):
    _loop_factory = _SandboxEventLoop


SelectorEventLoop = EventLoop = _SandboxEventLoop
