"""Decision games step by step: `dialog2api game serve` as a class.

>>> from dialog2api.games import Game
>>> with Game("planning") as game:
...     seen = game.reset(seed=7)
...     step = game.step("user", "[message] Hi! I like parks.")
...     step.observation["agent"], step.movers, step.done
('User: [message] Hi! I like parks.', ['agent'], False)
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import weakref
from dataclasses import dataclass
from typing import Any, Mapping

from . import _binary
from .errors import RequestFailed, WorkerLost


@dataclass(frozen=True)
class Step:
    """What a turn did. A turn that is not legal changes nothing: `code` says why."""

    observation: dict[str, str]
    """What each seat reads now, by its name; empty where it reads nothing new."""
    movers: list[str]
    """The seats that may make a turn."""
    done: bool
    info: Mapping[str, Any]
    """moves, words; code, of a refusal; at the end how it ended, score, best, worst and norm."""

    @property
    def code(self) -> str | None:
        return self.info.get("code")

    @property
    def norm(self) -> float | None:
        """The scaled score of the decision; `None` as long as there is none."""
        return self.info.get("norm")


def _end(process: subprocess.Popen[str]) -> None:
    for stream in (process.stdin, process.stdout):
        try:
            stream.close()  # type: ignore[union-attr]
        except OSError:
            pass
    process.wait()


class _Process:
    """One `dialog2api game serve`, for a game and its forks."""

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        own = [] if folder is None else [os.fspath(folder)]
        self._process = subprocess.Popen(
            [_binary.binary(), "game", "serve", "--", *own], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, encoding="utf-8",
        )
        self._end = weakref.finalize(self, _end, self._process)
        self._lock = threading.Lock()
        self.games = 0

    def ask(self, **request: Any) -> dict[str, Any]:
        line = json.dumps(request, allow_nan=False)
        with self._lock:
            try:
                self._process.stdin.write(line + "\n")  # type: ignore[union-attr]
                self._process.stdin.flush()  # type: ignore[union-attr]
                answer = self._process.stdout.readline()  # type: ignore[union-attr]
            except (OSError, ValueError):
                answer = ""
        if not answer.endswith("\n"):
            raise WorkerLost("the process of the game has ended: this game is no sample")
        found = json.loads(answer)
        if "error" in found:
            raise RequestFailed("usage", found["error"])
        return found

    def close(self) -> None:
        self._end()


class Game:
    """A game of one kind. `reset` begins one; turns are text, as `dialog2api game --help` says.

    `WorkerLost` is a failure of ours, and such a game is no sample of anybody's play.
    """

    def __init__(
        self, game: str, *, folder: str | os.PathLike[str] | None = None, **options: Any,
    ) -> None:
        """A game of your own is in a folder. Options are those of `reset` in `dialog2api game serve`:
        rules, order, limits, partners, language."""
        self.kind, self._options, self._folder = game, options, folder
        self._process: _Process | None = None
        self._id: int | None = None
        self.seats: list[str] = []
        self.movers: list[str] = []

    def reset(
        self, seed: int | None = None, *, world: Mapping[str, Any] | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> dict[str, str]:
        """Begins a game from a seed, a world or a state, which has its options. Gives what each seat reads."""
        given = {"seed": seed, "world": world, "state": state}
        chosen = {name: value for name, value in given.items() if value is not None}
        if len(chosen) != 1:
            raise ValueError("reset takes one of seed, world and state")
        self._forget()
        process = self._process = self._process or _Process(self._folder)
        begun = process.ask(op="reset", game=self.kind, **self._options, **chosen)
        process.games += 1
        self._id, self.seats, self.movers = begun["id"], begun["seats"], begun["movers"]
        return begun["observation"]

    def step(self, seat: str, text: str) -> Step:
        """Makes a turn."""
        answer = self._ask("step", seat=seat, text=text)
        self.movers = answer["movers"]
        return Step(answer["observation"], answer["movers"], answer["done"], answer["info"])

    def fork(self) -> Game:
        """A copy that goes its own way."""
        copy = Game(self.kind, folder=self._folder, **self._options)
        copy._id = self._ask("fork")["id"]
        copy._process, copy.seats, copy.movers = self._process, self.seats, self.movers
        copy._process.games += 1  # type: ignore[union-attr]
        return copy

    def state(self) -> dict[str, Any]:
        """All of the game as JSON: `reset(state=…)` gives the same game again."""
        return self._ask("state")["state"]

    def close(self) -> None:
        """Ends the game; with the last one, its process ends."""
        process = self._process
        if process is not None:
            self._forget()
            self._process = None
            if process.games == 0:
                process.close()

    def _forget(self) -> None:
        if self._process is not None and self._id is not None:
            number, self._id = self._id, None
            self._process.games -= 1
            try:
                self._process.ask(op="close", id=number)
            except WorkerLost:
                pass

    def _ask(self, op: str, **parameters: Any) -> dict[str, Any]:
        if self._process is None or self._id is None:
            raise RequestFailed("usage", "no game has begun: call reset first")
        return self._process.ask(op=op, id=self._id, **parameters)

    def __enter__(self) -> Game:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
