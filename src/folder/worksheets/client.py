# What programs of a worksheet domain see. This text stands behind that of `../client.py`, whose
# handle becomes functions here. Everything that a program does to the dialogue state is a call
# that the host answers; the host decides what a program may do.


class ClosedWorksheet(Exception):
    """A record that is done or was given up never changes again."""


def _desk(operation, **params):
    try:
        return _unmarked(_host.call(operation, params))
    except _host.Refusal as refusal:
        kind = ClosedWorksheet if refusal.code == "ClosedWorksheet" else None
        kind = kind or getattr(builtins, refusal.code, None) or _exceptions.get(refusal.code)
        if kind is None:
            raise
        message = refusal.message
    raise kind(message)


class _Confirmed:
    def __init__(self, value):
        self.value = value


def _given(value):
    """A value as the host reads it."""
    if isinstance(value, _Record):
        return {"ref": _var(value)}
    if isinstance(value, _Query):
        return {"result": _var(value)}
    if isinstance(value, _Rows):
        return {"result": value._query}
    if isinstance(value, _Row):
        return {"row": [value._query, value._at]}
    if isinstance(value, _Confirmed):
        return {"confirm": _given(value.value)}
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M")
    if isinstance(value, _Sheet):
        raise TypeError(f"{value._name} is a sheet: {value._name}(…) is a record of it")
    if isinstance(value, dict):
        return {str(key): _given(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_given(item) for item in value]
    if isinstance(value, (bytes, bytearray)):
        raise TypeError("a form has no bytes; give it a text, as value.decode()")
    # No form has such a number, so it is passed as a text: a field for texts keeps it, and one for
    # numbers refuses it.
    if isinstance(value, int) and value.bit_length() > 63:
        return str(int(value))
    if isinstance(value, float) and value - value != 0.0:
        return str(value)
    return value


def _got(value):
    """A value as the host gives it."""
    kind, it = value["is"], value.get("value")
    if kind == "record":
        return _Record(it)
    if kind == "row":
        return _Row(it[0], it[1], value["row"])
    if kind == "result":
        return _Rows(it, value["rows"])
    if kind == "list":
        return [_got(item) for item in it]
    return it


def _plain(value):
    """A value as the owner's functions get it."""
    if isinstance(value, _Record):
        return _desk("plain", record=_var(value))
    if isinstance(value, _Query):
        value = value.result
    if isinstance(value, _Rows):
        return [dict(row) for row in value._rows]
    if isinstance(value, _Row):
        return dict(value._row)
    if isinstance(value, _Confirmed):
        return _plain(value.value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (int, float, bytes, bytearray)):
        return value
    return _given(value)


class _Sheet:
    def __init__(self, name):
        self._name = name

    def __call__(self, *args, **fields):
        if args:
            raise TypeError(f"{self._name}(…) takes its fields by name")
        fields = {name: _given(value) for name, value in fields.items()}
        return _Record(_desk("new", sheet=self._name, fields=fields))

    def __repr__(self):
        return self._name


_own = object.__getattribute__


def _var(record):
    return _own(record, "_name")


class _Record:
    __slots__ = ("_name", "_is_self")

    def __init__(self, name, is_self=False):
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_is_self", is_self)

    def __getattr__(self, field):
        if field.startswith("__"):
            raise AttributeError(field)
        return _got(_desk("read", record=_var(self), field=field, up=_own(self, "_is_self")))

    def __setattr__(self, field, value):
        record, up = _var(self), _own(self, "_is_self")
        _desk("set", record=record, field=field, value=_given(value), up=up)

    def __eq__(self, other):
        return isinstance(other, _Record) and _var(self) == _var(other)

    def __hash__(self):
        return hash(_var(self))

    def __repr__(self):
        return _var(self)


class _Query:
    __slots__ = ("_name",)

    def __init__(self, name):
        object.__setattr__(self, "_name", name)

    @property
    def result(self):
        return _Rows(_var(self), _desk("rows", query=_var(self)))

    def __setattr__(self, column, value):
        _desk("param", record=_var(self), field=column, value=_given(value))

    def __repr__(self):
        return _var(self)


class _Rows:
    def __init__(self, query, rows):
        self._query = query
        self._rows = rows

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, at):
        if not isinstance(at, int):
            raise TypeError("a row is named by its number, from 0")
        count = len(self._rows)
        if not -count <= at < count:
            raise IndexError(f"{self._query} has {count} row{'s' * (count != 1)}")
        at %= count
        return _Row(self._query, at, self._rows[at])

    def __iter__(self):
        return (self[at] for at in range(len(self._rows)))


