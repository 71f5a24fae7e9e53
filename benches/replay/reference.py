"""The same dialogues as `benches/replay.rs`, by boto3 against moto in this process.

Reads `{"worlds": {name: [[bucket, region or null, [[key, content in base64], …]], …]},
"dialogues": [{"world": name, "turns": [{"programs": [code, …], "signature": digits or null},
…]}, …], "passes": N, "processes": N}` as JSON from stdin; prints seconds and how many turns
had the signature recorded, as JSON. No process start, import, client creation, reading of
dialogues or decoding of contents is in any time.
"""

import ast
import base64
import hashlib
import json
import multiprocessing
import os
import sys
import time

import boto3
from moto import mock_aws
from moto.s3.models import s3_backends

os.environ.update(AWS_ACCESS_KEY_ID="bench", AWS_SECRET_ACCESS_KEY="bench", AWS_DEFAULT_REGION="us-east-1")

NAMES = ("OutOfScopeRequestError", "AmbiguousRequestError", "ChitChat", "FAQ", "OverSpecificationError", "EndDialog")
CONVERSATIONAL = {name: type(name, (Exception,), {}) for name in NAMES}


def backend():
    return s3_backends["123456789012"]["aws"]


def fill(world):
    """The initial state, put into moto without botocore, which would take far longer."""
    s3_backends.reset()
    for bucket, region, objects in world:
        backend().create_bucket(bucket, region or "us-east-1")
        for key, content in objects:
            backend().put_object(bucket, key, content)


def function(text):
    """A program as the function `program`, without indenting the lines of its texts."""
    tree = ast.parse("def program(): pass")
    tree.body[0].body = ast.parse(text).body
    return compile(tree, "program", "exec")


def run(program, client):
    """The outcome, as it is signed."""
    space = {"s3": client, **CONVERSATIONAL}
    try:
        exec(function(program), space)
        return {"result": space["program"]()}
    except Exception as error:
        code = getattr(error, "response", {}).get("Error", {}).get("Code")
        return {"error": code or type(error).__name__}


def field(tag, content):
    return tag + len(content).to_bytes(8, "big") + content


def signature(outcomes):
    """As `src/domain/signature.rs` has it, for results without large numbers."""
    digest = hashlib.sha256()
    buckets = backend().buckets
    for name in sorted(buckets, key=str.encode):
        digest.update(field(b"b", name.encode()))
        keys = buckets[name].keys
        for key in sorted(keys, key=str.encode):
            digest.update(field(b"k", key.encode()) + field(b"h", hashlib.sha256(keys[key].value).digest()))
    for outcome in outcomes:
        text = json.dumps(outcome, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digest.update(field(b"o", text.encode()))
    return digest.hexdigest()[:8]


def replay(dialogue):
    """How many of the turns with a recorded signature have it, and how many there are."""
    fill(WORLDS[dialogue["world"]])
    right = recorded = 0
    for turn in dialogue["turns"]:
        outcomes = [run(program, CLIENT) for program in turn["programs"]]
        signed = signature(outcomes)
        if turn["signature"]:
            recorded += 1
            right += signed == turn["signature"]
    return right, recorded


def timed(replay_all):
    start = time.perf_counter()
    results = list(replay_all())
    seconds = time.perf_counter() - start
    return seconds, sum(right for right, _ in results), sum(recorded for _, recorded in results)


WORK = json.load(sys.stdin)
WORLDS = {
    name: [(bucket, region, [(key, base64.b64decode(content)) for key, content in objects]) for bucket, region, objects in world]
    for name, world in WORK["worlds"].items()
}
MOCK = mock_aws()
MOCK.start()
CLIENT = boto3.client("s3")


def main():
    dialogues, passes = WORK["dialogues"], range(WORK["passes"])
    # Once for what is made at the first use of each operation.
    for dialogue in dialogues[::5]:
        replay(dialogue)
    seconds, right, recorded = min(timed(lambda: map(replay, dialogues)) for _ in passes)
    # The processes are there before the clock starts, and come from this one, warm.
    with multiprocessing.get_context("fork").Pool(WORK["processes"]) as pool:
        pool.map(len, [[]] * 100)
        together = min(timed(lambda: pool.imap_unordered(replay, dialogues))[0] for _ in passes)
    json.dump({"one": seconds, "together": together, "right": right, "recorded": recorded}, sys.stdout)


main()
