#!/usr/bin/env python3
"""The licences of everything that the built program contains, as one text.

    licences.py FILE

Needs cargo-about, and the crates of both locks. Which licences are accepted, and for what, is read
from .deny.toml: a crate with another one ends this with an error. The texts are those that lie in the
crates, or the standard ones.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

from project import NAME, ROOT, TARGETS, VERSION, sha256

HERE = pathlib.Path(__file__).parent
GUEST = "wasm32-wasip1"
# The texts of data that is linked in. Other data sets are read from files and not passed on.
DATA = ["datasets/s3", "datasets/s3-manage", "crates/*/data", "crates/worksheets/tests/data/star"]


def metadata(manifest: str) -> dict:
    """What cargo knows of a lock; fetches its crates, so that cargo-about needs no network."""
    command = ["cargo", "metadata", "--locked", "--format-version=1", f"--manifest-path={manifest}"]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def configuration(deny: dict, packages: list[dict], targets: list[str]) -> str:
    """The settings of cargo-about that say the same as those of cargo-deny."""
    licences = deny["licenses"]
    lines = [
        f"accepted = {json.dumps(licences['allow'])}",
        f"targets = {json.dumps(targets)}",
        "ignore-build-dependencies = true",
        "ignore-dev-dependencies = true",
    ]
    crates: dict[str, list[str]] = {}
    for exception in licences["exceptions"]:
        crates.setdefault(exception["crate"], []).append(f"accepted = {json.dumps(exception['allow'])}")
    for clarified in licences["clarify"]:
        of = [package for package in packages if package["name"] == clarified["crate"]]
        for package in of[:1]:
            table = crates.setdefault(package["name"], [])
            table += [f"[{package['name']}.clarify]", f"license = {json.dumps(clarified['expression'])}"]
            for file in clarified["license-files"]:
                digest = sha256(pathlib.Path(package["manifest_path"]).parent / file["path"])
                table += [
                    f"[[{package['name']}.clarify.files]]",
                    f"path = {json.dumps(file['path'])}",
                    f"checksum = {json.dumps(digest)}",
                ]
    for name, table in crates.items():
        lines += [f"[{name}]", *table]
    return "\n".join(lines) + "\n"


def crates(manifest: str, targets: list[str]) -> str:
    deny = tomllib.loads((ROOT / ".deny.toml").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        settings = pathlib.Path(folder) / "about.toml"
        settings.write_text(configuration(deny, metadata(manifest)["packages"], targets), "utf-8")
        command = ["cargo", "about", "generate", "--frozen", "--fail", "--manifest-path", manifest]
        command += ["--config", str(settings), str(HERE / "licences.hbs")]
        made = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return made.stdout.decode()


def data() -> str:
    found = [file for place in DATA for folder in ROOT.glob(place) for file in folder.rglob("LICENSE*")]
    texts = [f"{'=' * 80}\n{file.relative_to(ROOT)}\n\n{file.read_text('utf-8')}" for file in sorted(found)]
    return "\n".join(texts)


def main(file: pathlib.Path) -> None:
    texts = [
        f"{NAME} {VERSION}: the licences of the works that it contains\n",
        (ROOT / "LICENSE").read_text("utf-8"),
        "# The program\n",
        crates("Cargo.toml", list(TARGETS)),
        "# Its sandbox: RustPython and Python's standard library\n",
        crates("sandbox/Cargo.toml", [GUEST]),
        "# Data\n",
        data(),
    ]
    text = "\n".join(texts)
    # What .deny.toml says has to be beside a binary without its source.
    for title in ["GNU LESSER GENERAL PUBLIC LICENSE", "GNU GENERAL PUBLIC LICENSE\n", "PYTHON SOFTWARE FOUNDATION"]:
        if title.lower() not in text.lower():
            sys.exit(f"the text of the {title.strip()} is missing")
    file.write_text(text, "utf-8")
    print(f"{file}: {os.path.getsize(file)} bytes, {text.count('Used by:')} texts")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
