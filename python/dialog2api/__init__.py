"""Programs of dialogue agents in a sandbox.

>>> import dialog2api
>>> with dialog2api.Sandbox() as sandbox:
...     world = sandbox.world("zoology")
...     ran = sandbox.run("s3.create_bucket(Bucket='my-new-attic')", world)
...     ran.ok, [str(change) for change in sandbox.world("zoology").diff(world)]
(True, ['+ my-new-attic/'])

Everything runs in a process of its own: neither a program that never ends nor a crash takes this
one with it. Nothing is sent anywhere unless a world or a model is on a server. `dialog2api.aio` has
the same for `asyncio`.
"""

from ._worker import PROTOCOL
from .conversation import Conversation, Event, Plan, Turn
from .datasets import Replay, load_dataset, replay
from .domain import Domain
from .errors import Dialog2ApiError, ProgramFailed, RequestFailed, WorkerLost
from .evaluation import Evaluation, evaluate
from .replies import Claims, claims
from .sandbox import Call, Change, Link, ProgramError, Result, Sandbox, World

__all__ = [
    "PROTOCOL", "Call", "Change", "Claims", "Conversation", "Dialog2ApiError", "Domain",
    "Evaluation", "Event", "Link", "Plan", "ProgramError", "ProgramFailed", "Replay",
    "RequestFailed", "Result", "Sandbox", "Turn", "WorkerLost", "World", "claims", "evaluate",
    "load_dataset", "replay",
]
