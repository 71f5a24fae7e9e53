"""Evaluations of models on annotated dialogues."""

from __future__ import annotations

import html
import json
import os
import tempfile
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping

from . import _binary
from ._worker import Model, Pool, checked_model, then
from .domain import Domain

_COLUMNS = ("dialogue", "epoch", "turn", "user", "matches", "failure", "signature", "truth")

_OPTIONS = {
    "alpha", "assist", "base_url", "concurrency", "dataset", "epochs", "examples", "form", "k",
    "limit", "mode", "resamples", "resume", "seed", "setting", "shard", "temperature",
}


@dataclass(frozen=True)
class Evaluation:
    """The figures of a run and its log. `score` is what `dialog2api score --json` prints."""

    out: Path
    score: Mapping[str, Any] | None
    unfinished: list[Mapping[str, Any]]

    @property
    def emr(self) -> float | None:
        """The execution match ratio, 0 to 1; none where no dialogue is finished."""
        return None if self.score is None else self.score["emr"]

    @property
    def figures(self) -> dict[str, Any]:
        """The figures by name, each with `value` and its interval."""
        return {} if self.score is None else {it["name"]: it for it in self.score["metrics"]}

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The turns of the log, in short: a row each, with the columns of `frame`."""
        with open(self.out / "log.jsonl", encoding="utf-8") as log:
            return [_row(json.loads(line)) for line in log]

    def frame(self) -> Any:
        """The turns as a table of pandas."""
        import pandas

        return pandas.DataFrame(self.turns, columns=list(_COLUMNS))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(str(row[name]))}</td>" for name in _COLUMNS) + "</tr>"
            for row in self.turns[:100]
        )
        emr = "unknown" if self.emr is None else f"{100 * self.emr:.1f} %"
        return f"<p>EMR {emr}</p><table><tr>{head}</tr>{rows}</table>"


def _row(log: dict[str, Any]) -> dict[str, Any]:
    truth, failure = log["truth"], log["failure"]
    understood = failure is None or failure["kind"] == "response"
    return {
        "dialogue": truth["dialogue"], "epoch": log["epoch"], "turn": truth["turn"],
        "user": truth["utterance"],
        "matches": understood and log["signature"] == log["truth_signature"],
        "failure": None if failure is None else failure["kind"],
        "signature": log["signature"], "truth": log["truth_signature"],
    }


def evaluate(
    model: Model | str, *, out: str | os.PathLike[str] | None = None,
    domain: str | Domain = "s3", name: str | None = None, split: str = "test", ray: bool = False,
    shards: int = 4, **options: Any,
) -> Evaluation:
    """Runs a model on every turn of a part of a dataset (`train`, `test` or `all`): a function of
    messages to text, a name as for `dialog2api eval --model`, or a baseline (`ground-truth`,
    `do-nothing`, …).

    `options` are those of `dialog2api eval run`: `dataset`, `examples`, `mode`, `setting`, `k`,
    `alpha`, `form`, `seed`, `epochs`, `limit`, `concurrency`, `assist`, `temperature`, `resume`.
    `out` is the folder of the log. With `ray`, each of `shards` parts is a task of Ray, and `out` must be a folder that
    all machines have.
    """
    if out is None:
        out = tempfile.mkdtemp(prefix="dialog2api-eval-")
        options.setdefault("resume", True)
    if ray:
        options |= {"domain": str(domain), "name": name, "split": split}
        return _over_ray(model, Path(out), shards, **options)
    pool = Pool(1, None)
    try:
        return begin(pool, model, out, domain=domain, name=name, split=split, **options).result()
    finally:
        pool.close()


def begin(
    pool: Pool, model: Model | str, out: str | os.PathLike[str], *, domain: str | Domain,
    name: str | None, split: str, **options: Any,
) -> Future[Evaluation]:
    """An evaluation under way in a process of the pool."""
    unknown = options.keys() - _OPTIONS
    if unknown:
        raise TypeError(f"no options of an evaluation: {', '.join(sorted(unknown))}")
    if not isinstance(model, str):
        checked_model(model)
    worker = pool.get()
    function = None
    if not isinstance(model, str):
        called = name or getattr(model, "__name__", "function")
        function = {"name": f"python:{called}", "number": worker.offer(model)}
    for path in ("dataset", "examples"):
        if options.get(path) is not None:
            options[path] = os.path.abspath(options[path])
    running = pool.request(
        "evaluate", worker, model=model if function is None else None, function=function,
        out=os.path.abspath(out), domain=str(domain), split=None if split == "all" else split,
        **options,
    )
    return then(running, lambda it: Evaluation(Path(it["out"]), it["score"], it["unfinished"]))


def _over_ray(model: Model | str, out: Path, shards: int, **options: Any) -> Evaluation:
    import ray as cluster

    out, here = out.resolve(), os.getcwd()
    parts = [out.with_name(out.name + ".shards") / str(index) for index in range(1, shards + 1)]
    begun = not cluster.is_initialized()
    if begun:
        address = os.environ.get("RAY_ADDRESS")
        local = {"num_cpus": shards, "include_dashboard": False}
        cluster.init(address=address, log_to_driver=False, **({} if address else local))

    def shard(index: int) -> list[Mapping[str, Any]]:
        os.chdir(here)
        part = {"index": index, "of": shards}
        done = evaluate(model, out=parts[index - 1], **{**options, "shard": part, "resume": True})
        return done.unfinished

    try:
        # A task that dies with its machine is tried again, and goes on where its log stopped.
        task = cluster.remote(max_retries=3)(shard)
        done = cluster.get([task.remote(index) for index in range(1, shards + 1)])
    finally:
        if begun:
            cluster.shutdown()
    _binary.run("eval", "merge", str(out), *map(str, parts))
    score = json.loads(_binary.run("score", str(out), "--json", "--partial"))
    return Evaluation(out, score, [failed for part in done for failed in part])
