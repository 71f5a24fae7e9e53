"""The original's code beside ours: the same sheets, the same state, the same program; which acts?

    python3 -m venv /tmp/genie && /tmp/genie/bin/pip install --no-deps genie-worksheets==1.0.0b3
    /tmp/genie/bin/pip install loguru beautifulsoup4 pygments uvicorn termcolor
    cargo run -p worksheets --example turns -- FOLDER > /tmp/turns.jsonl
    /tmp/genie/bin/python crates/worksheets/scripts/original.py /tmp/turns.jsonl [--all]

Every turn begins with our state, which is built in the original's objects, so that no difference
is counted twice. `--all` prints the turns that differ. No model is asked, nothing is sent.
"""

import ast
import builtins
import collections
import contextlib
import io
import json
import os
import re
import sys
import tempfile
from types import ModuleType, SimpleNamespace

os.environ["GENIE_OPEN_WS"] = "1"  # As the first paper says that the agent opens sheets.


def quiet():
    """Imports the original's policy without what it needs for models and for Google's sheets."""
    import importlib.util

    where = importlib.util.find_spec("worksheets").submodule_search_locations[0]
    for name in ("worksheets", "worksheets.components"):
        module = ModuleType(name)
        module.__path__ = [os.path.join(where, *name.split(".")[1:])]
        sys.modules[name] = module
    for name, names in {
        "worksheets.llm": ["llm_generate", "llm_generation_chain"],
        "worksheets.utils.gsheet": ["fill_all_empty", "retrieve_gsheet"],
    }.items():
        sys.modules[name] = ModuleType(name)
        for one in names:
            setattr(sys.modules[name], one, None)
    from loguru import logger

    logger.remove()


sys.path.append(os.path.dirname(os.path.abspath(__file__)))
quiet()
import rules  # noqa: E402
from translate import Lacking, Translate, missing  # noqa: E402
from worksheets.components import agent_policy, rewriter  # noqa: E402
from worksheets.core import CurrentDialogueTurn, GenieContext, GenieRuntime  # noqa: E402
from worksheets.core import GenieResult, GenieValue, agent_acts  # noqa: E402
from worksheets.core.worksheet import Answer  # noqa: E402
from worksheets.specification import from_spreadsheet  # noqa: E402
from worksheets.utils.field import get_genie_fields_from_ws as fields_of  # noqa: E402
from worksheets.utils.worksheet import count_worksheet_variables  # noqa: E402


