"""`ThreadPool` for threads that take turns. A `Pool` of processes there is not."""

import itertools
import types
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as _TimeOut

from . import TimeoutError

__all__ = ["Pool", "ThreadPool"]

RUN, CLOSE, TERMINATE = "RUN", "CLOSE", "TERMINATE"


def mapstar(args):
    return list(map(*args))


def starmapstar(args):
    return list(itertools.starmap(args[0], args[1]))


class AsyncResult:
    def __init__(self, futures, gather, callback, error_callback):
        self._futures, self._gather = futures, gather
        self._told = callback, error_callback
        self._left = len(futures)
        for future in futures:
            future.add_done_callback(self._one_done)
        if not futures:
            self._tell()

    def _one_done(self, future):
        self._left -= 1
        if not self._left:
            self._tell()

    def _tell(self):
        callback, error_callback = self._told
        error = next((f.exception() for f in self._futures if f.exception() is not None), None)
        if error is None and callback:
            callback(self._gather([future.result() for future in self._futures]))
        elif error is not None and error_callback:
            error_callback(error)

    def ready(self):
        return all(future.done() for future in self._futures)

    def successful(self):
        if not self.ready():
            raise ValueError(f"{self!r} not ready")
        return all(future.exception() is None for future in self._futures)

    def wait(self, timeout=None):
        from concurrent.futures import wait

        wait(self._futures, timeout)

    def get(self, timeout=None):
        try:
            return self._gather([future.result(timeout) for future in self._futures])
        except _TimeOut as error:
            if self.ready():
                raise
            raise TimeoutError from error


ApplyResult = MapResult = AsyncResult


class IMapIterator:
    def __init__(self, results):
        self._results = results

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._results)

    def next(self, timeout=None):
        return next(self._results)


IMapUnorderedIterator = IMapIterator


class ThreadPool:
    def __init__(self, processes=None, initializer=None, initargs=()):
        if processes is None:
            import os

            processes = os.process_cpu_count() or 1
        if processes < 1:
            raise ValueError("Number of processes must be at least 1")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._processes, self._state = processes, RUN
        self._executor = ThreadPoolExecutor(processes, "Thread", initializer, initargs)

    def _submit(self, function, *args, **kwargs):
        if self._state != RUN:
            raise ValueError("Pool not running")
        return self._executor.submit(function, *args, **kwargs)

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        return AsyncResult([self._submit(func, *args, **kwds)], lambda found: found[0], callback, error_callback)

    def apply(self, func, args=(), kwds={}):
        return self.apply_async(func, args, kwds).get()

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        futures = [self._submit(func, item) for item in iterable]
        return AsyncResult(futures, list, callback, error_callback)

    def map(self, func, iterable, chunksize=None):
        return self.map_async(func, iterable).get()

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        futures = [self._submit(func, *item) for item in iterable]
        return AsyncResult(futures, list, callback, error_callback)

    def starmap(self, func, iterable, chunksize=None):
        return self.starmap_async(func, iterable).get()

    def imap(self, func, iterable, chunksize=1):
        futures = [self._submit(func, item) for item in iterable]
        return IMapIterator(future.result() for future in futures)

    imap_unordered = imap

    def close(self):
        if self._state == RUN:
            self._state = CLOSE

    def terminate(self):
        self._state = TERMINATE
        self._executor.shutdown(wait=False, cancel_futures=True)

    def join(self):
        if self._state == RUN:
            raise ValueError("Pool is still running")
        self._executor.shutdown(wait=True)

    def __enter__(self):
        if self._state != RUN:
            raise ValueError("Pool not running")
        return self

    def __exit__(self, *_):
        self.terminate()

    def __repr__(self):
        return f"<{type(self).__module__}.{type(self).__qualname__} state={self._state} pool_size={self._processes}>"

    __class_getitem__ = classmethod(types.GenericAlias)


class Pool:
    def __init__(self, *args, **kwargs):
        raise PermissionError(
            1, "programs cannot start processes in the sandbox; multiprocessing.pool.ThreadPool has the same methods"
        )