class _Row:
    def __init__(self, query, at, row):
        self._query = query
        self._at = at
        self._row = row

    def __getattr__(self, column):
        if column.startswith("__"):
            raise AttributeError(column)
        return self._row.get(column)

    def __getitem__(self, column):
        return self._row[column]

    def __eq__(self, other):
        return isinstance(other, _Row) and self._row == other._row


class _Answer:
    """`answer(question)` asks; `answer.result` is what was found last."""

    def __init__(self):
        self._last = None

    def __call__(self, question, sql=None):
        self._last = _desk("answer", question=str(question), sql=sql)
        return _Query(self._last)

    @property
    def result(self):
        if self._last is None:
            raise AttributeError("nothing was asked yet")
        return _Query(self._last).result


def _named(record, what):
    if record is None and _self is not None:
        record = _self
    if not isinstance(record, (_Record, _Query)):
        raise TypeError(f"{what}(…) takes a record")
    return _var(record)


def accept(record):
    _desk("accept", record=_named(record, "accept"))


def reject(record):
    _desk("reject", record=_named(record, "reject"))


def exitws(record=None):
    _desk("exit", record=_named(record, "exitws"))


def show(record):
    _desk("show", record=_named(record, "show"))


def say(text, verbatim=False):
    _desk("say", text=str(text), verbatim=bool(verbatim))


def propose(sheet, fields):
    name = sheet._name if isinstance(sheet, _Sheet) else str(sheet)
    fields = {name: _given(value) for name, value in fields.items()}
    made = _desk("propose", sheet=name, fields=fields)
    return None if made is None else _Record(made)


def handoff(reason=""):
    _desk("handoff", reason=str(reason))


def repeat():
    _desk("repeat")


_set_up_api = set_up
_self = None


class _Function:
    """A function of the owner's, whose calls are recorded as text."""

    def __init__(self, name, call):
        self._name = name
        self._call = call

    def __call__(self, *args, **kwargs):
        args = [_plain(value) for value in args]
        kwargs = {key: _plain(value) for key, value in kwargs.items()}
        shown = [_json(value) for value in args]
        shown += [f"{key}={_json(value)}" for key, value in kwargs.items()]
        _desk("calling", text=f"{self._name}({', '.join(shown)})")
        return self._call(*args, **kwargs)


def _json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def set_up(text):
    """The globals of a program: sheets, records, built-ins, and the owner's functions."""
    global _self
    spec = json.loads(text)
    names = _set_up_api(text)
    api = names.pop(spec["handle"])
    opened = _desk("open")
    names.update(PROGRAM_BUILT_INS)
    names.update({name: _Sheet(name) for name in opened["sheets"]})
    names.update({name: None for name in opened["absent"]})
    names.update({name: _Record(name) for name in opened["records"]})
    queries = opened["queries"]
    names.update({name: _Query(name) for name in queries})
    names["answer"] = _Answer()
    names["answer"]._last = queries[-1] if queries else None
    _self = None
    if opened["mode"] != "turn":
        for name, _ in spec["operations"]:
            names[name] = _Function(name, getattr(api, name))
        me = opened["self"]
        _self = _got(me)
        if me["is"] == "record":
            _self = _Record(me["value"], True)
        names["self"] = _self
    return names


PROGRAM_BUILT_INS = {
    "accept": accept,
    "reject": reject,
    "exitws": exitws,
    "show": show,
    "say": say,
    "propose": propose,
    "handoff": handoff,
    "repeat": repeat,
    "confirm": _Confirmed,
    "NA": "NA",
    "ClosedWorksheet": ClosedWorksheet,
    "datetime": datetime,
}