class Original:
    """The original's runtime in a state of ours."""

    def __init__(self, sheets, turn):
        self.turn, self.answers, self.calls = turn, answers(turn), calls(turn)
        functions = [scripted(name, self.calls) for name in sorted(functions_of(sheets))]
        history = SimpleNamespace(dlg_history=[])

        def suql_runner(question, columns):
            return self.query(question, columns)

        self.runtime = GenieRuntime(None, api=functions, agent=history, suql_runner=suql_runner)
        self.kinds = {sheet["ws_name"]: sheet for sheet in sheets}
        for kind in load(sheets):
            for cls in kind:
                db = issubclass(cls, from_spreadsheet.GenieDB)
                (self.runtime.add_db_model if db else self.runtime.add_worksheet)(cls)
        self.context = self.runtime.context.context
        self.context["NA"] = "NA"
        self.names, self.before = {}, set()
        self.restore(turn["before"])
        history.dlg_history.append(self.previous(turn["before"]["acts"]))

    def restore(self, state):
        records = [
            one for one in state["records"] if one.get("status") not in ("exited", "proposed")
        ]
        for one in records:
            task = "sheet" in one
            made = self.context[one["sheet"]]() if task else self.answer(one)
            name = one["var"] if task else f"_{one['var']}"
            self.context[name], self.names[id(made)] = made, one["var"]
            self.before.add(one["var"])
        for one in records:
            if "sheet" in one:
                self.fill(self.context[one["var"]], one)
        self.runtime.order_of_actions.extend(
            name for name in state["focus"] if name in self.context
        )

    def fill(self, made, one):
        for name, slot in one.get("fields", {}).items():
            field = getattr(made, name, None)
            if field is None:
                continue  # Output fields are none there.
            if "value" not in slot and slot.get("declined"):
                slot = {**slot, "value": "NA"}
            if "value" in slot:
                value = self.value(slot["value"])
                field._value = value if isinstance(value, GenieValue) else GenieValue(value)
                field._value.confirmed = slot.get("confirmed", False)
            field.action_performed = slot.get("acted", False)
        made.action_performed = one.get("status") == "done"
        if "result" in one:
            made.result = GenieResult(one["result"], made, one["var"])

    def value(self, value):
        if isinstance(value, dict) and "ref" in value:
            return self.context.get(value["ref"])
        if isinstance(value, dict) and "row" in value:
            var, at = value["row"]
            return self.context[f"_{var}"].result.value[at]
        if isinstance(value, dict) and "result" in value:
            return self.context[f"_{value['result']}"].result
        return value

    def answer(self, one):
        tables = [name for name in one.get("tables", []) if name in self.context]
        made = Answer(one["question"], missing(one.get("missing")), tables, one["question"])
        made.action_performed = one.get("status") in ("done", "failed")
        rows = made.output_in_result(one.get("rows", []))
        made.result = GenieResult(typed(rows), made, one["var"])
        return made

    def previous(self, acts):
        acts = [re.fullmatch(r"Ask\((\w+), (\w+)\).*", act) for act in acts]
        asked = [
            agent_acts.AskAgentAct(self.context[act[1]], getattr(self.context[act[1]], act[2]))
            for act in acts
            if act and act[1] in self.context
        ]
        return SimpleNamespace(system_action=SimpleNamespace(actions=asked))

    def query(self, question, _columns):
        """What the query came to in our turn, in the place of the original's SUQL."""
        waiting = [one for one in self.context.values() if isinstance(one, Answer)]
        for one in waiting:
            filled = [(field.name, field.value) for field in fields_of(one)[1:] if field.value]
            if one.query.value == question and filled:
                given = ", ".join(f"{name}: {value}" for name, value in filled)
                return self.answers.get(f"{question} ({given})", {}).get("rows", [])
        return self.answers.get(question, {}).get("rows", [])

    def program(self):
        """The turn's program as the original's parser would have written it."""
        tree = Translate(self).visit(ast.parse(self.turn["program"]))
        known = [cls.__name__ for cls in self.runtime.genie_worksheets] + ["Answer"]
        counts = count_worksheet_variables(self.context)
        code = ast.unparse(ast.fix_missing_locations(tree))
        return rewriter.rewrite_code_to_extract_funcs(code, known, [], counts)

    def run(self):
        turn = CurrentDialogueTurn()
        turn.user_target = self.program()
        turn.context, turn.global_context = GenieContext(), GenieContext()
        agent_policy.AgentPolicyManager(self.runtime).run_policy(turn)
        acts = [self.act(act) for act in self.runtime.context.agent_acts.actions]
        return sorted(set(acts))

    def act(self, act):
        kind = type(act).__name__
        if kind == "ReportAgentAct":
            if act.query is None:
                return f"Say({json.dumps(act.message, ensure_ascii=False)})"
            return f"Report({self.name(act.message.parent)})"
        if kind == "ProposeAgentAct":
            return f"Propose({type(act.ws).__name__})"
        word = "Ask" if kind == "AskAgentAct" else "Confirm"
        return f"{word}({self.name(act.ws)}, {act.field.name})"

    def name(self, made):
        known = self.names.get(id(made))
        if known:
            return known
        return "new answer" if isinstance(made, Answer) else f"new {type(made).__name__}"


def typed(rows):
    """Of rows that have a form the original lists the plain ones as well."""
    return [row for row in rows if not isinstance(row, dict)] or rows


def load(sheets):
    """The sheets by the original's reader, adapted where one difference would hide all others:
    it lacks the type `text`; it writes `.value` behind any field's name, also that of a named
    argument; a function and a record share their names; and a confirm field that is not
    required is never asked before the call."""
    functions = "|".join(sorted(functions_of(sheets)))
    sheets = json.loads(json.dumps(sheets))
    for sheet in sheets:
        call = re.sub(r"\b\w+=(?=self\.)", "", sheet["ws_backend_api"])
        sheet["ws_backend_api"] = renamed(functions, call)
        sheet["ws_actions"] = renamed(functions, sheet["ws_actions"])
        for field in sheet["fields"]:
            field["field_type"] = re.sub(r"\btext\b", "str", field["field_type"])
            field["field_actions"] = renamed(functions, field["field_actions"])
            if field["field_type"] == "confirm" and "--as-written" not in sys.argv:
                field["field_required"] = not field["field_dont_ask"]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(sheets, file)
        file.flush()
        return from_spreadsheet.specification_to_genie(json_path=file.name)


