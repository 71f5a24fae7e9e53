"""Worlds, and programs in them."""

from __future__ import annotations

import base64
import html
import os
import weakref
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Mapping

from ._worker import Pool, Worker, then
from .domain import Domain
from .errors import ProgramFailed, RequestFailed, WorkerLost


@dataclass(frozen=True)
class Call:
    """A call that a program made. `error` is the code of the refusal, if it was refused."""

    operation: str
    error: str | None


@dataclass(frozen=True)
class ProgramError:
    """Why a program ended early: the name of the exception, or of the limit that it broke."""

    error: str
    message: str
    traceback: str | None


@dataclass(frozen=True)
class Change:
    """The net effect on one thing of a world. `str` gives its line: `+ bucket/key (5 bytes)`."""

    kind: str
    line: str
    details: Mapping[str, Any]

    def __str__(self) -> str:
        return self.line


@dataclass(frozen=True)
class Link:
    """A link that a program signed, for a person: whoever has it can use it. Programs and models have
    a form of it that does not work. `method` is that of the request where it is not `GET`; the request
    must have these headers, and a form these fields before the file."""

    about: str
    url: str = field(repr=False)
    method: str | None
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    fields: tuple[tuple[str, str], ...] = field(repr=False)

    @classmethod
    def _of(cls, told: Mapping[str, Any]) -> Link:
        pairs = {name: tuple((key, value) for key, value in told[name]) for name in ("headers", "fields")}
        return cls(told["about"], told["url"], told["method"], **pairs)


