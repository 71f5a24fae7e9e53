"""Writes the dialogues as a dataset: test/ with BFCL's dialogues, train/ with our own, and the worlds of both."""

import gzip
import json
import re
import shutil
from pathlib import Path

from package import dump

HANDLE = "bfcl"
GREETING = "How can I help you?"
DONE = "Done."
# What the agent says in a turn without gold calls, where not because a function is held back.
NOTHING_DONE = "I need to know more before I can do that."
# What is right where no function that is offered can do it, and what the agent says then.
OUT_OF_SCOPE = "raise OutOfScopeRequestError()"
CANNOT = "None of my functions can do that."
# Tags of the dialogue format, which a text may not contain.
TAGS = re.compile(r"<\\*/?\s*(program|goal|result|error|signature|turns?|output|stack|conversation|metadata)\b", re.I)
OWN = Path(__file__).parent / "train"


def described(package, category, dialogue):
    """The user's side of a dialogue; in a turn without a message BFCL itself says that there are more functions."""
    later = dialogue.get("missed_function", {})
    turns = []
    for number, messages in enumerate(dialogue["question"]):
        turn = {"user": "\n".join(message["content"] for message in messages) or package.more_functions}
        turns.append(turn | ({"adds": later[str(number)]} if str(number) in later else {}))
    classes = [owner for owner in package.modules if owner in dialogue["involved_classes"]]
    held_back = [name for names in later.values() for name in names]
    offered = [name for owner in classes for name in package.documents[owner] if name not in held_back]
    found = {"id": dialogue["id"], "category": category, "classes": classes, "held_back": held_back}
    return found | {"offered": offered, "initial": {"gold": dialogue["id"]}, "turns": turns}


def literal(value):
    """A value as Python writes it, with texts in double quotation marks."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(value)


def program(calls):
    """The calls of one turn: one is returned as it is, several as a list."""
    lines = []
    for name, arguments, _ in calls:
        words = ", ".join(f"{word}={literal(value)}" for word, value in arguments.items())
        lines.append(f"{HANDLE}.{name}({words})")
    if len(lines) == 1:
        return f"return {lines[0]}"
    return "\n".join(["return [", *(f"    {line}," for line in lines), "]"])


def conversation(uid, attributes, turns):
    """A dialogue as XML; a turn is what the user says, a program or None, and what the agent says."""
    attributes = "".join(f' {name}="{value}"' for name, value in attributes.items())
    lines = [f'<conversation uid="{uid}"{attributes}>', "<turns>", f"<turn>Agent: {GREETING}</turn>"]
    number = 0
    for said, code, answer in turns:
        if TAGS.search(said) or TAGS.search(code or ""):
            raise SystemExit(f"{uid} has a tag of the dialogue format in its text")
        lines.append(f"<turn>User: {said.strip()}</turn>")
        if code:
            number += 1
            lines += [f'<goal uid="{number}" status="final">', f"<program>\n{code}\n</program>", "</goal>"]
        lines.append(f"<turn>Agent: {answer}</turn>")
    return "\n".join([*lines, "</turns>", "</conversation>"]) + "\n"


def shared_worlds(gold):
    """The initial states by name, and the recordings with the name of their world. Equal states are one world."""
    names, worlds, renamed = {}, {}, []
    for recording in gold:
        text = json.dumps(recording["initial"], ensure_ascii=False)
        name = names.setdefault(text, recording["name"])
        worlds[name] = recording["initial"]
        recording = {key: value for key, value in recording.items() if key != "initial"}
        renamed.append({"name": recording.pop("name"), "world": name} | recording)
    return worlds, renamed


def test_dialogue(about, recording):
    """The XML of one of BFCL's dialogues. Its four variants are dialogues of the same goal.

    In the turn before functions are added, the one that it takes is not there yet. A function
    that gold calls need before BFCL adds it (miss_func_49) is offered from then on.
    """
    category, number = about["category"], about["id"].rpartition("_")[2]
    attributes = {"goal": f"task-{number}", "world": recording["world"], "category": category}
    attributes["offered"] = " ".join(about["offered"])
    turns, known = [], set(about["offered"])
    for index, (turn, calls) in enumerate(zip(about["turns"], recording["turns"], strict=True)):
        named = dict.fromkeys([*turn.get("adds", []), *(call[0] for call in calls)])
        new = [name for name in named if name not in known]
        if new:
            attributes[f"offered-from-{index + 1}"] = " ".join(new)
            known.update(new)
        if calls:
            turns.append((turn["user"], program(calls), DONE))
        elif "adds" in (about["turns"] + [{}])[index + 1]:
            turns.append((turn["user"], OUT_OF_SCOPE, CANNOT))
        else:
            turns.append((turn["user"], None, NOTHING_DONE))
    return conversation(about["id"], attributes, turns)


def own_worlds(package):
    """The worlds of train/: states that the classes make of the scenarios in worlds.json."""
    scenarios = json.loads((OWN / "worlds.json").read_text(encoding="utf-8"))
    return {name: dump(package.instances(list(given), given, False)) for name, given in scenarios.items()}


def write_dataset(folder, package, abouts, gold):
    """Writes test/, train/ and worlds/. `gold` has the name of each dialogue's world."""
    worlds, recordings = gold
    for old in (folder / "worlds").glob("*.json.gz"):
        old.unlink()
    for name, state in (worlds | own_worlds(package)).items():
        text = json.dumps(state, ensure_ascii=False) + "\n"
        (folder / f"worlds/{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    for part in ("test", "train"):
        shutil.rmtree(folder / part, ignore_errors=True)
        (folder / part).mkdir()
    for about, recording in zip(abouts, recordings, strict=True):
        text = test_dialogue(about, recording)
        (folder / f"test/{about['id']}.xml").write_text(text, encoding="utf-8")
    for path in sorted(OWN.glob("*.xml")):
        shutil.copyfile(path, folder / "train" / path.name)