def renamed(functions, code):
    return re.sub(rf"(?<![\w.])({functions})\(", r"call_\1(", code) if functions else code


def functions_of(sheets):
    """Names that cells call and the original does not have."""
    names = {"propose", "say", "confirm", "answer", "exitws", "handoff", "done", *dir(builtins)}
    cells = [sheet["ws_backend_api"] + "\n" + sheet["ws_actions"] for sheet in sheets]
    cells += [field["field_actions"] for sheet in sheets for field in sheet["fields"]]
    called = {name for cell in cells for name in re.findall(r"(?<![\w.])(\w+)\(", cell)}
    return called - names - {sheet["ws_name"] for sheet in sheets}


def scripted(name, calls):
    def function(*_args, **_named):
        answers = calls.get(name, [])
        answer = answers.pop(0) if answers else {}
        if "error" in answer or "field" in answer:
            raise RuntimeError(answer.get("message", ""))
        return answer.get("result")

    function.__name__ = f"call_{name}"
    return function


def answers(turn):
    """What questions come to, by their text."""
    if "answers" in turn:
        return turn["answers"]
    after = {
        one["var"]: one for one in turn.get("after", {}).get("records", []) if "question" in one
    }
    out = {}
    for one in turn.get("outcome", {}).get("queries", []):
        record = after.get(one["var"], {})
        given = ", ".join(f"{name}: {value}" for name, value in record.get("params", {}).items())
        out[f"{record.get('question')} ({given})" if given else record.get("question")] = one
    return out


def calls(turn):
    """What functions answer, by their name, in order."""
    if "outcome" not in turn:
        return {name: list(made) for name, made in turn.get("calls", {}).items()}
    out = collections.defaultdict(list)
    for one in turn["outcome"].get("calls", []):
        out[one["call"].split("(")[0]].append(one)
    return out


def ours(turn, before):
    """Our acts in the form that is compared: without reasons, new records by their sheet."""
    records = {one["var"]: one for one in turn["after"]["records"]}

    def named(var):
        if var in before:
            return var
        return f"new {records[var].get('sheet', 'answer')}" if var in records else var

    out = []
    for act in turn["acts"]:
        act = re.sub(r" \[\w+\]$|, verbatim=True(?=\)$)", "", act)
        kind, rest = act.split("(", 1)
        if kind == "Propose":
            act = f"Propose({records[rest[:-1]]['sheet']})"
        elif kind in ("Ask", "Confirm", "Report"):
            var, *field = rest[:-1].split(", ")
            act = f"{kind}({', '.join([named(var), *field])})"
        out.append(act)
    return sorted(set(out))


def main():
    path, *flags = sys.argv[1:]
    with open(path) as file:
        books, *turns = map(json.loads, file)
    table, explained = collections.defaultdict(collections.Counter), collections.Counter()
    for turn in turns:
        sheets, wanted, found, why = books["sheets"][turn["sheets"]], [], None, ""
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                original = Original(sheets, turn)
                wanted = ours(turn, original.before)
                found = original.run()
            except Lacking as lacks:
                why = f"lacks {lacks}"
            except Exception as error:
                why = f"raises {type(error).__name__}: {error}"
        counts = table[turn["sheets"]]
        counts["turns"] += 1
        if found == wanted:
            counts["same"] += 1
            continue
        counts["other"] += 1
        rule = rules.rule(rules.Turn(turn, sheets, found, why))
        explained[rule] += 1
        if "--all" in flags:
            print(
                f"{turn['id']}\n  {turn['program']!r}\n  ours {turn['acts']}\n  original {why or found}\n  {rule}"
            )
    for name, counts in table.items():
        print(f"{name}: {counts['turns']} turns, {counts['same']} same, {counts['other']} other")
    for name, count in explained.most_common():
        print(f"{count:4} {name}")


main()
