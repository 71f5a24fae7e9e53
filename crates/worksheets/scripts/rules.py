"""Which rule of ours explains that the original does something else in a turn: the first that fits."""

import re


class Turn:
    """A turn, our acts with their reasons, and the original's acts or its exception."""

    def __init__(self, turn, sheets, found, why):
        self.program, self.acts, self.found, self.why = (
            turn["program"],
            turn["acts"],
            found or [],
            why,
        )
        self.before = {one["var"]: one for one in turn["before"]["records"]}
        self.after = {one["var"]: one for one in turn["after"]["records"]}
        made = turn.get("outcome", {}).get("calls") or sum(turn.get("calls", {}).values(), [])
        self.refused_by_backend = any("field" in one for one in made)
        self.failed = any("error" in one for one in made) or bool(
            re.search("error", str(turn.get("effects")))
        )
        self.sheets = {sheet["ws_name"]: sheet for sheet in sheets}
        self.fields = {
            (sheet["ws_name"], field["field_name"]): field
            for sheet in sheets
            for field in sheet["fields"]
        }

    def reason(self, *names):
        return any(act.endswith(f" [{name}]") for act in self.acts for name in names)

    def ours(self, pattern):
        return any(re.search(pattern, act) for act in self.acts)

    def theirs(self, pattern):
        return any(re.search(pattern, act) for act in self.found)

    def question(self):
        """Record and field that we ask for."""
        asked = [re.match(r"Ask\((\w+), ([\w.]+)\)", act) for act in self.acts]
        return next(((act[1], act[2]) for act in asked if act), (None, None))

    def asks_confirm(self):
        var, field = self.question()
        sheet = self.after.get(var, {}).get("sheet")
        return self.fields.get((sheet, field), {}).get("field_type") == "confirm"

    def declined(self, required):
        """Whether a field that is required (or is not) was refused."""
        for one in self.after.values():
            for name, slot in one.get("fields", {}).items():
                field = self.fields.get((one.get("sheet"), name), {})
                if slot.get("declined") and field.get("field_required") == required:
                    return True
        return False

    def passed_over(self):
        slots = [slot for one in self.after.values() for slot in one.get("fields", {}).values()]
        return any(slot.get("asked", 0) >= 2 and "value" not in slot for slot in slots)

    def root(self, var):
        holders = {
            slot["value"]["ref"]: one["var"]
            for one in self.after.values()
            for slot in one.get("fields", {}).values()
            if isinstance(slot.get("value"), dict) and "ref" in slot["value"]
        }
        while var in holders:
            var = holders[var]
        return var

    def their_record(self):
        """The record that the original asks of; a new one is told by its sheet."""
        theirs = [re.match(r"Ask\(([\w ]+),", act) for act in self.found]
        return next((act[1] for act in theirs if act), None)

    def other_focus(self):
        """Whether both ask, of records that both have: of another root, or of an inner record
        that was made first."""
        ours, theirs = self.question()[0], self.their_record()
        if theirs and theirs.startswith("new "):
            theirs = next(
                (var for var, one in self.after.items() if one.get("sheet") == theirs[4:]), None
            )
        if not ours or theirs not in self.after or ours == theirs:
            return False
        order = list(self.after)
        return self.root(ours) != self.root(theirs) or order.index(theirs) < order.index(ours)

    def adopted(self):
        """Whether the program makes a record alone that then stands within another."""
        made = re.match(r"([A-Z]\w+)\(", self.program)
        new = [
            var
            for var, one in self.after.items()
            if var not in self.before and made and one.get("sheet") == made[1]
        ]
        return bool(made) and all(self.root(var) != var for var in new)

    def taken_back(self):
        """Whether a yes was given, now or before, and we ask for it."""
        var, field = self.question()
        now = bool(re.search(rf"\b{field} = (True|False)", self.program))
        was = self.before.get(var, {}).get("fields", {}).get(field, {}).get("value")
        return self.asks_confirm() and (now or was is True)

    def opened(self):
        """Whether only one of both opens a sheet."""
        theirs = [act for act in self.found if "(new " in act]
        sheets = {one.get("sheet") for var, one in self.after.items() if var not in self.before}
        ours = [
            one
            for var, one in self.after.items()
            if var not in self.before and one.get("by") == "agent"
        ]
        only_theirs = any(
            re.search(r"new (\w+)", act)[1] not in sheets | {"answer"} for act in theirs
        )
        return only_theirs or bool(ours) and self.question()[0] in [one["var"] for one in ours]

    def action_after_call(self):
        cells = [
            one for name, one in self.sheets.items() if one["ws_backend_api"] and one["ws_actions"]
        ]
        reported = [
            self.after[act[1]].get("sheet") for act in self.reports() if act[1] in self.after
        ]
        return any(one["ws_name"] in reported for one in cells)

    def reports(self):
        acts = [re.match(r"Report\((\w+)\)", act) for act in self.acts]
        return [act for act in acts if act]


