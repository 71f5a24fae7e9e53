"""What every step of a release knows about the project. All of it comes from Cargo.toml.

    project.py targets             print what a release is built for
    project.py version             print what it is the release of
    project.py TAG REPOSITORY      fail unless both are those of every package that is published

REPOSITORY is the address of the project, such as https://github.com/OWNER/dialog2api. `cargo
binstall` looks there for the archives, and nowhere else.
"""

import hashlib
import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def package(file: pathlib.Path) -> dict:
    return tomllib.loads(file.read_text("utf-8"))["package"]


PACKAGE = package(ROOT / "Cargo.toml")
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


def check(tag: str, repository: str) -> None:
    wrong = []
    if tag != f"v{VERSION}":
        wrong.append(f"the tag is {tag}, and Cargo.toml has version {VERSION}: tag v{VERSION}")
    for file in [ROOT / "Cargo.toml", *sorted(ROOT.glob("crates/*/Cargo.toml"))]:
        if package(file).get("repository") != repository:
            wrong.append(f'{file.relative_to(ROOT)} wants `repository = "{repository}"`')
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["targets"]:
            print(*TARGETS, sep="\n")
        case ["version"]:
            print(VERSION)
        case [tag, repository]:
            check(tag, repository)
        case _:
            sys.exit(__doc__)
