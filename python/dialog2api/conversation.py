"""Conversations with an agent, and its plans."""

from __future__ import annotations

import html
import inspect
import os
import queue
import tempfile
import threading
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Mapping, Union

from ._worker import Model, Worker, checked_model
from .domain import Domain
from .errors import RequestFailed, WorkerLost
from .sandbox import Change, Link, Sandbox, World

Approve = Union[bool, Callable[["Plan"], bool]]


def check_approve(approve: Any) -> None:
    """Refuses what is neither `True` or `False` nor a function."""
    if not isinstance(approve, bool) and not callable(approve):
        raise TypeError(f"approve is True, False or a function of a plan, not {approve!r}")


def check_decision(yes: Any) -> bool:
    """What a function answered about a plan, which is `True` or `False`."""
    if inspect.iscoroutine(yes):
        yes.close()
        raise TypeError("an async approve needs dialog2api.aio: this call awaits nothing")
    if not isinstance(yes, bool):
        raise TypeError(f"approve returns True or False, not {yes!r}")
    return yes


@dataclass(frozen=True)
class Event:
    """Something that happened. `kind` is its name, `data` what it says: of a `note` its `text`, of a
    `link` what `Link` has."""

    kind: str
    data: Mapping[str, Any]


class Plan(Event):
    """A plan that waits for `apply()` or `decline()`. Whoever asks for the next event without
    either has declined it."""

    def __init__(self, data: Mapping[str, Any], decide: Callable[[int, bool], None]) -> None:
        super().__init__("plan", data)
        object.__setattr__(self, "_decide", decide)
        object.__setattr__(self, "decided", False)

    decided: bool

    @property
    def number(self) -> int:
        return int(self.data["plan"])

    @property
    def effects(self) -> list[Mapping[str, Any]]:
        """The effect on each place, as JSON."""
        return list(self.data["effects"])

    def apply(self) -> None:
        self._answer(True)

    def decline(self) -> None:
        self._answer(False)

    def _answer(self, apply: bool) -> None:
        if self.decided:
            raise RequestFailed("usage", f"plan {self.number} was answered already")
        object.__setattr__(self, "decided", True)
        self._decide(self.number, apply)  # type: ignore[attr-defined]

    def __str__(self) -> str:
        """The plan as a terminal shows it."""
        return str(self.data["text"])

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


@dataclass(frozen=True)
class Turn:
    """A turn that ended. `data` is the whole of it."""

    data: Mapping[str, Any]

    @property
    def user(self) -> str:
        return str(self.data["user"])

    @property
    def reply(self) -> str | None:
        """What the agent said; none if the turn was stopped."""
        replied = self.data["end"].get("replied")
        return None if replied is None else str(replied["text"])

    @property
    def failure(self) -> str | None:
        """Why the turn, or its reply, failed."""
        replied = self.data["end"].get("replied")
        return None if replied is None else replied["failure"]

    @property
    def changes(self) -> list[Change]:
        changes = self.data["changes"]
        return [Change(it["kind"], it["line"], it["details"]) for it in changes]


