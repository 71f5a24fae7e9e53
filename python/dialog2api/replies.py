"""What replies claim about rows, and whether it is so."""

from __future__ import annotations

import functools
import html
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from ._worker import Pool


@dataclass(frozen=True)
class Claims:
    """The claims of a reply; each has a `verdict` and why. `report` is the whole of
    `dialog2api claims`."""

    report: Mapping[str, Any]

    @property
    def claims(self) -> list[Mapping[str, Any]]:
        return list(self.report["claims"])

    @property
    def wrong(self) -> list[Mapping[str, Any]]:
        """Those that are false, or leave something out."""
        return [claim for claim in self.claims if claim["verdict"] in ("false", "incomplete")]

    def __bool__(self) -> bool:
        """Whether nothing in it is wrong."""
        return not self.wrong

    def _repr_html_(self) -> str:
        columns = ("kind", "about", "slot", "values", "verdict", "row")
        head = "".join(f"<th>{name}</th>" for name in columns)

        def cell(it: Any) -> str:
            said = ", ".join(map(str, it)) if isinstance(it, list) else str("" if it is None else it)
            return f"<td>{html.escape(said)}</td>"

        rows = "".join(
            "<tr>" + "".join(cell(it.get(name)) for name in columns) + "</tr>" for it in self.claims
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


@functools.cache
def _pool() -> Pool:
    return Pool(1, None)


def claims(
    reply: str, rows: Sequence[Mapping[str, Any]], *, schema: Mapping[str, Any] | None = None,
    language: str = "en",
) -> Claims:
    """Checks what a reply claims about rows, such as those of a database. `schema` says what the
    rows are about (by default restaurants)."""
    asked = _pool().request(
        "claims", reply=reply, rows=[dict(row) for row in rows], schema=schema, language=language,
    )
    return Claims(asked.result())
