"""Domains of one's own, which are folders."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from . import _binary


@dataclass(frozen=True)
class Domain:
    """A domain by the name or the folder that `--domain` takes."""

    name: str

    @classmethod
    def from_folder(cls, path: str | os.PathLike[str]) -> Domain:
        """The domain in a folder with a `domain.toml`."""
        folder = Path(path).resolve()
        if not (folder / "domain.toml").is_file():
            raise FileNotFoundError(f"{folder} has no domain.toml: `dialog2api domain new` makes one")
        return cls(str(folder))

    def check(self) -> str:
        """What `dialog2api domain check` says of it."""
        return _binary.run("domain", "check", self.name, may_find=True)

    def __str__(self) -> str:
        return self.name
