"""Where the program `dialog2api` is, and how it is run once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from .errors import Dialog2ApiError, RequestFailed

VARIABLE = "DIALOG2API_BIN"


def binary(named: str | os.PathLike[str] | None = None) -> str:
    """The program: the named one, that of `DIALOG2API_BIN`, that of this installation, or the first
    on PATH."""
    given = named or os.environ.get(VARIABLE)
    if given:
        return os.fspath(given)
    folders = [sysconfig.get_path("scripts"), Path(sys.executable).parent]
    if sys.platform != "win32":
        folders.append(sysconfig.get_path("scripts", "posix_user"))
    for folder in folders:
        found = shutil.which("dialog2api", path=os.fspath(folder))
        if found:
            return found
    found = shutil.which("dialog2api")
    if found:
        return found
    raise Dialog2ApiError(
        f"the program dialog2api is not there: install the package again, or name it in {VARIABLE}"
    )


def run(*arguments: str, stdin: str = "", may_find: bool = False) -> str:
    """What the program prints. `may_find` also takes the exit code of findings."""
    command = [binary(), "--quiet", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, encoding="utf-8")
    if done.returncode == 0 or (may_find and done.returncode == 3):
        return done.stdout
    said = done.stderr.strip().removeprefix("error: ")
    kind = "usage" if done.returncode == 2 else "other"
    raise RequestFailed(kind, said or f"dialog2api ended with {done.returncode}")


def lines(*arguments: str, may_find: bool = False) -> list[Any]:
    """The JSON Lines that the program prints."""
    printed = run(*arguments, may_find=may_find)
    return [json.loads(line) for line in printed.splitlines() if line.strip()]