class Changes(list[Change]):
    """Changes, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td><code>{html.escape(it.line)}</code></td></tr>" for it in self)
        return f"<table>{rows or '<tr><td>no difference</td></tr>'}</table>"


@dataclass(frozen=True)
class Result:
    """What came of a program. `ended_by` is `program` or `limit`: a program cannot forge it. `notes` are
    what to know of its world, and `links` what was signed, unless a conversation has told them."""

    value: Any
    error: ProgramError | None
    calls: tuple[Call, ...]
    signature: str | None
    output: str
    ms: float
    ended_by: str
    notes: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()

    @property
    def ok(self) -> bool:
        return self.error is None

    def unwrap(self) -> Any:
        """The value; raises `ProgramFailed` where there is none."""
        if self.error is not None:
            raise ProgramFailed(self.error.error, self.error.message, self.error.traceback)
        return self.value

    @classmethod
    def _of(cls, done: dict[str, Any]) -> Result:
        error = done["error"]
        return cls(
            value=done["result"],
            error=None if error is None else ProgramError(**error),
            calls=tuple(Call(**call) for call in done["calls"]),
            signature=done["signature"],
            output=done["output"],
            ms=done["elapsed"] * 1000,
            ended_by=done["ended_by"],
            notes=tuple(done["notes"]),
            links=tuple(Link._of(told) for told in done["links"]),
        )


class Sandbox:
    """Runs programs of a domain. `pool` is how many processes share the work.

    The first one prepares the sandbox when it is first used, which takes about a minute once and
    is kept on the disk.
    """

    def __init__(
        self, domain: str | Domain = "s3", *, pool: int = 1,
        binary: str | os.PathLike[str] | None = None,
    ) -> None:
        self.domain = str(domain)
        self._pool = Pool(pool, None if binary is None else os.fspath(binary))
        weakref.finalize(self, self._pool.end).atexit = False

    def run(
        self, program: str, world: World | str | None = None, *, seed: int = 0,
        now: datetime | str | None = None, deadline: float | None = None,
        fuel: int | None = None, memory: int | None = None, calls: int | None = None,
        policy: str | None = None, sign: bool | None = None, timeout: float | None = None,
    ) -> Result:
        """Runs a program: a Python module in which `return` at the top gives the result. In a
        `World` its changes stay; a name means a fresh copy of an initial world, and none the
        first one.

        `deadline` (seconds of its own work), `fuel`, `memory` (bytes) and `calls` limit it. After
        `timeout` seconds, whatever it waits for, its process is ended, and `WorkerLost` is raised.
        """
        running, worker = self._run(
            program, world, seed=seed, now=now, deadline=deadline, fuel=fuel, memory=memory,
            calls=calls, policy=policy, sign=sign,
        )
        try:
            return running.result(timeout)
        except FutureTimeout:
            worker.kill()
            raise WorkerLost(f"the program did not end within {timeout} s, and was ended") from None

    def _run(
        self, program: str, world: World | str | None, *, now: datetime | str | None,
        deadline: float | None, fuel: int | None, memory: int | None, calls: int | None,
        **parameters: Any,
    ) -> tuple[Future[Result], Worker]:
        unknown = parameters.keys() - {"seed", "policy", "sign"}
        if unknown:
            raise TypeError(f"no options of a run: {', '.join(sorted(unknown))}")
        if isinstance(now, datetime) and now.tzinfo is None:
            raise ValueError("now has no time zone: give it one, such as datetime.timezone.utc")
        limits = {"deadline": deadline, "fuel": fuel, "memory": memory, "calls": calls}
        if isinstance(world, World):
            worker, place = world._worker, world._number
        else:
            worker, place = self._pool.get(), world
        running = self._pool.request(
            "run", worker, program=program, world=place, domain=self.domain,
            limits={name: value for name, value in limits.items() if value is not None},
            now=now.isoformat() if isinstance(now, datetime) else now, **parameters,
        )
        return then(running, Result._of), worker

    def check(self, program: str) -> ProgramError | None:
        """The syntax error of a program, if it has one."""
        return self._check(program).result()

    def _check(self, program: str) -> Future[ProgramError | None]:
        checked = self._pool.request("check", program=program, domain=self.domain)
        return then(checked, lambda it: None if it is None else ProgramError(**it, traceback=None))

    def world(self, name: str | None = None, **options: str) -> World:
        """Opens a world as the command line does: a built-in one, a description, a folder, `s3`.
        `options` are those of the command line: `endpoint_url="http://…"`."""
        return self._world(name, options).result()

    def _world(self, name: str | None, options: Mapping[str, str]) -> Future[World]:
        worker = self._pool.get()
        given = {option.replace("_", "-"): value for option, value in options.items()}
        opened = self._pool.request("world", worker, name=name, options=given, domain=self.domain)
        return then(opened, lambda it: World(worker, it, self))

    def world_from(self, data: Mapping[str, Any]) -> World:
        """A world in memory with this content: for S3 `{"bucket": {"key": "text" or bytes}}` or
        what a description file says, for a domain in a folder its state."""
        return self._world_from(data).result()

    def _world_from(self, data: Mapping[str, Any]) -> Future[World]:
        worker = self._pool.get()
        content = _described(data) if self.domain == "s3" else data
        opened = self._pool.request("world", worker, data=content, domain=self.domain)
        return then(opened, lambda it: World(worker, it, self))

    def prepare(self) -> None:
        """Prepares the sandbox ahead of the first program."""
        self._pool.request("prepare", domain=self.domain).result()

    def close(self) -> None:
        self._pool.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class World:
    """One state, in the process that opened it. Programs that run in it change it."""

    def __init__(self, worker: Worker, opened: dict[str, Any], sandbox: Sandbox) -> None:
        self._worker = worker
        self._sandbox = sandbox
        worker.held += 1
        self._number: int = opened["world"]
        self._about: str = opened["describe"]
        # It is forgotten with the next request: a finalizer may run while a line is written.
        self._drop = weakref.finalize(self, worker.dropped.append, self._number)
        self._drop.atexit = False

    @classmethod
    def from_json(cls, data: Mapping[str, Any], sandbox: Sandbox | None = None) -> World:
        """As `Sandbox.world_from`, in a sandbox of its own where none is given."""
        return (sandbox or Sandbox()).world_from(data)

    def fork(self) -> World:
        """A copy that changes independently."""
        return self._fork().result()

    def _fork(self) -> Future[World]:
        forked = self._worker.request("fork", world=self._number)
        return then(forked, lambda it: World(self._worker, it, self._sandbox))

    def diff(self, later: World) -> Changes:
        """What leads from this world to the other one."""
        return self._diff(later).result()

    def _diff(self, later: World) -> Future[Changes]:
        if later._worker is not self._worker:
            raise ValueError("worlds of two processes cannot be compared: use one sandbox, pool=1")
        diff = self._worker.request("diff", world=self._number, other=later._number)
        return then(diff, lambda it: Changes(
            Change(change["kind"], change["line"], change["details"]) for change in it
        ))

    def signature(self) -> str:
        """The signature of its state, eight hexadecimal digits."""
        return self._worker.request("signature", world=self._number).result()

    def json(self) -> Any:
        """What is in it, as `dialog2api world show --json` prints it."""
        return self._worker.request("content", world=self._number).result()

    def close(self) -> None:
        """Forgets it: a folder can be opened by others then."""
        if self._drop.detach() and self._worker.is_alive:
            self._worker.held -= 1
            self._worker.request("forget", world=self._number).result()

    def __repr__(self) -> str:
        return f"<World: {self._about}>"


def _described(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Buckets by name as a description has them; a description stays what it is."""
    if not isinstance(data, Mapping):
        raise RequestFailed("usage", "a world is described by a mapping from buckets to their objects")
    if isinstance(data.get("bucket"), list) or not data:
        return data

    def thing(key: str, content: Any) -> dict[str, Any]:
        if isinstance(content, bytes):
            return {"key": key, "base64": base64.b64encode(content).decode()}
        if isinstance(content, str):
            return {"key": key, "text": content}
        if isinstance(content, Mapping):
            return {"key": key, **content}
        raise RequestFailed("usage", f"the object {key!r} is described by text, bytes or a mapping")

    for name, things in data.items():
        if not isinstance(things, Mapping):
            raise RequestFailed(
                "usage", f"the bucket {name!r} is described by a mapping from keys to objects"
            )
    return {"bucket": [
        {"name": name, "object": [thing(key, content) for key, content in things.items()]}
        for name, things in data.items()
    ]}
