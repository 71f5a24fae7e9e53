"""What every step of a release knows about the project. All of it comes from Cargo.toml.

    project.py targets      print what a release is built for
    project.py TAG          fail unless the tag is that of this version
"""

import hashlib
import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["package"]
NAME = PACKAGE["name"]
VERSION = PACKAGE["version"]

# What a release is built for, and the operating system as bundles for agents name it.
TARGETS = {
    "x86_64-unknown-linux-gnu": "linux",
    "aarch64-unknown-linux-gnu": "linux",
    "x86_64-unknown-linux-musl": "linux",
    "aarch64-unknown-linux-musl": "linux",
    "x86_64-apple-darwin": "darwin",
    "aarch64-apple-darwin": "darwin",
}

# The licences of the project itself. Those of its parts are written by licences.py.
LICENCES = ["LICENSE", "LICENSE-APACHE", "LICENSE-MIT"]


def sha256(file: pathlib.Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["targets"]:
            print(*TARGETS, sep="\n")
        case [tag] if tag != f"v{VERSION}":
            sys.exit(f"the tag is {tag}, and Cargo.toml has version {VERSION}: tag v{VERSION}")
        case [_]:
            pass
        case _:
            sys.exit(__doc__)
