"""The same calls and programs as `benches/s3.rs`, by boto3 against moto.

Reads `{"calls": […], "files": [[case, …], …], "fill": N, "passes": N}` as JSON from stdin, prints
the times as JSON. No process start, import or client creation is in any of them, except
where a name says so.
"""

import ast
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

import boto3
import botocore.config
import moto.server
from moto import mock_aws
from moto.s3.models import s3_backends

os.environ.update(AWS_ACCESS_KEY_ID="bench", AWS_SECRET_ACCESS_KEY="bench", AWS_DEFAULT_REGION="us-east-1")


def fill_backend(count):
    """The state of the calls, put into moto without botocore: nobody times it, and it would take minutes."""
    backend = s3_backends["123456789012"]["aws"]
    for bucket, objects in (("alpha", 20), ("beta", count)):
        backend.create_bucket(bucket, "us-east-1")
        for i in range(objects):
            backend.put_object(bucket, f"folder/{i:05}.txt", b"0123456789")
    backend.create_bucket("gamma", "us-east-1")
    backend.put_bucket_versioning("gamma", "Enabled")
    for _ in range(20):
        backend.put_object("gamma", "report.txt", b"0123456789")


class InProcess:
    """moto in this process; the clients are made once, a reset is of S3 alone."""

    name = "moto in process"

    def __init__(self, fill):
        self.mock = mock_aws()
        self.mock.start()
        fill_backend(fill)

    def client(self, region):
        return boto3.client("s3", region_name=region)

    def reset(self):
        s3_backends.reset()

    def close(self):
        self.mock.stop()


class Server:
    """moto_server as a process of its own; a reset is its own request."""

    name = "moto_server"

    def __init__(self, fill):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, __file__, "serve", str(port), str(fill)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit("moto_server did not start")
            time.sleep(0.1)

    def client(self, region):
        config = botocore.config.Config(s3={"addressing_style": "path"})
        return boto3.client("s3", region_name=region, endpoint_url=self.url, config=config)

    def reset(self):
        request = urllib.request.Request(f"{self.url}/moto-api/reset", method="POST")
        urllib.request.urlopen(request).read()

    def close(self):
        self.process.terminate()
        self.process.wait()


def function(text):
    """A program as the function `program`, without indenting the lines of its texts."""
    tree = ast.parse("def program(): pass")
    tree.body[0].body = ast.parse(text).body
    return compile(tree, "program", "exec")


def run_case(case, clients):
    """Runs a case; whether it ended as it should."""
    space = {"s3": clients[case["region"]]}
    exec(compile(case["setup"], "setup", "exec"), space)
    exec(function(case["program"]), space)
    try:
        space["program"]()
    except Exception as error:
        code = getattr(error, "response", {}).get("Error", {}).get("Code")
        return case["error"] == (code or type(error).__name__)
    return case["error"] is None


def run_cases(backend, cases, clients):
    """For each case the seconds, on a state of its own, and whether it ended as it should."""
    passed = []
    for case in cases:
        start = time.perf_counter()
        backend.reset()
        right = run_case(case, clients)
        passed.append((time.perf_counter() - start, right))
    return passed


def time_call(client, text):
    """Seconds for one call: the shortest of those that fit into a second."""
    code = compile(text, "call", "exec")
    space = {"s3": client}
    exec(code, space)
    times, deadline = [], time.monotonic() + 1
    while not times or time.monotonic() < deadline:
        start = time.perf_counter()
        exec(code, space)
        times.append(time.perf_counter() - start)
    return min(times)


def measure(backend, work):
    clients = {case["region"]: None for cases in work["files"] for case in cases}
    start = time.perf_counter()
    for region in clients:
        clients[region] = backend.client(region)
    one_client = (time.perf_counter() - start) / len(clients)
    client = clients["us-east-1"]
    calls = [time_call(client, call) for call in work["calls"]]
    files = [measure_file(backend, cases, clients, work["passes"]) for cases in work["files"]]
    return {"name": backend.name, "client": one_client, "files": files, "calls": calls}


def measure_file(backend, cases, clients, count):
    """Seconds for all the cases, of each the shortest of several passes; how many ended as they should."""
    # Once for what is made at the first use of each operation.
    run_cases(backend, cases[::5], clients)
    passes = [run_cases(backend, cases, clients) for _ in range(count)]
    return {
        "seconds": sum(min(seconds for seconds, _ in case) for case in zip(*passes)),
        "right": sum(all(right for _, right in case) for case in zip(*passes)),
    }


def fresh_mocks(cases):
    """Seconds for all the cases as tests are mostly written: mock and client for each case."""
    start = time.perf_counter()
    for case in cases:
        with mock_aws():
            run_case(case, {case["region"]: boto3.client("s3", region_name=case["region"])})
    return time.perf_counter() - start


def main():
    work = json.load(sys.stdin)
    results = []
    for kind in (InProcess, Server):
        backend = kind(work["fill"])
        try:
            results.append(measure(backend, work))
        finally:
            backend.close()
    fresh = [fresh_mocks(cases) for cases in work["files"]]
    json.dump({"backends": results, "fresh": fresh}, sys.stdout)


if sys.argv[1:2] == ["serve"]:
    fill_backend(int(sys.argv[3]))
    moto.server.main(["-H", "127.0.0.1", "-p", sys.argv[2]])
else:
    main()
