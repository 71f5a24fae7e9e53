# The client of domains whose sheets call programs on another domain. Its client, `_BASE`, is a
# module of its own here. The functions of `programs.py` are the owner's, and see what programs of
# that domain see; turn programs see neither.

import builtins
import datetime
import json
import sys

import _host

PROGRAM_GLOBALS = {}
_exceptions = {}

_FILE = "programs.py"

_base = type(sys)("_base")
exec(compile(_BASE, "base", "exec"), _base.__dict__)


class _Programs:
    """The functions of `programs.py`, which is read when the first one is wanted."""

    def __init__(self, spec):
        self._spec = spec
        self._names = None

    def __getattr__(self, name):
        if self._names is None:
            names = {"__name__": "programs", "__builtins__": builtins, **_base.PROGRAM_GLOBALS}
            if self._spec["base"]:
                names.update(_base.set_up(self._spec["base"]))
            exec(compile(self._spec["source"], _FILE, "exec"), names)
            self._names = names
        return self._names[name]


def set_up(text):
    """The owner's functions, under the name that `spec` gives them."""
    spec = json.loads(text)
    return {spec["handle"]: _Programs(spec)}
