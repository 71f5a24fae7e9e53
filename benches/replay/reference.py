"""The same dialogues as `benches/replay.rs`, by boto3 against moto in this process.

Twice: with boto3 for everything, as one writes it for any S3, and with moto's own objects
for the initial state and the signature, where only the programs go through boto3.

Reads `{"worlds": {name: [[bucket, region or null, [[key, content in base64], …]], …]},
"dialogues": [{"world": name, "turns": [{"programs": [code, …], "signature": digits or null},
…]}, …], "passes": N, "processes": N}` as JSON from stdin; prints for each of the two the seconds, in
one process and in several, and how many turns had the signature recorded, as JSON. No process start, import, client creation, reading of
dialogues or decoding of contents is in any time.
"""

import ast
import base64
import functools
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


class Boto:
    """State and signature through the interface that programs use."""

    @staticmethod
    def fill(world):
        for bucket, region, objects in world:
            place = {"CreateBucketConfiguration": {"LocationConstraint": region}} if region != "us-east-1" else {}
            CLIENT.create_bucket(Bucket=bucket, **place)
            for key, content in objects:
                CLIENT.put_object(Bucket=bucket, Key=key, Body=content)

    @staticmethod
    def contents():
        for bucket in sorted(bucket["Name"] for bucket in CLIENT.list_buckets()["Buckets"]):
            pages = CLIENT.get_paginator("list_objects_v2").paginate(Bucket=bucket)
            keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
            yield bucket, ((key, CLIENT.get_object(Bucket=bucket, Key=key)["Body"].read()) for key in keys)


class Moto:
    """State and signature without botocore."""

    @staticmethod
    def fill(world):
        for bucket, region, objects in world:
            backend().create_bucket(bucket, region)
            for key, content in objects:
                backend().put_object(bucket, key, content)

    @staticmethod
    def contents():
        buckets = backend().buckets
        for name in sorted(buckets):
            keys = buckets[name].keys
            yield name, ((key, keys[key].value) for key in list(keys))


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


def signature(contents, outcomes):
    """As `crates/dialog2api-core/src/domain/signature.rs` has it, for results without large numbers."""
    digest = hashlib.sha256()
    for bucket, objects in contents:
        digest.update(field(b"b", bucket.encode()))
        for key, content in sorted(objects, key=lambda entry: entry[0].encode()):
            digest.update(field(b"k", key.encode()) + field(b"h", hashlib.sha256(content).digest()))
    for outcome in outcomes:
        text = json.dumps(outcome, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digest.update(field(b"o", text.encode()))
    return digest.hexdigest()[:8]


def replay(through, dialogue):
    """How many of the turns with a recorded signature have it, and how many there are."""
    s3_backends.reset()
    through.fill(WORLDS[dialogue["world"]])
    right = recorded = 0
    for turn in dialogue["turns"]:
        outcomes = [run(program, CLIENT) for program in turn["programs"]]
        signed = signature(through.contents(), outcomes)
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


def measure(through, passes):
    dialogues, passes = WORK["dialogues"], range(passes)
    replay_one = functools.partial(replay, through)
    seconds, right, recorded = min(timed(lambda: map(replay_one, dialogues)) for _ in passes)
    # The processes are there before the clock starts, and come from this one, warm.
    with multiprocessing.get_context("fork").Pool(WORK["processes"]) as pool:
        pool.map(len, [[]] * 100)
        together = min(timed(lambda: pool.imap_unordered(replay_one, dialogues))[0] for _ in passes)
    return {"one": seconds, "together": together, "right": right, "recorded": recorded}


def main():
    # Once for what is made at the first use of each operation.
    for dialogue in WORK["dialogues"][::5]:
        replay(Moto, dialogue)
    # Through boto3 alone a pass takes minutes.
    json.dump({"boto": measure(Boto, 1), "moto": measure(Moto, WORK["passes"])}, sys.stdout)


main()
