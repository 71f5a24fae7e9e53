#!/usr/bin/env python3
"""What people download: archives with the program, the source that belongs to them, and the sums.

    archive.py program TARGET PROGRAM FOLDER [TEXT]...   write FOLDER/dialog2api-VERSION-TARGET.tar.xz
    archive.py source FOLDER                             write FOLDER/dialog2api-VERSION-source.tar.xz
    archive.py sums FOLDER                               write FOLDER/SHA256SUMS

The source has the checkout and the crates of malachite: whoever passes the program on has to offer
them, see the file LICENSE.
"""

import io
import os
import pathlib
import subprocess
import sys
import tarfile
import tomllib

from project import LICENCES, NAME, ROOT, TARGETS, VERSION, sha256


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout


def packed(place: pathlib.Path, files: list[tuple[str, pathlib.Path]], more: bytes = b"") -> None:
    """The same files make the same archive: it has the time of the commit, and no names of people."""
    time = int(git("log", "-1", "--format=%ct"))
    with tarfile.open(place, "w:xz", preset=9) as archive:
        if more:
            with tarfile.open(fileobj=io.BytesIO(more)) as others:
                for entry in others:
                    archive.addfile(entry, others.extractfile(entry) if entry.isfile() else None)
        for name, file in files:
            entry = archive.gettarinfo(file, name)
            entry.uid, entry.gid, entry.uname, entry.gname, entry.mtime = 0, 0, "", "", time
            entry.mode = 0o755 if entry.mode & 0o100 else 0o644
            with file.open("rb") as content:
                archive.addfile(entry, content)
    print(f"{place}: {place.stat().st_size} bytes")


def program(target: str, binary: pathlib.Path, folder: pathlib.Path, texts: list[pathlib.Path]) -> None:
    name = f"{NAME}-{VERSION}-{target}"
    files = [ROOT / text for text in ["README.md", "CHANGELOG.md", *LICENCES]]
    inside = [(f"{name}/{NAME}", binary), *((f"{name}/{file.name}", file) for file in [*files, *texts])]
    packed(folder / f"{name}.tar.xz", inside)


def source(folder: pathlib.Path) -> None:
    name = f"{NAME}-{VERSION}-source"
    subprocess.run(["cargo", "fetch", "--locked", "--manifest-path=sandbox/Cargo.toml"], cwd=ROOT, check=True)
    home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
    locked = tomllib.loads((ROOT / "sandbox/Cargo.lock").read_text("utf-8"))["package"]
    crates = []
    for package in locked:
        if package["name"].startswith("malachite"):
            wanted = f"{package['name']}-{package['version']}.crate"
            file = next((home / "registry/cache").glob(f"*/{wanted}"))
            if sha256(file) != package["checksum"]:
                sys.exit(f"{file} is not the crate that sandbox/Cargo.lock names")
            crates.append((f"{name}/crates-of-others/{wanted}", file))
    if not crates:
        sys.exit("sandbox/Cargo.lock names no malachite")
    packed(folder / f"{name}.tar.xz", crates, git("archive", f"--prefix={name}/", "HEAD"))


def sums(folder: pathlib.Path) -> None:
    files = sorted(file for file in folder.iterdir() if file.name != "SHA256SUMS")
    (folder / "SHA256SUMS").write_text("".join(f"{sha256(file)}  {file.name}\n" for file in files), "utf-8")


def main(arguments: list[str]) -> None:
    match arguments:
        case ["program", target, binary, folder, *texts] if target in TARGETS:
            program(target, pathlib.Path(binary), pathlib.Path(folder), [pathlib.Path(text) for text in texts])
        case ["source", folder]:
            source(pathlib.Path(folder))
        case ["sums", folder]:
            sums(pathlib.Path(folder))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
