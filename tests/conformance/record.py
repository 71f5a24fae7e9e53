"""Records own-cases.jsonl: runs the programs of own-cases.txt on botocore and moto.

    pip install boto3==1.44.5 'moto[s3]==5.2.5' freezegun && python record.py

Tests read what was recorded and need none of these. Where moto does something that
AWS does not, the case says with `# aws:` what AWS does, and that counts.
"""

import json
import re
import textwrap
from pathlib import Path

import boto3
import freezegun
import moto
from moto.s3.models import s3_backends

HERE = Path(__file__).parent
AFTER = (HERE / "recorded.py").read_text().replace("return _outcome", "")


def read(text):
    """The setups and the cases: (name, {field: text}, lines)."""
    setups, cases = {}, []
    for block in re.split(r"^(?=== |## )", text, flags=re.MULTILINE)[1:]:
        head, *lines = block.strip("\n").split("\n")
        name = head.split(" ", 1)[1]
        if head.startswith("== "):
            setups[name] = "\n".join(lines)
            continue
        fields = {}
        while lines and (found := re.fullmatch(r"# (\w+): (.*)", lines[0])):
            fields[found[1]] = found[2]
            lines.pop(0)
        cases.append((name, fields, "\n".join(lines)))
    return setups, cases


def run(region, setup, program):
    for backends in s3_backends.values():
        for backend in backends.values():
            backend.reset()
    s3 = boto3.client("s3", region_name=region, aws_access_key_id="A", aws_secret_access_key="B")
    names = {"s3": s3, "__name__": "__main__"}
    exec(setup, names)
    exec("def program():\n" + textwrap.indent(program, "    ") + "\n" + AFTER, names)
    return as_without_freezegun(names["_outcome"])


def as_without_freezegun(outcome):
    message = outcome.get("error", {}).get("message")
    if message:
        message = message.replace("freezegun.api.FakeDatetime", "datetime.datetime")
        message = message.replace("freezegun.api.FakeDate", "datetime.date")
        outcome["error"]["message"] = message.replace("got 'FakeDatetime'", "got 'datetime.datetime'")
    return outcome


def main():
    setups, cases = read((HERE / "own-cases.txt").read_text())
    lines = []
    for name, fields, program in cases:
        region = fields.get("region", "us-east-1")
        setup = setups[fields["setup"]] if "setup" in fields else ""
        case = {"id": name, "setup": setup, "program": program, "expect": run(region, setup, program)}
        case["moto_deviation"] = False
        if "aws" in fields:
            aws = json.loads(fields["aws"])
            if aws == case["expect"]:
                print(f"{name}: moto does what AWS does")
            case |= {"moto_deviation": True, "aws_expect": aws, "aws_confidence": fields["confidence"]}
        if "note" in fields:
            case["note"] = fields["note"]
        if region != "us-east-1":
            case["client_region"] = region
        # What is no JSON can only be what moto gives and AWS refuses.
        foreign = None if "aws" not in fields else repr
        lines.append(json.dumps(case, ensure_ascii=True, default=foreign))
    (HERE / "own-cases.jsonl").write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} cases")


with moto.mock_aws(), freezegun.freeze_time("2024-01-01T00:00:00Z"):
    main()
