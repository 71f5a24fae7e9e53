"""Our turn programs in the original's words."""

import ast
import collections

CONVERSATIONAL = "ChitChat FAQ OutOfScopeRequestError AmbiguousRequestError OverSpecificationError EndDialog".split()
# What turn programs of ours may do and the original's cannot.
LACKING = {"reject", "show", "exitws", "handoff", "repeat"}


class Lacking(Exception):
    """The program does what the original has no word for."""


class Translate(ast.NodeTransformer):
    """Our turn program in the original's words."""

    def __init__(self, original):
        self.original = original
        self.proposed = {
            one["var"]: one
            for one in original.turn["before"]["records"]
            if one.get("status") == "proposed"
        }

    def visit_Module(self, node):
        used = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)} & set(
            self.proposed
        )
        node.body = [self.take_up(self.proposed[name]) for name in sorted(used)] + node.body
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def take_up(self, one):
        """A proposal is taken up by making its record."""
        given = [
            f"{name}={self.literal(slot['value'])}"
            for name, slot in one["fields"].items()
            if "value" in slot
        ]
        return ast.parse(f"{one['var']} = {one['sheet']}({', '.join(given)})").body[0]

    def literal(self, value):
        if isinstance(value, dict) and "row" in value:
            return f"confirm({value['row'][0]}.result[{value['row'][1]}])"
        if isinstance(value, dict):
            return value.get("ref", f"{value.get('result')}.result")
        return f"confirm({value!r})"

    def visit_Raise(self, node):
        text = ast.unparse(node)
        if any(name in text for name in CONVERSATIONAL):
            return None  # Small talk is a comment there.
        raise Lacking("raise")

    def visit_Expr(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "accept":
            return None  # Taken up above, where it was still proposed.
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        name = getattr(node.func, "id", "")
        if name in LACKING:
            raise Lacking(name)
        if name != "answer":
            return node
        question = node.args[0].value
        known = self.original.answers.get(question, {})
        tables = [table for table in known.get("tables", []) if table in self.original.kinds]
        wanted = missing(known.get("missing"))
        return ast.parse(
            f"Answer({question!r}, {wanted}, {tables}, {question!r})", mode="eval"
        ).body

    def visit_Name(self, node):
        if f"_{node.id}" in self.original.context and node.id.startswith("answer_"):
            node.id = f"_{node.id}"
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        for target in node.targets:
            of = target.value if isinstance(target, ast.Attribute) else None
            if isinstance(of, ast.Name) and of.id.startswith("_answer_"):
                made = self.original.context[of.id]
                target.attr = next(
                    (name for name in made.param_names if name.endswith(target.attr)), target.attr
                )
        return node


def missing(names):
    out = collections.defaultdict(list)
    for name in names or []:
        table, column = name.split(".")
        out[table].append(column)
    return dict(out)