class Conversation:
    """A conversation in a world. `model` is a function of messages to text, or a name as for
    `dialog2api chat --model`.

    >>> with Conversation(my_model, world="zoology") as conversation:   # doctest: +SKIP
    ...     for event in conversation.say("make a bucket my-attic"):
    ...         if isinstance(event, Plan):
    ...             event.apply()
    ...     print(conversation.last.reply)

    `policy` is the text of a policy; `mode` is `confirm`, `auto` or `read-only`. Without `session`
    nothing is kept after it. `links` are the links that its programs have signed, the latest last.
    """

    def __init__(
        self, model: Model | str, world: World | str | None = None, *,
        domain: str | Domain = "s3", policy: str | None = None, mode: str | None = None,
        session: str | None = None, sessions: str | os.PathLike[str] | None = None,
        base_url: str | None = None, seed: int = 0, sandbox: Sandbox | None = None,
    ) -> None:
        if not isinstance(model, str):
            checked_model(model)
        self._closed = False
        self._turn = threading.Lock()
        self._own = None if sandbox or isinstance(world, World) else Sandbox(domain)
        try:
            self._open(model, world, sandbox or self._own, policy, mode, session, sessions, base_url, seed)
        except BaseException:
            if self._own is not None:
                self._own.close()
            raise

    def _open(
        self, model: Model | str, world: World | str | None, sandbox: Sandbox | None,
        policy: str | None, mode: str | None, session: str | None,
        sessions: str | os.PathLike[str] | None, base_url: str | None, seed: int,
    ) -> None:
        if not isinstance(world, World):
            world = sandbox.world(world)  # type: ignore[union-attr]
        self.world = world
        self._worker: Worker = world._worker
        self._folder = None
        if session is None and sessions is None:
            self._folder = tempfile.TemporaryDirectory(prefix="dialog2api-")
            sessions = self._folder.name
        named = model if isinstance(model, str) else None
        opened = self._worker.request(
            "open", world=world._number, model=named, base_url=base_url, policy=policy, mode=mode,
            session=session, sessions=None if sessions is None else os.fspath(sessions), seed=seed,
        ).result()
        self._number: int = opened["conversation"]
        self.session: str = opened["session"]["session"]
        if not isinstance(model, str):
            self._worker.answer_by(self._number, model)
        self._events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._worker.listen(self._number, self._events.put)
        self.last: Turn | None = None
        self.links: list[Link] = []

    def say(self, text: str) -> Iterator[Event]:
        """Says something, and gives the events of the turn until it ends; then `last` is the turn.
        Whoever leaves the loop early ends the turn."""
        return self._follow("say", text=text)

    def ask(self, text: str, approve: Approve = False) -> Turn:
        """Says something, answers each plan by `approve`, and gives the turn."""
        self._answer_all(self.say(text), approve)
        assert self.last is not None
        return self.last

    def undo(self, plan: int | None = None, approve: Approve = False) -> Mapping[str, Any]:
        """Takes back what the last program did, or the plan of this number."""
        self._answer_all(self._follow("undo", plan=plan), approve)
        return self._done

    def transcript(self) -> str:
        """The dialogue so far, in the exchange format."""
        return self._worker.request("transcript", conversation=self._number).result()

    def forms(self) -> str | None:
        """The forms of a domain with worksheets, for people: what is filled in, what is missing, and
        why the agent asked what it asked. None for other domains."""
        return self._worker.request("forms", conversation=self._number).result()

    def cancel(self) -> None:
        """Ends what is under way."""
        self._worker.request("cancel", conversation=self._number).result()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self._worker.request("close", conversation=self._number).result()
        except WorkerLost:
            pass
        if self._own is not None:
            self._own.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer_all(self, events: Iterator[Event], approve: Approve) -> None:
        check_approve(approve)
        for event in events:
            if isinstance(event, Plan):
                event._answer(check_decision(approve(event) if callable(approve) else approve))

    def _follow(self, do: str, **parameters: Any) -> Iterator[Event]:
        if not self._turn.acquire(blocking=False):
            raise RequestFailed(
                "usage",
                "a turn is under way in this conversation: go through its events to the end, or leave"
                " its loop, first",
            )
        try:
            yield from self._events_of(do, **parameters)
        finally:
            self._turn.release()

    def _events_of(self, do: str, **parameters: Any) -> Iterator[Event]:
        work = self._worker.request(do, conversation=self._number, **parameters)
        # The end comes after all events.
        work.add_done_callback(lambda _: self._events.put({"event": None}))
        ended = False
        try:
            while True:
                data = self._events.get()
                if data["event"] is None:
                    ended = True
                    break
                event = self._event(data)
                yield event
                if isinstance(event, Plan) and not event.decided:
                    event.decline()
        finally:
            if not ended:
                self._worker.request("cancel", conversation=self._number)
                while not ended:
                    ended = self._events.get()["event"] is None
        self._done = work.result()
        if do == "say":
            self.last = Turn(self._done)

    def _event(self, data: dict[str, Any]) -> Event:
        if data["event"] == "plan":
            return Plan(data, self._decide)
        if data["event"] == "link":
            self.links.append(Link._of(data))
        if data["event"] == "costly":
            # Nobody was asked who could say yes.
            self._worker.request("go_on", conversation=self._number, go_on=False)
        return Event(data["event"], data)

    def _decide(self, plan: int, apply: bool) -> None:
        decided = self._worker.request("decide", conversation=self._number, plan=plan, apply=apply)
        decided.result()
