"""The process that works for this package, and the lines that it is spoken to with."""

from __future__ import annotations

import collections
import inspect
import json
import os
import subprocess
import tempfile
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable, TypeVar

from . import _binary
from .errors import Dialog2ApiError, RequestFailed, WorkerLost

PROTOCOL = 1
"""The number of the protocol. A program of another one is refused."""

T = TypeVar("T")
Model = Callable[[list[dict[str, str]]], str]
_INHERITED: list[Any] = []
"""Workers of the parent of a forked process: never used or ended there, only kept."""
Sink = Callable[[dict[str, Any]], None]


def then(future: Future[Any], convert: Callable[[Any], T]) -> Future[T]:
    """The future of what `convert` makes of the value of another one."""
    after: Future[T] = Future()

    def done(future: Future[Any]) -> None:
        if not after.set_running_or_notify_cancel():
            return
        try:
            after.set_result(convert(future.result()))
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits
            after.set_exception(error)

    future.add_done_callback(done)
    return after


def checked_model(model: Any) -> Model:
    """The model, if it is a function that can be asked from any thread."""
    if not callable(model):
        raise TypeError("a model is a function of messages to text, or a name")
    if inspect.iscoroutinefunction(model) or inspect.iscoroutinefunction(type(model).__call__):
        raise TypeError("an async model needs dialog2api.aio: this call awaits nothing")
    return model


