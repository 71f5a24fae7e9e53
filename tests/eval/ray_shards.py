"""Runs an evaluation on a Ray cluster: every shard is a task, and the shards are merged.

    python tests/eval/ray_shards.py --out runs/small-c --shards 4 -- \
        dialog2api eval --model openai:small --base-url http://models:8080/v1 --setting c

On a cluster (RAY_ADDRESS names it; without it a local one is started) the program and the
folder of --out must be the same on every machine, as on a shared disk. A task that dies with
its machine is tried again, and goes on where its log stopped. Another scheduler does the
same: its array's index and size are the I/N of --shard, and `eval merge` comes last.
"""
import argparse
import os
import pathlib
import subprocess
import sys

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
import ray


def evaluate(command, index, shards, folder):
    """One shard, in a process of its own; what it says at its end."""
    shard = [*command, "--shard", f"{index}/{shards}", "--out", folder, "--resume"]
    done = subprocess.run(shard, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the merged run")
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--cpus", type=float, default=1, help="processors for a shard")
    parser.add_argument("command", nargs="+", help="dialog2api eval …")
    args = parser.parse_args()
    # Tasks run in other folders, so that every path is whole.
    program = pathlib.Path(args.command[0])
    program = str(program.resolve()) if program.exists() else str(program)
    command = [program, *args.command[1:]]
    out = args.out.resolve()
    parts = out.with_name(out.name + ".shards")
    folders = [str(parts / str(index)) for index in range(1, args.shards + 1)]
    here = os.getcwd()

    address = os.environ.get("RAY_ADDRESS")
    local = {"num_cpus": args.shards * args.cpus, "include_dashboard": False}
    ray.init(address=address, log_to_driver=False, **({} if address else local))

    def shard(index, folder):
        os.chdir(here)
        return evaluate(command, index, args.shards, folder)

    task = ray.remote(num_cpus=args.cpus, max_retries=3)(shard)
    tasks = {task.remote(index, folder): index for index, folder in enumerate(folders, 1)}
    waiting, failed = list(tasks), 0
    while waiting:
        (done,), waiting = ray.wait(waiting)
        code, said = ray.get(done)
        last = (said.strip().splitlines() or ["done"])[-1]
        print(f"shard {tasks[done]} of {args.shards}: {last}", file=sys.stderr)
        failed += code != 0
    ray.shutdown()
    if failed:
        sys.exit(f"{failed} shards are not finished; the same command goes on with them")
    sys.exit(subprocess.run([program, "eval", "merge", str(out), *folders]).returncode)


main()
