"""Draws a world by the functions of a game.py: `run(source, seed)` is the result of the program.

It gives `{"world": …}`, `{"about": …}` for no seed, or `{"wrong": sentence, "line": number}`.
"""

import random
import types

FILE = "game.py"
MOST = 1_000_000
OPTIONS = 1_000
NUMBER = "give a whole number from -1,000,000 to 1,000,000"
FORMS = {
    "draw": "draw(random)",
    "options": "options(world)",
    "points": "points(world, option, seat)",
    "score": "score(world, option)",
    "view": "view(world, seat)",
    "wishes": "wishes(world, seat)",
}
NEEDED = ("draw", "options", "points")
NAME = "a name has something in it, no blanks around it, and none of [, ], | and line breaks"


class Wrong(Exception):
    """What the author of the file reads, and the line that it is about."""

    def __init__(self, what, line=None):
        super().__init__(what)
        self.line = line


class Asked:
    """The functions of the file, which say what is wrong with what they give."""

    def __init__(self, game):
        self.game, self.said = game, None

    def has(self, name):
        return hasattr(self.game, name)

    def line(self, name):
        return getattr(getattr(getattr(self.game, name), "__code__", None), "co_firstlineno", None)

    def ask(self, name, world, *given):
        shown = ", ".join(["world" if name != "draw" else "random", *map(short, given)])
        self.said = f"{name}({shown})"
        try:
            return getattr(self.game, name)(world, *given)
        except BaseException as error:
            line = line_of(error) or self.line(name)
            raise Wrong(f"{self.said} raised {type(error).__name__}: {error}", line) from None

    def refuse(self, name, given, expected):
        raise Wrong(f"{self.said} gave {short(given)}: {expected}", self.line(name))


def short(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def line_of(error):
    """The last line of the file on the way to the error."""
    line, step = None, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE:
            line = step.tb_lineno
        step = step.tb_next
    return line


def is_name(value):
    return (
        isinstance(value, str) and value != "" and value.strip() == value
        and not any(c in "[]|" or ord(c) < 32 or 127 <= ord(c) < 160 for c in value)
    )


def is_number(value):
    return isinstance(value, int) and not isinstance(value, bool) and -MOST <= value <= MOST


def loaded(source):
    game = types.ModuleType("game")
    try:
        exec(compile(source, FILE, "exec"), game.__dict__)
    except SyntaxError as error:
        raise Wrong(f"this is no Python: {error.msg}", error.lineno) from None
    except BaseException as error:
        raise Wrong(f"{type(error).__name__}: {error}", line_of(error)) from None
    for name, form in FORMS.items():
        if name in NEEDED and not hasattr(game, name):
            raise Wrong(f"there is no function {name}: write `def {form}:`")
        if hasattr(game, name) and not callable(getattr(game, name)):
            raise Wrong(f"{name} is no function: write `def {form}:`")
    return game


def choices(asked, world):
    given = asked.ask("options", world)
    if not isinstance(given, (list, tuple)) or not 2 <= len(given) <= OPTIONS:
        asked.refuse("options", given, "give a list of 2 to 1,000 names, or dicts with a name")
    found, known = [], set()
    for option in given:
        values = dict(option) if isinstance(option, dict) else {"name": option}
        name = values.pop("name", None)
        if not is_name(name):
            asked.refuse("options", option, f"each option has a name, and {NAME}")
        if name.lower() in known:
            asked.refuse("options", given, f"two options are called {short(name)}")
        known.add(name.lower())
        for attribute, value in values.items():
            if isinstance(value, (int, float)):
                values[attribute] = value = str(value)
            if not is_name(attribute) or not is_name(value) or attribute == "option":
                asked.refuse(
                    "options", option,
                    f"an attribute and its value are names, none is called 'option', and {NAME}",
                )
        found.append({"name": name, "values": values})
    return found


def number(asked, function, world, *given):
    points = asked.ask(function, world, *given)
    if not is_number(points):
        asked.refuse(function, points, NUMBER)
    return points


def wishes(asked, world, seat, options, points):
    if not asked.has("wishes"):
        return [wish("option", option["name"], worth) for option, worth in zip(options, points)]
    given = asked.ask("wishes", world, seat)
    form = "give a list of (attribute, value, points), such as ('food', 'pasta', 7)"
    if not isinstance(given, (list, tuple)) or len(given) > OPTIONS:
        asked.refuse("wishes", given, form)
    found = []
    for one in given:
        if not isinstance(one, (list, tuple)) or len(one) != 3:
            asked.refuse("wishes", one, form)
        attribute, value, worth = one
        value = str(value) if isinstance(value, (int, float)) else value
        if not is_number(worth):
            asked.refuse("wishes", one, NUMBER)
        values = [has(option, attribute) for option in options]
        if value is None or value not in values:
            asked.refuse("wishes", one, "no option has this attribute with this value")
        found.append(wish(attribute, value, worth))
    return found


def has(option, attribute):
    return option["name"] if attribute == "option" else option["values"].get(attribute)


def wish(attribute, value, points):
    return {"attribute": attribute, "value": value, "points": points}


def view(asked, world, seat):
    given = asked.ask("view", world, seat)
    if not isinstance(given, str) or any(ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 for c in given):
        asked.refuse("view", given, "give a text of letters and line breaks")
    return given


def drawn(game, seed):
    asked = Asked(game)
    world = asked.ask("draw", random.Random(seed))
    options = choices(asked, world)
    names = [option["name"] for option in options]
    points = [[number(asked, "points", world, name, seat) for name in names] for seat in (0, 1)]
    found = {
        "options": options,
        "points": points,
        "wishes": [wishes(asked, world, seat, options, points[seat]) for seat in (0, 1)],
    }
    if asked.has("score"):
        found["scores"] = [number(asked, "score", world, name) for name in names]
    if asked.has("view"):
        found["views"] = [view(asked, world, seat) for seat in (0, 1)]
    return found


def about(game):
    name, seats = getattr(game, "NAME", None), getattr(game, "SEATS", None)
    if name is not None and not is_name(name):
        raise Wrong(f"NAME is {short(name)}: {NAME}")
    fields = {"name": str, "proposes": bool, "answers": bool}
    fits = seats is None or (
        isinstance(seats, (list, tuple)) and len(seats) == 2
        and all(isinstance(seat, dict) and isinstance(seat.get("name"), str) for seat in seats)
        and all(isinstance(value, fields.get(field, ())) for seat in seats for field, value in seat.items())
    )
    if not fits:
        form = '[{"name": "host", "proposes": True}, {"name": "guest", "answers": True}]'
        raise Wrong(f"SEATS is {short(seats)}: write two seats, such as {form}")
    return {"name": name, "seats": seats}


def run(source, seed):
    try:
        game = loaded(source)
        return {"about": about(game)} if seed is None else {"world": drawn(game, seed)}
    except Wrong as wrong:
        return {"wrong": str(wrong), "line": wrong.line}
