"""Runs cases on real boto3 against served worlds; boto.rs starts it.

    python boto.py '{"us-east-1": "http://127.0.0.1:PORT", ...}' KEY_ID SECRET CASES...

Prints the region of each case before it runs, waits for a line (the world is empty
then), and prints what the case gave as one line of JSON.
"""

import json
import sys
import textwrap
from pathlib import Path

import boto3
from botocore.config import Config

AFTER = (Path(__file__).parent / "recorded.py").read_text().replace("return _outcome", "")
endpoints, key_id, secret = json.loads(sys.argv[1]), *sys.argv[2:4]
clients = {
    region: boto3.client(
        "s3", region_name=region, endpoint_url=endpoint, aws_access_key_id=key_id,
        aws_secret_access_key=secret, config=Config(s3={"addressing_style": "path"}),
    )
    for region, endpoint in endpoints.items()
}
for file in sys.argv[4:]:
    for line in Path(file).read_text().splitlines():
        case = json.loads(line)
        region = case.get("client_region", "us-east-1")
        print(region, flush=True)
        sys.stdin.readline()
        names = {"s3": clients[region], "__name__": "__main__"}
        exec(case.get("setup", ""), names)
        exec("def program():\n" + textwrap.indent(case["program"], "    ") + "\n" + AFTER, names)
        print(json.dumps(names["_outcome"]), flush=True)
