"""The exceptions of this package. What a program does wrong is no exception: see `Result.error`."""

from __future__ import annotations

from typing import Any


class Dialog2ApiError(Exception):
    """Something could not be done. `survived` says whether the sandbox is still there: worlds and
    conversations are gone with it."""

    survived: bool = True


class RequestFailed(Dialog2ApiError):
    """The request cannot be carried out. `kind` says whose failure it is: `usage`, `file`, `world`,
    `model`, `sandbox`, `system` (the machine), `bug` (a defect of dialog2api), or `other` where a
    command only says that it failed.

    Where it ended a program, `output` is what that had printed, and `calls` are the calls that it
    had made, each with the code of its error."""

    def __init__(
        self, kind: str, message: str, output: str = "",
        calls: tuple[tuple[str, str | None], ...] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.output = output
        self.calls = calls

    @classmethod
    def _of(cls, failed: dict[str, Any]) -> RequestFailed:
        calls = tuple((call["operation"], call["error"]) for call in failed.get("calls", ()))
        return cls(failed["kind"], failed["message"], failed.get("output", ""), calls)


class WorkerLost(Dialog2ApiError):
    """The process of the sandbox has ended. The next call begins another one."""

    survived = False


class ProgramFailed(Dialog2ApiError):
    """The program ended with an error: what `Result.unwrap` raises. `error` has its name."""

    def __init__(self, error: str, message: str, traceback: str | None) -> None:
        super().__init__(f"{error}: {message}")
        self.error = error
        self.message = message
        self.traceback = traceback
