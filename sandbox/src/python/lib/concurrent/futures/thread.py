"""`ThreadPoolExecutor` for threads that take turns: its work runs in the order in which it
was handed in, when somebody waits for it."""

import collections
import itertools
import os
import threading
import types
import weakref

import _thread
import _turns
from concurrent.futures import _base

_executors = weakref.WeakSet()


def _python_exit():
    for executor in list(_executors):
        executor._closed = True


threading._register_atexit(_python_exit)


class BrokenThreadPool(_base.BrokenExecutor):
    """Raised when a worker thread in a ThreadPoolExecutor failed initializing."""


_Item = collections.namedtuple("_Item", "future function args kwargs")


@_turns.steps
def _work(executor):
    if executor._initializer is not None:
        try:
            yield from _turns.call(executor._initializer, *executor._initargs)
        except BaseException:
            _base.LOGGER.critical("Exception in initializer:", exc_info=True)
            executor._break()
            return
    while True:
        yield from _thread.waiting(lambda: executor._items or executor._closed)
        if not executor._items:
            return
        item = executor._items.popleft()
        if not item.future.set_running_or_notify_cancel():
            continue
        executor._idle -= 1
        try:
            result = yield from _turns.call(item.function, *item.args, **item.kwargs)
        except BaseException as error:
            item.future.set_exception(error)
        else:
            item.future.set_result(result)
        executor._idle += 1
        del item


class ThreadPoolExecutor(_base.Executor):
    BROKEN = BrokenThreadPool
    _counter = itertools.count().__next__

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=(), **ctxkwargs):
        if max_workers is None:
            max_workers = min(32, (os.process_cpu_count() or 1) + 4)
        if max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._max_workers = max_workers
        self._initializer, self._initargs = initializer, initargs
        self._thread_name_prefix = thread_name_prefix or f"ThreadPoolExecutor-{self._counter()}"
        self._items = collections.deque()
        self._threads = set()
        self._idle = 0
        self._broken = self._closed = False
        _executors.add(self)

    @property
    def _shutdown(self):
        return self._closed

    def submit(self, fn, /, *args, **kwargs):
        if self._broken:
            raise BrokenThreadPool(self._broken)
        if self._closed:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = _base.Future()
        self._items.append(_Item(future, fn, args, kwargs))
        if len(self._items) > self._idle and len(self._threads) < self._max_workers:
            name = f"{self._thread_name_prefix or self}_{len(self._threads)}"
            thread = threading.Thread(name=name, target=_work, args=(self,))
            self._threads.add(thread)
            self._idle += 1
            thread.start()
        return future

    def _break(self):
        self._broken = "A thread initializer failed, the thread pool is not usable anymore"
        while self._items:
            self._items.popleft().future.set_exception(BrokenThreadPool(self._broken))

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._closed = True
        if cancel_futures:
            while self._items:
                self._items.popleft().future.cancel()
        if wait:
            for thread in list(self._threads):
                thread.join()

    __class_getitem__ = classmethod(types.GenericAlias)