RULES = [
    (
        "2.4, 13.2 show, exitws, handoff, repeat: the original has no such word",
        lambda t: t.why.startswith("lacks"),
    ),
    (
        "two rows of one row type: the original raises AttributeError",
        lambda t: "no attribute 'bot'" in t.why,
    ),
    (
        "a named argument is a field's name: the original raises SyntaxError",
        lambda t: "SyntaxError" in t.why,
    ),
    ("13.1 Reset: what no longer holds is asked again", lambda t: t.reason("stale")),
    ("13.2 handoff of an action", lambda t: t.ours("^Handoff")),
    (
        "13.3 say(…, verbatim=True): the original's say has no such argument",
        lambda t: t.ours("verbatim=True"),
    ),
    ("2.4 after EndDialog nothing is asked", lambda t: "EndDialog" in t.program),
    (
        "3.3 a sheet's action runs after its call; the original leaves it out",
        lambda t: t.action_after_call(),
    ),
    ("1.6 FieldError: the field is asked again", lambda t: t.refused_by_backend),
    ("1.3, 1.6 types, options and validation are enforced", lambda t: t.reason("invalid")),
    ("1.4 a no confirms nothing", lambda t: t.reason("declined")),
    (
        "3.4 a failed call or action: the record stays open, nothing else is asked",
        lambda t: t.reason("failed") or t.failed,
    ),
    (
        "3.3 several rows or none: the field is asked",
        lambda t: t.reason("choose")
        or t.ours(r"^Report\(answer")
        and t.theirs("^Confirm")
        and t.ours("^Ask"),
    ),
    (
        "2.4 a row that is picked needs no confirmation",
        lambda t: ".result[" in t.program and t.theirs("^Confirm"),
    ),
    (
        "2.4 confirm() counts only where it was asked for",
        lambda t: "confirm(" in t.program and t.ours("^Confirm"),
    ),
    (
        "2.4 a query that waits for a parameter is given up for the next",
        lambda t: t.theirs(r"^Ask\(answer"),
    ),
    (
        "2.4 a record has one place",
        lambda t: re.search(r"= [a-z]\w*$", t.program) and t.question()[0] == t.their_record(),
    ),
    ("1.4 a change takes a yes back", lambda t: t.taken_back()),
    (
        "1.1 Default: the original has no such column",
        lambda t: any(
            "field_default" in field and field["field_name"] in str(t.found)
            for field in t.fields.values()
        ),
    ),
    ("2.6 a record without a place gets one", lambda t: t.adopted()),
    (
        "4.3 what was touched last goes first, then the sheet's order; the original: the oldest record",
        lambda t: t.other_focus(),
    ),
    ("1.7, 1.5 which sheet the agent opens, and when", lambda t: t.opened() or not t.found),
    (
        "1.2 a refusal leaves a required field open",
        lambda t: t.reason("refused", "stuck") or t.declined(True),
    ),
    (
        "1.2 an optional field is asked twice at most, and can be refused",
        lambda t: t.declined(False) or t.passed_over(),
    ),
]


def rule(turn):
    """The first rule that fits, or that none does."""
    return next((name for name, fits in RULES if fits(turn)), "none of these")
