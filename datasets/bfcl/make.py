"""Writes the multi-turn part of BFCL v4 as a folder domain, from the package `bfcl-eval`.

    make.py PACKAGE_DIR OUT_DIR [--dialogues] [--categories ...] [--each]

PACKAGE_DIR is the unpacked wheel (or the installed package's folder). It is
read, never imported; nothing but Python's standard library is needed.
OUT_DIR receives:

    bfcl/               one domain with the functions of all eight classes
    bfcl-CLASS/         with --each: one domain for each class
    irrelevance/        with --dialogues: one domain with the functions of 240 single turns
    dialogues.jsonl     the user's turns, and which functions BFCL holds back until when
    classes.json        which functions belong to which class
    irrelevance.jsonl   240 single turns for which no offered function is right

With --dialogues, bfcl/ is a dataset as well: test/ has a file for each of the
800 dialogues, worlds/ the states from which they start, and train/ has dialogues
of our own as examples. --categories takes only some of the four variants. A
dialogue offers the functions of the classes that it involves, and those that
BFCL holds back from the turn on in which BFCL adds them. irrelevance/test/ has
a dialogue of one turn for each case, which offers the functions of the case.

One domain, because a dialogue can involve several classes. No two classes
have a public method of the same name (this script stops if that changes), and
BFCL itself resolves a call by the method's name alone among the classes that
the dialogue involves. So an operation is a method, under its own name, and
the state has one entry for each involved class, `{"TwitterAPI": {...}}`: a
function whose class the state lacks raises NameError, as it does in BFCL.
The domains of --each have states with that one entry; as the classes do not
know each other, a dialogue is replayed there with the class's own calls only.

A class's state holds the attributes that BFCL's checker compares, under their
own names, and under names with an underscore those that it skips but later
calls need: the current directory, the brake's force, and the place of the
random generator. world.py has the classes' sources unchanged, each module in a
function of its own because their names clash (`datetime`, `DEFAULT_STATE`);
replaced are only the imports of `subprocess` (unused), of BFCL's own module of
long texts (kept as JSON) and of `mpmath` (see `_Mpf` in glue.py).

The expected results and states in gold.jsonl come from running the package's
own classes, made anew for each dialogue. Decimal numbers of the maths class
are results in the form of text, and sums of floats are plain additions, so
that neither depends on which Python runs this script or world.py.
"""

import argparse
import json
import random
import sys
from pathlib import Path

import glue
from dialogues import described, shared_worlds, write_dataset
from folder import write_domain
from irrelevance import write_irrelevance
from observe import Observed, try_all
from package import CATEGORIES, Package, finish, replay, write_lines


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("package", type=Path, help="the unpacked or installed package bfcl-eval")
    parser.add_argument("out", type=Path)
    parser.add_argument("--dialogues", action="store_true", help="also write test/, train/ and irrelevance/")
    parser.add_argument("--categories", nargs="+", choices=CATEGORIES, default=CATEGORIES, help="default: all four")
    parser.add_argument("--each", action="store_true", help="also write a domain for each class")
    return parser.parse_args()


def prepare():
    """Puts our random generator, and a stand-in for `mpmath` if it is missing, where the classes import them from."""
    try:
        import mpmath  # noqa: F401  (the real one, if it is there)
    except ImportError:
        sys.modules["mpmath"] = glue._Mpmath()
    random.Random = glue._Random  # the same numbers, but the place can be told


def main():
    options = arguments()
    prepare()
    package = Package(options.package)
    known = list(package.dialogues())
    observed = Observed(package)
    dialogues = [replay(package, observed, *each) for each in known]
    try_all(package, observed, dialogues)  # with all of them, so that api.pyi does not depend on --categories
    known, dialogues = zip(*[both for both in zip(known, dialogues) if both[0][0] in options.categories])
    abouts = [described(package, category, dialogue) for category, dialogue, _ in known]
    gold = [finish(*each, package) for each in dialogues]
    cases = [
        {"id": case["id"], "messages": case["question"][0], "functions": case["function"]}
        for case in package.data("BFCL_v4_irrelevance.json")
    ]
    folder = options.out / "bfcl"
    worlds, named = shared_worlds(gold)
    write_domain(
        folder,
        "BFCL v4 multi-turn",
        "bfcl",
        list(package.modules),
        package,
        observed,
        named if options.dialogues else gold,
    )
    if options.dialogues:
        write_dataset(folder, package, abouts, (worlds, named))
        write_irrelevance(options.out / "irrelevance", cases)
    for owner, module in package.modules.items() if options.each else ():
        gold = [finish(*each, package, owner) for each in dialogues if owner in each[0]["initial"]]
        folder = options.out / f"bfcl-{module.replace('_', '-')}"
        write_domain(folder, f"{owner} of BFCL v4 multi-turn", module, [owner], package, observed, gold)
    write_lines(options.out / "dialogues.jsonl", abouts)
    classes = {owner: list(documents) for owner, documents in package.documents.items()}
    (options.out / "classes.json").write_text(json.dumps(classes, indent=1) + "\n", encoding="utf-8")
    write_lines(options.out / "irrelevance.jsonl", cases)


if __name__ == "__main__":
    main()