def _text(model: Model, messages: list[dict[str, str]]) -> str:
    text = model(messages)
    if inspect.iscoroutine(text):
        text.close()
    if not isinstance(text, str):
        raise TypeError(f"a model returns text, not {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"the text of the model is no Unicode text: {error}") from None
    return text


def _encoded(line: dict[str, Any]) -> bytes:
    try:
        return json.dumps(line, allow_nan=False, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError as error:
        raise ValueError(f"a string of the request is no Unicode text: {error}") from None


class Worker:
    """One process. Requests may come from any thread."""

    def __init__(self, binary: str | None = None) -> None:
        # A file, and not a pipe that somebody would have to read.
        self._pid = os.getpid()
        self._said = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                [_binary.binary(binary), "worker"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
            )
        except BaseException:
            self._said.close()
            raise
        self._lock = threading.Lock()
        self._last = 0
        self.held = 0
        self.dropped: collections.deque[int] = collections.deque()
        self._waiting: dict[int, Future[Any]] = {}
        self._models: dict[int, Model] = {}
        self._early: dict[int, list[dict[str, Any]]] = collections.defaultdict(list)
        self._sinks: dict[int, Sink] = {}
        self._ended: WorkerLost | None = None
        self._closing = False
        self._asking = ThreadPoolExecutor(max_workers=32, thread_name_prefix="dialog2api-model")
        hello = self._process.stdout.readline()  # type: ignore[union-attr]
        try:
            spoken = json.loads(hello)["protocol"]
        except (ValueError, KeyError, TypeError):
            self.kill()
            said = self._last_words()
            self._let_go()
            raise WorkerLost(f"dialog2api did not begin{said}") from None
        if spoken != PROTOCOL:
            self.kill()
            self._let_go()
            raise Dialog2ApiError(
                f"this package speaks protocol {PROTOCOL} and the program {spoken}: install both anew"
            )
        self._reader = threading.Thread(target=self._read, name="dialog2api", daemon=True)
        self._reader.start()

    @property
    def is_alive(self) -> bool:
        return self._ended is None and not self._closing

    def request(self, do: str, **parameters: Any) -> Future[Any]:
        """Sends a request. The future has its value, or raises `RequestFailed` or `WorkerLost`."""
        future: Future[Any] = Future()
        self._check_process()
        while self.dropped:
            self.held -= 1
            self.request("forget", world=self.dropped.popleft())
        given = {name: value for name, value in parameters.items() if value is not None}
        _encoded(given)
        with self._lock:
            if self._ended is not None:
                future.set_exception(self._ended)
                return future
            self._last += 1
            number = self._last
            self._waiting[number] = future
            self._write({"id": number, "do": do, **given})
        return future

    def offer(self, model: Model) -> int:
        """A number by which the process can ask a function."""
        with self._lock:
            self._last += 1
            self._models[self._last] = model
            return self._last

    def answer_by(self, number: int, model: Model | None) -> None:
        """The function of a number that the process chose; `None` takes it away."""
        with self._lock:
            if model is None:
                self._models.pop(number, None)
            else:
                self._models[number] = model

    def listen(self, conversation: int, sink: Sink) -> None:
        """Passes the events of a conversation on, those that came before, too."""
        with self._lock:
            early = self._early.pop(conversation, [])
            self._sinks[conversation] = sink
            for event in early:
                sink(event)

    def _check_process(self) -> None:
        if os.getpid() != self._pid:
            raise Dialog2ApiError(
                "this belongs to the process that forked this one: open worlds and conversations here"
            )

    def end(self) -> None:
        """Ends the process without waiting for it: safe in a finalizer."""
        if os.getpid() == self._pid:
            self._closing = True
            self._process.kill()

    def close(self) -> None:
        """Ends the process."""
        if os.getpid() != self._pid:
            return
        self._closing = True
        try:
            self._process.stdin.close()  # type: ignore[union-attr]
        except OSError:
            pass
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
        self._reader.join()

    def kill(self) -> None:
        """Ends the process at once: whatever it is doing ends there."""
        if os.getpid() != self._pid:
            return
        self._closing = True
        self._process.kill()
        self._process.wait()

    def _write(self, line: dict[str, Any]) -> None:
        encoded = _encoded(line)
        try:
            self._process.stdin.write(encoded)  # type: ignore[union-attr]
            self._process.stdin.flush()  # type: ignore[union-attr]
        except (OSError, ValueError):
            # The reader notices the end, and says it to everybody who waits.
            pass

    def _read(self) -> None:
        for line in self._process.stdout:  # type: ignore[union-attr]
            try:
                self._take(json.loads(line))
            except ValueError:
                # The last line of a process that was killed while it wrote.
                self._process.kill()
                break
        code = self._process.wait()
        lost = WorkerLost(
            f"the sandbox has ended (exit code {code}), with the worlds and conversations in it"
            f"{self._last_words()}"
        )
        with self._lock:
            self._ended = lost
            waiting, self._waiting = self._waiting, {}
            sinks = list(self._sinks.values())
        for future in waiting.values():
            future.set_exception(lost)
        for sink in sinks:
            sink({"event": "lost", "message": str(lost)})
        self._let_go()

    def _take(self, line: dict[str, Any]) -> None:
        if "ask" in line:
            self._asking.submit(self._ask, line)
        elif "event" in line:
            with self._lock:
                sink = self._sinks.get(line["conversation"])
                if sink is None:
                    self._early[line["conversation"]].append(line["event"])
            if sink is not None:
                sink(line["event"])
        else:
            with self._lock:
                future = self._waiting.pop(line.get("id"), None)
            if future is None:
                if line.get("id") is None:
                    # It could not read a line. Nobody knows whose, and nobody shall wait for ever.
                    self._process.kill()
                return
            if "failed" in line:
                failed = line["failed"]
                future.set_exception(RequestFailed._of(failed))
            else:
                future.set_result(line["done"])

    def _ask(self, line: dict[str, Any]) -> None:
        with self._lock:
            model = self._models.get(line["model"])
        try:
            if model is None:
                raise LookupError("the function is not there any more")
            said = {"text": _text(model, line["request"]["messages"])}
        except BaseException as error:  # noqa: BLE001 - whatever it is, the turn has to know
            why = f"{type(error).__name__}: {error}"
            said = {"error": why.encode("utf-8", "replace").decode()}
        with self._lock:
            self._write({"answer": line["ask"], **said})

    def _let_go(self) -> None:
        for stream in (self._process.stdin, self._process.stdout, self._said):
            try:
                stream.close()  # type: ignore[union-attr]
            except OSError:
                pass
        self._asking.shutdown(wait=False, cancel_futures=True)

    def _last_words(self) -> str:
        try:
            self._said.seek(0)
            said = self._said.read()[-2000:].decode("utf-8", "replace").strip()
        except (OSError, ValueError):
            return ""
        return f": {said}" if said else ""


class Pool:
    """Some processes, each begun when it is first needed and again after it was lost."""

    def __init__(self, size: int, binary: str | None) -> None:
        if size < 1:
            raise ValueError("a pool has at least one process")
        self._binary = binary
        self._begin(size)

    def _begin(self, size: int) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._workers: list[Worker | None] = [None] * size
        self._busy = [0] * size

    def get(self) -> Worker:
        """A process: the one with the least to do. A forked process gets its own."""
        if os.getpid() != self._pid:
            _INHERITED.append((self._lock, self._workers))
            self._begin(len(self._workers))
        with self._lock:
            slot = min(range(len(self._busy)), key=self._load)
            worker = self._workers[slot]
            if worker is None or not worker.is_alive:
                worker = self._workers[slot] = Worker(self._binary)
            return worker

    def _load(self, slot: int) -> int:
        worker = self._workers[slot]
        if worker is None or not worker.is_alive:
            return self._busy[slot]
        return self._busy[slot] + worker.held - len(worker.dropped)

    def request(self, do: str, worker: Worker | None = None, **parameters: Any) -> Future[Any]:
        """Sends a request to this process, or to the one with the least to do."""
        worker = worker or self.get()
        worker._check_process()
        with self._lock:
            slots = [slot for slot, known in enumerate(self._workers) if known is worker]
            for slot in slots:
                self._busy[slot] += 1

        def done(_: Future[Any]) -> None:
            with self._lock:
                for slot in slots:
                    self._busy[slot] -= 1

        try:
            future = worker.request(do, **parameters)
        except BaseException:
            done(Future())
            raise
        future.add_done_callback(done)
        return future

    def end(self) -> None:
        """Ends the processes without waiting for them: safe in a finalizer."""
        for worker in list(self._workers):
            if worker is not None:
                worker.end()

    def close(self) -> None:
        if os.getpid() != self._pid:
            return
        with self._lock:
            workers, self._workers = self._workers, [None] * len(self._workers)
        for worker in workers:
            if worker is not None:
                worker.close()
