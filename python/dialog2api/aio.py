"""The same for `asyncio`: nothing here blocks the loop."""

from __future__ import annotations

import asyncio
import inspect
import os
from concurrent.futures import Future
from typing import Any, AsyncIterator, Mapping, TypeVar

from . import conversation as _conversation
from . import sandbox as _sandbox
from ._worker import Model, Pool
from .conversation import Approve, Event, Plan, Turn, check_approve, check_decision
from .domain import Domain
from .errors import WorkerLost
from .evaluation import Evaluation
from .evaluation import begin as _begin
from .sandbox import Changes, Link, ProgramError, Result

__all__ = ["Conversation", "Sandbox", "World", "evaluate"]

T = TypeVar("T")


async def _of(future: Future[T]) -> T:
    return await asyncio.wrap_future(future)


def _asked_here(model: Any) -> Any:
    """An async model as a function for other threads: this loop awaits it."""
    if isinstance(model, str) or not (
        inspect.iscoroutinefunction(model) or inspect.iscoroutinefunction(type(model).__call__)
    ):
        return model
    loop = asyncio.get_running_loop()
    name = getattr(model, "__name__", type(model).__name__)

    def ask(messages: list[dict[str, str]]) -> str:
        return asyncio.run_coroutine_threadsafe(model(messages), loop).result()

    ask.__name__ = name
    return ask


class World:
    """As `dialog2api.World`."""

    def __init__(self, inner: _sandbox.World) -> None:
        self.inner = inner

    async def fork(self) -> World:
        return World(await _of(self.inner._fork()))

    async def diff(self, later: World) -> Changes:
        return await _of(self.inner._diff(later.inner))

    async def signature(self) -> str:
        return await _of(self.inner._worker.request("signature", world=self.inner._number))

    async def json(self) -> Any:
        return await _of(self.inner._worker.request("content", world=self.inner._number))

    async def close(self) -> None:
        await asyncio.to_thread(self.inner.close)

    def __repr__(self) -> str:
        return repr(self.inner)


class Sandbox:
    """As `dialog2api.Sandbox`: `async with Sandbox(pool=4) as sandbox`."""

    def __init__(
        self, domain: str | Domain = "s3", *, pool: int = 1,
        binary: str | os.PathLike[str] | None = None,
    ) -> None:
        self.inner = _sandbox.Sandbox(domain, pool=pool, binary=binary)

    async def run(
        self, program: str, world: World | str | None = None, *, timeout: float | None = None,
        **options: Any,
    ) -> Result:
        """As `dialog2api.Sandbox.run`. To cancel it ends the process of the program."""
        place = world.inner if isinstance(world, World) else world
        usual = dict.fromkeys(("now", "deadline", "fuel", "memory", "calls"))
        running, worker = self.inner._run(program, place, **{**usual, **options})
        try:
            return await asyncio.wait_for(_of(running), timeout)
        except asyncio.TimeoutError:
            worker.kill()
            raise WorkerLost(f"the program did not end within {timeout} s, and was ended") from None
        except asyncio.CancelledError:
            worker.kill()
            raise

    async def check(self, program: str) -> ProgramError | None:
        return await _of(self.inner._check(program))

    async def world(self, name: str | None = None, **options: str) -> World:
        return World(await _of(self.inner._world(name, options)))

    async def world_from(self, data: Mapping[str, Any]) -> World:
        return World(await _of(self.inner._world_from(data)))

    async def close(self) -> None:
        await asyncio.to_thread(self.inner.close)

    async def __aenter__(self) -> Sandbox:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Conversation:
    """As `dialog2api.Conversation`: `await Conversation.open(model, …)`."""

    def __init__(self, inner: _conversation.Conversation) -> None:
        self.inner = inner

    @classmethod
    async def open(cls, model: Model | str, world: World | str | None = None, **options: Any) -> Conversation:
        place = world.inner if isinstance(world, World) else world
        sandbox = options.pop("sandbox", None)
        if sandbox is not None:
            options["sandbox"] = sandbox.inner
        opened = await asyncio.to_thread(_conversation.Conversation, _asked_here(model), place, **options)
        return cls(opened)

    @property
    def last(self) -> Turn | None:
        return self.inner.last

    @property
    def links(self) -> list[Link]:
        return self.inner.links

    async def say(self, text: str) -> AsyncIterator[Event]:
        """The events of a turn, as in `dialog2api.Conversation.say`."""
        events = self.inner.say(text)
        end = object()
        try:
            while (event := await self._next(events, end)) is not end:
                yield event  # type: ignore[misc]
        finally:
            await asyncio.to_thread(events.close)  # type: ignore[attr-defined]

    async def _next(self, events: Any, end: object) -> Any:
        waiting = asyncio.ensure_future(asyncio.to_thread(next, events, end))
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            # Again and again: the turn may not have begun when the first one comes.
            while not waiting.done():
                self.inner._worker.request("cancel", conversation=self.inner._number)
                await asyncio.wait({waiting}, timeout=0.2)
            waiting.exception()
            raise

    async def ask(self, text: str, approve: Approve = False) -> Turn:
        check_approve(approve)
        events = self.say(text)
        try:
            async for event in events:
                if isinstance(event, Plan):
                    yes = approve(event) if callable(approve) else approve
                    if inspect.isawaitable(yes):
                        yes = await yes
                    await asyncio.to_thread(event._answer, check_decision(yes))
        finally:
            await events.aclose()  # type: ignore[attr-defined]
        assert self.inner.last is not None
        return self.inner.last

    async def forms(self) -> str | None:
        return await asyncio.to_thread(self.inner.forms)

    async def close(self) -> None:
        await asyncio.to_thread(self.inner.close)

    async def __aenter__(self) -> Conversation:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def evaluate(
    model: Model | str, *, out: str | os.PathLike[str], domain: str | Domain = "s3",
    name: str | None = None, split: str = "test", **options: Any,
) -> Evaluation:
    """As `dialog2api.evaluate`, with a folder for the log."""
    pool = Pool(1, None)
    try:
        return await _of(_begin(pool, _asked_here(model), out, domain=domain, name=name, split=split, **options))
    finally:
        await asyncio.to_thread(pool.close)
