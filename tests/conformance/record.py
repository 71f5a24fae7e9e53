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
    with moto.mock_aws(), freezegun.freeze_time("2024-01-01T00:00:00Z"):
        s3 = boto3.client("s3", region_name=region, aws_access_key_id="A", aws_secret_access_key="B")
        names = {"s3": s3, "__name__": "__main__"}
        exec(setup, names)
        exec("def program():\n" + textwrap.indent(program, "    ") + "\n" + AFTER, names)
        return names["_outcome"]


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
        lines.append(json.dumps(case, ensure_ascii=True))
    (HERE / "own-cases.jsonl").write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} cases")


main()
