"""Loads rows as a user does, validates them, and writes them back: ROWS SCHEMA BACK."""
import json
import sys

import datasets
import jsonschema

rows, schema, back = sys.argv[1:]
validator = jsonschema.Draft202012Validator(json.load(open(schema, encoding="utf-8")))
validator.check_schema(validator.schema)
with open(rows, encoding="utf-8") as lines:
    for number, line in enumerate(lines, 1):
        for problem in validator.iter_errors(json.loads(line)):
            sys.exit(f"line {number}: {problem.json_path}: {problem.message}")

loaded = datasets.load_dataset("json", data_files=rows, split="train")
string = datasets.Value("string")
goals = datasets.List(
    {"uid": datasets.Value("int64"), **{name: string for name in (
        "status", "program", "result", "error", "message", "signature")}}
)
for name, wanted in {
    "dialogue": string, "turn": datasets.Value("int64"), "programs": goals, "stack": goals,
}.items():
    found = loaded.features[name]
    # A column in which nothing is known yet has no type.
    if found != wanted and "null" not in str(found):
        sys.exit(f"{name} is {found}, not {wanted}")
for row in loaded:
    for goal in row["programs"]:
        if goal["result"] is not None:
            json.loads(goal["result"])
loaded.to_json(back, lines=True, force_ascii=False)
print(f"{len(loaded)} rows, {len(set(loaded['dialogue']))} dialogues")
