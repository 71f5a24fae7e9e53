# How a class's instance is built from the state for one call, and put back after it.

import decimal
import json
import random
from fractions import Fraction


class _Random(random.Random):
    """A seeded generator that counts the 32-bit words it has dealt, so that its place fits into two numbers."""

    def __init__(self, seed):
        self.first, self.drawn = seed, 0
        super().__init__(seed)

    def random(self):
        self.drawn += 2
        return super().random()

    def getrandbits(self, bits):
        self.drawn += (bits + 31) // 32
        return super().getrandbits(bits)


class _Mpf:
    """A binary number of limited precision: what `mpmath` answers, as far as it is used here."""

    def __init__(self, value, precision):
        self.precision, self.digits = precision, max(1, precision)
        bits = max(1, round((precision + 1) * 3.3219280948873626))
        exponent = value.numerator.bit_length() - value.denominator.bit_length()
        if abs(value) < Fraction(2) ** exponent:
            exponent -= 1
        scale = Fraction(2) ** (bits - 1 - exponent)
        self.value = Fraction(round(value * scale)) / scale

    def __truediv__(self, other):
        if not other.value:
            raise ZeroDivisionError
        return _Mpf(self.value / other.value, self.precision)

    def __str__(self):
        if not self.value:
            return "0.0"
        value, sign = abs(self.value), "-" if self.value < 0 else ""
        exponent = len(str(value.numerator)) - len(str(value.denominator))
        if value < Fraction(10) ** exponent:
            exponent -= 1
        digits = int(value * Fraction(10) ** (self.digits - 1 - exponent) + Fraction(1, 2))
        if digits == 10**self.digits:
            digits, exponent = digits // 10, exponent + 1
        text, split, power = str(digits), 1, f"e{exponent:+d}"
        if min(-(self.digits // 3), -5) < exponent < self.digits:
            text, split, power = "0" * -exponent + text, max(exponent, 0) + 1, ""
        text = f"{text[:split]}.{text[split:]}".rstrip("0")
        return sign + text + ("0" if text.endswith(".") else "") + power


class _Mpmath:
    """Stands for the module `mpmath`: natural logarithms with a chosen number of digits."""

    def __init__(self):
        self.mp, self.dps = self, 15

    def log(self, value):
        precision = int(self.dps)
        with decimal.localcontext(decimal.Context(prec=2 * abs(precision) + 30)):
            return _Mpf(Fraction(decimal.Decimal(value).ln()), precision)


def _sum(values):
    """The sum by plain additions; since Python 3.12 that of floats is compensated, but not everywhere."""
    total = 0
    for value in values:
        total = total + value
    return total


# The classes' modules, as functions that answer with the module's names; filled in after them.
_MODULES = {}
# Long texts and lists that some classes answer with in long dialogues, as JSON; filled in too.
_LONG_TEXTS = {}
# Attributes that nothing reads after the call.
_DROPPED = ("_api_description", "_flight_cost_lookup")
# Attributes with whole numbers among their keys.
_NUMBERED = ("orders", "tweets", "comments")


def _long_text(name):
    return json.loads(_LONG_TEXTS[name])


def _plain(value):
    """A copy of a value in the types of JSON; what JSON lacks becomes its text."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _is_number(text):
    return text.isascii() and text.removeprefix("-").isdigit() and str(int(text)) == text


def _to_key(key):
    """A whole number as its digits; a text that would be mistaken for one in quotation marks."""
    if isinstance(key, str):
        return json.dumps(key) if _is_number(key) or key.startswith('"') else key
    return str(key)


def _from_key(key):
    return json.loads(key) if key.startswith('"') else int(key) if _is_number(key) else key


def _dump_files(root, current):
    """Directories as nested objects, in the form of a scenario.

    A place is a list of names that begins with the name of the root. Three
    things do not fit a tree, and appear only where they occur: an item that
    two directories hold (`link`), a directory whose parent is not its holder
    (`parent`), and a directory that is nobody's item but is still a parent or
    the current one (in `_detached`; its place begins with its number there).
    """
    places, directories, detached = {}, [], []

    def visit(item, place):
        if id(item) in places:
            return
        places[id(item)] = place
        if hasattr(item, "contents"):
            directories.append(item)
            if id(item.contents) not in places:
                places[id(item.contents)] = place
                for name, child in item.contents.items():
                    visit(child, [*place, name])

    def detach(item):
        if item is not None and id(item) not in places:
            detached.append(item)
            visit(item, [len(detached) - 1])

    def save(item, place, holder):
        if places[id(item)] != place:
            return {"type": "link", "to": places[id(item)]}
        if not hasattr(item, "contents"):
            return {"type": "file", "content": item.content}
        saved = {"type": "directory"}
        if places[id(item.contents)] != place:
            saved["contents_of"] = places[id(item.contents)]
        else:
            saved["contents"] = {name: save(child, [*place, name], item) for name, child in item.contents.items()}
        if item.parent is not holder:
            saved["parent"] = None if item.parent is None else places[id(item.parent)]
        return saved

    visit(root, [root.name])
    detach(current)
    for directory in directories:
        detach(directory.parent)
    state = {"root": {root.name: save(root, [root.name], None)}, "_current_dir": places[id(current)]}
    if detached:
        state["_detached"] = [{"name": item.name, **save(item, [i], None)} for i, item in enumerate(detached)]
    return state


def _load_files(names, saved):
    """The root and the current directory."""
    found, later = {}, []

    def build(name, saved, place, holder):
        if saved["type"] == "file":
            item = object.__new__(names["File"])  # its constructor would ask for the time
            item.name, item.content = name, saved["content"]
        else:
            item = names["Directory"](name, holder)
            for child, below in saved.get("contents", {}).items():
                if below["type"] == "link":
                    item.contents[child] = None  # keeps its turn
                    later.append((item.contents.__setitem__, child, below["to"]))
                else:
                    item.contents[child] = build(child, below, (*place, child), item)
            if "contents_of" in saved:
                later.append((lambda _, other: setattr(item, "contents", other.contents), None, saved["contents_of"]))
            if "parent" in saved:
                later.append((item.__setattr__, "parent", saved["parent"]))
        found[place] = item
        return item

    for name, root in saved["root"].items():
        build(name, root, (name,), None)
    for number, other in enumerate(saved.get("_detached", [])):
        build(other["name"], other, (number,), None)
    for put, name, place in later:
        put(name, None if place is None else found[tuple(place)])
    return found[(next(iter(saved["root"])),)], found[tuple(saved["_current_dir"])]


def _load(names, owner, saved):
    """An instance of the class `owner` with the attributes of its state."""
    instance = names[owner]()
    for name, value in saved.items():
        if name == "_random":
            instance._random = _Random(value["seed"])
            for _ in range(value["drawn"]):
                instance._random.getrandbits(32)
        elif name == "generated_ids":
            instance.generated_ids = set(value)
        elif name in _NUMBERED:
            setattr(instance, name, {_from_key(key): _plain(item) for key, item in value.items()})
        elif name == "root":
            instance.root, instance._current_dir = _load_files(names, saved)
        elif name not in ("_current_dir", "_detached"):
            setattr(instance, name, _plain(value))
    return instance


def _dump(instance):
    """The state of an instance: its attributes, hidden ones included."""
    state = {}
    for name, value in vars(instance).items():
        if name in _DROPPED:
            continue
        if name == "_random":
            state[name] = {"seed": value.first, "drawn": value.drawn}
        elif name == "generated_ids":
            state[name] = sorted(value)
        elif name in _NUMBERED:
            state[name] = {_to_key(key): _plain(item) for key, item in value.items()}
        elif name == "root":
            state.update(_dump_files(value, instance._current_dir))
        elif name != "_current_dir":
            state[name] = _plain(value)
    return state


def _same(one, other):
    """Whether two values are the same, in type and in the order of keys too."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other


def _save(saved, attributes):
    """Puts changed attributes into the state. What is as it was stays untouched, for a write counts as a change."""
    for name in [name for name in saved if name not in attributes]:
        del saved[name]
    for name, value in attributes.items():
        if name not in saved or not _same(saved[name], value):
            saved[name] = value


def _call(state, owner, method, **arguments):
    """Calls a method of a class on the state; a class that the state lacks has no functions."""
    if owner not in state:
        raise NameError(f"name {method!r} is not defined")
    instance = _load(_MODULES[owner](), owner, state[owner])
    result = _plain(getattr(instance, method)(**arguments))
    _save(state[owner], _dump(instance))
    return result
