"""Annotated dialogues: their rows, and their programs run again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from . import _binary
from .domain import Domain


@dataclass(frozen=True)
class Replay:
    """A dialogue whose programs ran again. `report` is the line of `dialog2api replay --json`."""

    report: Mapping[str, Any]

    @property
    def path(self) -> str:
        return str(self.report["path"])

    @property
    def matches(self) -> bool:
        """Whether everything is as it was recorded."""
        return bool(self.report["matches"])

    @property
    def differences(self) -> list[str]:
        return list(self.report.get("differences", [self.report.get("error")]))


def replay(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *,
    domain: str | Domain = "s3",
) -> list[Replay]:
    """Runs the programs of recorded dialogues again: files, folders, or whole datasets."""
    named = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    arguments = ["--domain", str(domain), "replay", "--json", *map(os.fspath, named)]
    return [Replay(line) for line in _binary.lines(*arguments, may_find=True)]


def load_dataset(
    path: str | os.PathLike[str], split: str | None = None, *, domain: str | Domain = "s3",
) -> list[dict[str, Any]]:
    """The rows of a dataset, one a turn. `split` is `train` or `test`; both where it is none."""
    chosen = [] if split is None else ["--split", split]
    return _binary.lines(
        "--domain", str(domain), "dataset", "export", "--format", "rows", *chosen, os.fspath(path)
    )
