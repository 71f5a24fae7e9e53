"""Compares other checkers with this crate, on what `cargo run --example corpus FOLDER` writes.

    python peers.py FOLDER [NAME...]

Each checker gets the reply and all rows: as records if it reads records, else as a sentence each.
It objects to a reply or does not. Printed: how many of the planted errors it objects to, how many
of the same replies without an error, how many of the recorded replies that say something of the
rows, how long a reply takes, and whether a second run says the same.
"""

import json
import pathlib
import sys
import tempfile
import time


def prose(row):
    """A row as a sentence, for those who read texts."""
    kind = f"{row.get('pricerange', '')} {row.get('food', '').title()}"
    parts = [f"{row['name'].title()} is a {kind} restaurant in the {row.get('area', '')}."]
    said = {
        "address": "Its address is",
        "postcode": "Its postcode is",
        "phone": "Its phone number is",
    }
    parts += [f"{words} {row[slot]}." for slot, words in said.items() if row.get(slot)]
    parts += [row[slot] for slot in ("introduction", "signature") if row.get(slot)]
    return " ".join(parts)


def factguard(rows, texts):
    from factguard import Checker

    checker = Checker(rows)
    return lambda reply: not checker.check(reply).ok


def grounded_check(rows, texts):
    from grounded import check

    file = pathlib.Path(tempfile.mkdtemp()) / "rows.txt"
    file.write_text("\n".join(texts))
    return lambda reply: not check(reply, [str(file)]).passed


def hallucination_check(rows, texts):
    from hallucination_check import GroundingChecker

    checker = GroundingChecker()
    return lambda reply: bool(checker.check(reply, texts).unsupported)


def ancora_rag(rows, texts):
    from ancora.grounding import GroundingChecker
    from ancora.types import Chunk

    chunks = [Chunk(str(at), "rows", text, 0, len(text)) for at, text in enumerate(texts)]
    checker = GroundingChecker()
    return lambda reply: not all(claim.supported for claim in checker.check_answer(reply, chunks))


def ragsanity(rows, texts):
    from ragsanity import evaluate

    def objects(reply):
        found = evaluate("?", texts, reply, metrics=["faithfulness"]).faithfulness
        return found is not None and found < 1

    return objects


def hallucination_gate(rows, texts):
    from hallucination_gate import HallucinationGate

    gate = HallucinationGate(quality_mode="ci", use_heuristic=True)
    return lambda reply: not gate.check("?", reply, texts).released


CHECKERS = [
    factguard,
    grounded_check,
    hallucination_check,
    ancora_rag,
    ragsanity,
    hallucination_gate,
]


def lines(folder, name):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def table(name, flagged, flagged_human, milliseconds, same):
    planted = [flag for flag, operator in flagged if operator != "none"]
    none = [flag for flag, operator in flagged if operator == "none"]
    shares = [f"{sum(flags)} of {len(flags)}" for flags in (planted, none, flagged_human)]
    print("|", " | ".join([name, *shares, milliseconds, same]), "|", flush=True)


def main():
    folder = pathlib.Path(sys.argv[1])
    rows = lines(folder, "rows.jsonl")
    texts = [prose(row) for row in rows]
    turns = [turn for turn in lines(folder, "turns.jsonl") if not turn.get("context")]
    own = lines(folder, "checker.jsonl")
    human = [said for said in lines(folder, "human.jsonl") if said["refers"]]
    print("| checker | planted errors | without them | recorded replies | ms | same twice |")
    print("|---|---|---|---|---|---|")
    flagged = [(said["flagged"], turn["operator"]) for said, turn in zip(own, turns, strict=True)]
    table("typed-claims", flagged, [said["flagged"] for said in human], "", "")
    for make in CHECKERS:
        if sys.argv[2:] and make.__name__ not in sys.argv[2:]:
            continue
        checks = make(rows, texts)
        start = time.perf_counter()
        first = [checks(turn["reply"]) for turn in turns]
        took = (time.perf_counter() - start) / len(turns) * 1000
        again = [checks(turn["reply"]) for turn in turns]
        pairs = [(flag, turn["operator"]) for flag, turn in zip(first, turns, strict=True)]
        of_human = [checks(said["reply"]) for said in human]
        table(make.__name__, pairs, of_human, f"{took:.1f}", str(first == again))


main()
