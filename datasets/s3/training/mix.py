"""Makes the lessons of try 12 from files of `dialog2api dataset export --format trained`.

    python mix.py datasets/s3-lessons --lessons lessons.jsonl --generated generated.jsonl \
        --all s3.jsonl s3-manage.jsonl --out mix.jsonl

The mix has every lesson of the topics that were new then, without the goals that are left out,
and draws from the older lessons and the generated ones. The same files make the same mix.
"""

import argparse
import hashlib
import html
import json
from pathlib import Path

NEW = ["contrast", "fillin", "firstwords", "holdon", "offtopic", "plainread", "plainwrite", "shape"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path, help="the folder of the lessons, whose file names have topic and goal")
    parser.add_argument("--lessons", type=Path, required=True, help="the lessons of that folder, exported")
    parser.add_argument("--older", type=int, default=700, help="how many lessons of other topics")
    parser.add_argument("--generated", type=Path, required=True, help="generated dialogues, exported")
    parser.add_argument("--count", type=int, default=150, help="how many generated dialogues")
    parser.add_argument("--all", type=Path, nargs="*", default=[], help="files of which every line is taken")
    parser.add_argument("--seed", type=int, default=91, help="of the draws")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def lines(path):
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]


def is_left_out(goal):
    """Goals that no try learned, so that tries can be compared on them: one of twenty."""
    return int(hashlib.sha1(goal.encode()).hexdigest(), 16) % 20 == 0


def named(dataset, exported):
    """The name of each lesson and its line: an export is in the order of the names."""
    files = sorted((dataset / "train").glob("*.xml"), key=lambda path: path.stem)
    if len(files) != len(exported):
        raise SystemExit(f"{dataset} has {len(files)} lessons, and its export {len(exported)}: export it again")
    for file, line in zip(files, exported):
        first = json.loads(line)["messages"][1]["content"]
        if first not in html.unescape(file.read_text(encoding="utf-8")):
            raise SystemExit(f"{file} is not the lesson at its place in the export: export it again")
        yield file.stem, line


def drawn(pool, count, seed):
    """`count` lines of a pool, by their digests: on every machine the same."""
    if len(pool) < count:
        raise SystemExit(f"there are {len(pool)} lines to draw {count} from: export more dialogues")
    return sorted(pool, key=lambda line: hashlib.sha256(f"{seed} {line}".encode()).digest())[:count]


def main():
    args = arguments()
    new, older = [], []
    for name, line in named(args.dataset, lines(args.lessons)):
        if not is_left_out(name.rsplit("-", 1)[0]):
            (new if name.split("-")[0] in NEW else older).append(line)
    parts = {
        "new": new,
        "older": drawn(older, args.older, args.seed),
        "generated": drawn(lines(args.generated), args.count, args.seed),
        "other": [line for path in args.all for line in lines(path)],
    }
    mix = [line for part in parts.values() for line in part]
    args.out.write_text("".join(line + "\n" for line in mix), encoding="utf-8", newline="\n")
    print(f"{len(mix)} lessons: " + ", ".join(f"{len(part)} {name}" for name, part in parts.items()))


if __name__ == "__main__":
    main()
