#!/usr/bin/env python3
"""The list of parts of a built program, as CycloneDX 1.5.

    parts.py TARGET FILE

Needs cargo-cyclonedx. The crates of the program for that target come first; then the sandbox, which
is built for another one and embedded, as a part of the program, with its own crates.
"""

import json
import pathlib
import subprocess
import sys
import tomllib

from project import ROOT, TARGETS, sha256

GUEST = "wasm32-wasip1"
# Embedded, and no crate. It holds no weights of the model that it was trained for.
ADAPTER = ROOT / "datasets/s3/adapters/qwen2.5-coder-0.5b.gguf"
# Written beside each Cargo.toml of a workspace.
MADE = "parts-of-a-release"


def listed(manifest: str, target: str) -> dict:
    command = ["cargo", "cyclonedx", "-q", "--manifest-path", manifest, "--target", target]
    command += ["--format=json", "--spec-version=1.5", "--no-build-deps", f"--override-filename={MADE}"]
    try:
        subprocess.run(command, cwd=ROOT, check=True)
        text = (ROOT / manifest).with_name(f"{MADE}.json").read_text("utf-8")
    finally:
        for file in [*ROOT.glob(f"{MADE}.json"), *ROOT.glob(f"*/{MADE}.json"), *ROOT.glob(f"crates/*/{MADE}.json")]:
            file.unlink()
    # References to local crates are paths of the machine that made the list.
    return json.loads(text.replace(ROOT.as_posix(), ""))


def adapter() -> dict:
    return {
        "type": "machine-learning-model",
        "bom-ref": "adapter",
        "name": ADAPTER.stem,
        "description": "A LoRA adapter for Qwen2.5-Coder-0.5B-Instruct, trained by this project",
        "hashes": [{"alg": "SHA-256", "content": sha256(ADAPTER)}],
        "licenses": [{"license": {"id": "CC-BY-4.0"}}],
    }


def clarified(parts: list[dict]) -> None:
    """Adds the licences of crates that name none, as .deny.toml has them."""
    deny = tomllib.loads((ROOT / ".deny.toml").read_text("utf-8"))
    known = {crate["crate"]: crate["expression"] for crate in deny["licenses"]["clarify"]}
    for part in parts:
        if part["name"] in known:
            part["licenses"] = [{"expression": known[part["name"]]}]


def joined(program: dict, guest: dict) -> dict:
    root, embedded = program["metadata"]["component"], guest["metadata"]["component"]
    known = {part["bom-ref"] for part in program["components"]}
    program["components"] += [adapter(), embedded]
    program["components"] += [part for part in guest["components"] if part["bom-ref"] not in known]
    clarified(program["components"])
    needs = {entry["ref"]: set(entry.get("dependsOn", [])) for entry in program["dependencies"]}
    for entry in guest["dependencies"]:
        needs.setdefault(entry["ref"], set()).update(entry.get("dependsOn", []))
    needs[root["bom-ref"]].update(["adapter", embedded["bom-ref"]])
    program["dependencies"] = [
        {"ref": ref, "dependsOn": sorted(on)} if on else {"ref": ref} for ref, on in sorted(needs.items())
    ]
    return program


def main(arguments: list[str]) -> None:
    match arguments:
        case [target, file] if target in TARGETS:
            parts = joined(listed("Cargo.toml", target), listed("sandbox/Cargo.toml", GUEST))
            pathlib.Path(file).write_text(json.dumps(parts, indent=1) + "\n", "utf-8")
            print(f"{file}: {len(parts['components'])} parts")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
