"""Writes worlds/full.json from the rows of MultiWOZ, and examples/ from dialogues.txt.

    make.py                                    # then: dialog2api dataset annotate --write

A program runs here too, in CPython, so that what the agent says is filled in from its outcome: a
dialogue whose reply needs what the outcome lacks is refused. Signatures come from `annotate`.
"""

import copy
import json
import re
import textwrap
import types
from pathlib import Path

import world

HERE = Path(__file__).parent
ROWS = HERE.parent.parent / "crates/typed-claims/data/restaurant/rows.json"
OPERATIONS = ["find", "count", "get", "book", "cancel", "bookings"]
GREETINGS = ["How can I help you?", "What are you looking for?", "Hello! What can I do for you?"]
SMALL = ["gastropub", "international", "modern", "oriental", "seafood"]
# Raised by a program that calls nothing.
SAYINGS = ["ChitChat", "FAQ", "OutOfScopeRequestError", "AmbiguousRequestError", "EndDialog"]


def full():
    rows = json.loads(ROWS.read_text(encoding="utf-8"))
    rows = [{slot: row[slot] for slot in world.SLOTS if row.get(slot)} for row in rows]
    return {"restaurants": rows, "bookings": {}, "refused": [["friday", "18:00"]], "next": 1}


def write_world(state):
    rows = ",\n".join(f"    {json.dumps(row)}" for row in state["restaurants"])
    rest = json.dumps({key: value for key, value in state.items() if key != "restaurants"})
    text = f'{{\n  "restaurants": [\n{rows}\n  ],\n  {rest[1:-1]}\n}}\n'
    (HERE / "worlds/full.json").write_text(text, encoding="utf-8")


def dialogues():
    """Of each dialogue its name and turns: what the user says, the program, and what the agent says."""
    text = (HERE / "dialogues.txt").read_text(encoding="utf-8")
    for block in re.split(r"^\[", text, flags=re.M)[1:]:
        uid, turns = block.split("]", 1)
        said = turns.count("User: ")
        turns = re.findall(r"^User: (.*)\n    (.*)\nAgent: (.*)$", turns, flags=re.M)
        if len(turns) != said:
            raise SystemExit(f"{uid}: a turn is a line of the user, one program and a line of the agent")
        yield uid, [(said, whole(program), reply) for said, program, reply in turns]


def whole(program):
    """`find(…)` as the program that it stands for."""
    found = re.fullmatch(r"find\((.*)\)", program)
    if not found:
        return program
    wishes = f"{found[1]}, limit=None".removeprefix(", ")
    return f'found = restaurants.find({wishes})\nreturn {{"count": len(found), "rows": found[:3]}}'


def run(program, state):
    """What a program returns, or the exception that it ends with."""

    def bound(operation):
        return lambda *values, **named: getattr(world, operation)(state, *values, **named)

    handle = types.SimpleNamespace(**{name: bound(name) for name in OPERATIONS})
    names = {name: type(name, (Exception,), {}) for name in SAYINGS} | {"restaurants": handle}
    exec("def program():\n" + textwrap.indent(program, "    "), names)  # noqa: S102  (our own programs)
    try:
        return json.loads(json.dumps(names["program"]()))
    except Exception as error:
        return error


def title(name):
    return " ".join(word[:1].upper() + word[1:] for word in name.split(" "))


def words(food):
    """A type of food as it is written: modern European, seafood."""
    return " ".join(word if word in SMALL else title(word) for word in food.split(" "))


def described(row):
    article = "an" if row["pricerange"] == "expensive" else "a"
    return f"{article} {row['pricerange']} {words(row['food'])} restaurant in the {row['area']}"


def fields(outcome):
    """What a reply can name: the count, the slots of the row and the row in words, and of more rows with a number."""
    if isinstance(outcome, Exception):
        return {}
    if isinstance(outcome, dict) and "rows" in outcome:
        found = {"count": outcome["count"]}
        rows = outcome["rows"]
    else:
        found = {"count": outcome}
        rows = outcome if isinstance(outcome, list) else [outcome]
    for at, row in enumerate(rows):
        if isinstance(row, dict):
            number = str(at + 1) if at else ""
            shown = {slot: title(value) if slot in ("name", "day") else value for slot, value in row.items()}
            if "food" in row:
                shown |= {"food": words(row["food"]), "row": described(row)}
            found |= {slot + number: value for slot, value in shown.items()}
    return found


def conversation(uid, turns, state):
    greeting = GREETINGS[sum(map(ord, uid)) % len(GREETINGS)]
    lines = [f'<conversation uid="{uid}" goal="{uid.rpartition("-")[0]}" world="full">']
    lines += ["<turns>", f"<turn>Agent: {greeting}</turn>"]
    number, draft, known = 0, None, {}
    for said, program, reply in turns:
        lines.append(f"<turn>User: {said}</turn>")
        if program in ("yes", "no"):
            status = "final" if program == "yes" else "abandoned"
            lines.append(f'<goal uid="{number}" status="{status}"/>')
            outcome = run(draft, state) if program == "yes" else None
            draft = None
        else:
            program = program.replace("{reference}", known.get("reference", ""))
            drafting = "?" in program or program.startswith("restaurants.cancel")
            number += 0 if draft else 1
            draft = program if drafting else None
            status = "drafting" if drafting else "final"
            lines += [f'<goal uid="{number}" status="{status}">', f"<program>\n{program}\n</program>", "</goal>"]
            outcome = None if drafting else run(program, state)
        told = fields(outcome)
        known |= {slot: told[slot] for slot in ["reference"] if slot in told}
        lines.append(f"<turn>Agent: {reply.format(**known | told)}</turn>")
    return "\n".join([*lines, "</turns>", "</conversation>"]) + "\n"


def main():
    state = full()
    write_world(state)
    (HERE / "examples").mkdir(exist_ok=True)
    for old in (HERE / "examples").glob("*.xml"):
        old.unlink()
    for uid, turns in dialogues():
        text = conversation(uid, turns, copy.deepcopy(state))
        (HERE / f"examples/{uid}.xml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
