"""Runs the programs of this folder with CPython and boto3 against an S3 service.

    python record.py ENDPOINT

Prints a line for each: its name, and what it gives. `tests/ordinary.rs` compares them with
`recorded.jsonl`, which it writes anew with UPDATE_EXPECT=1. `return` at the top of a program
ends it with that value, as in the sandbox.
"""

import ast
import atexit
import io
import json
import os
import signal
import sys
import types
from pathlib import Path

import boto3


class Returned(BaseException):
    pass


class Returns(ast.NodeTransformer):
    def keep(self, node):
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = keep

    def visit_Return(self, node):
        value = node.value or ast.Constant(None)
        made = ast.Raise(ast.Call(ast.Name("__Returned__", ast.Load()), [value], []), None)
        return ast.fix_missing_locations(ast.copy_location(made, node))


def programs():
    """The name and the text of each program."""
    for file in sorted(Path(__file__).parent.glob("*.txt")):
        for part in ("\n" + file.read_text()).split("\n### ")[1:]:
            name, _, text = part.partition("\n")
            yield name.strip(), text.rstrip("\n") + "\n"


def run(text):
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    module.__dict__.update(s3=boto3.client("s3"), __Returned__=Returned, __file__="program.py")
    sys.argv = ["program.py"]
    sys.stdout = sys.stderr = output = io.StringIO()
    outcome = {}
    try:
        exec(compile(Returns().visit(ast.parse(text, "program.py")), "program.py", "exec"), module.__dict__)
        outcome["result"] = None
    except Returned as ended:
        outcome["result"] = ended.args[0]
    except BaseException as error:
        outcome["error"] = [type(error).__name__, str(error)]
    if threading := sys.modules.get("threading"):
        threading._shutdown()
    atexit._run_exitfuncs()
    if output.getvalue():
        outcome["output"] = output.getvalue()
    return json.dumps(outcome, allow_nan=False)


def in_a_process(text):
    reader, writer = os.pipe()
    if not os.fork():
        try:
            given = run(text)
        except BaseException as error:
            given = json.dumps({"unwritable": str(error)})
        with open(writer, "w") as pipe:
            pipe.write(given)
        os._exit(0)
    os.close(writer)
    with open(reader) as pipe:
        given = json.loads(pipe.read())
    os.wait()
    return given


def clear():
    s3 = boto3.client("s3")
    for bucket in s3.list_buckets()["Buckets"]:
        name = bucket["Name"]
        for upload in s3.list_multipart_uploads(Bucket=name).get("Uploads", []):
            s3.abort_multipart_upload(Bucket=name, Key=upload["Key"], UploadId=upload["UploadId"])
        versions = s3.list_object_versions(Bucket=name)
        for entry in versions.get("Versions", []) + versions.get("DeleteMarkers", []):
            version = {"Bucket": name, "Key": entry["Key"], "VersionId": entry["VersionId"]}
            try:
                s3.delete_object(**version)
            except s3.exceptions.ClientError:
                s3.delete_object(**version, BypassGovernanceRetention=True)
        s3.delete_bucket(Bucket=name)


def main(endpoint, only):
    os.environ.update(AWS_ENDPOINT_URL=endpoint, AWS_DEFAULT_REGION="us-east-1", TZ="UTC")
    os.environ.setdefault("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    os.environ.setdefault("AWS_SECRET_ACCESS_KEY", "secret-of-the-test")
    # A background job of a shell script inherits SIGINT as ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name, text in programs():
        if not only or name in only:
            print(json.dumps({"name": name, **in_a_process(text)}), flush=True)
            clear()


main(sys.argv[1], sys.argv[2:])
