"""Writes a folder domain: domain.toml, api.pyi, world.py and gold.jsonl."""

import ast
import inspect
import json
import re
from pathlib import Path

import glue
from package import ERRORS, dump, signature, write_lines

LEFT_OUT = ("subprocess", "bfcl_eval", "mpmath")
DESTROYS = re.compile(r"rm|rmdir|(delete|cancel)_\w+")
TYPES = {"string": "str", "integer": "int", "float": "float", "boolean": "bool", "dict": "dict", "array": "list"}


def annotation(about):
    if about["type"] == "array":
        return f"list[{annotation(about['items'])}]"
    return TYPES[about["type"]]


def describe(properties, indent):
    lines = []
    for name, about in properties.items():
        lines.append(f"{indent}{name} ({annotation(about)}): {' '.join(about.get('description', '').split())}")
        inner = about.get("properties") or about.get("items", {}).get("properties") or {}
        lines += describe(inner, indent + "    ")
    return lines


def stub(package, owner, name, results):
    """A function of api.pyi, from its JSON document and the method's defaults."""
    document = package.documents[owner][name]
    properties, parameters = document["parameters"]["properties"], []
    for parameter, default in signature(package, owner, name).items():
        text = f"{parameter}: {annotation(properties[parameter])}"
        if default is None:
            text += " | None"
        parameters.append(text if default is inspect.Parameter.empty else f"{text} = {default!r}")
    kinds = {dict: "dict", list: "list", type(None): "None"}
    answers = [word for kind, word in kinds.items() if kind in results]
    lines = [document["description"].partition("Tool description: ")[2]]
    for title, about in (("Args:", properties), ("Returns:", document["response"].get("properties", {}))):
        if about:
            lines += ["", f"    {title}", *describe(about, "        ")]
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', r"\"\"\"")
    if len(lines) > 1:
        text += "\n    "
    return f'def {name}({", ".join(parameters)}) -> {" | ".join(answers or ["dict"])}:\n    """{text}"""\n    ...\n'


def operation(package, owner, name):
    parameters = signature(package, owner, name)
    declared = [name if value is inspect.Parameter.empty else f"{name}={value!r}" for name, value in parameters.items()]
    passed = "".join(f", {name}={name}" for name in parameters)
    head = ", ".join(["state", *declared])
    return f'def {name}({head}):\n    return _call(state, "{owner}", "{name}"{passed})\n'


def module_function(name, source):
    """A module's source as the body of a function; only imports that the sandbox lacks are replaced."""
    tree, lines = ast.parse(source), source.splitlines()
    inside = {
        row
        for node in ast.walk(tree)
        if isinstance(node, (ast.Constant, ast.JoinedStr))
        for row in range(node.lineno, node.end_lineno)
    }
    for node in tree.body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        if module.partition(".")[0] in LEFT_OUT:
            lines[node.lineno - 1 : node.end_lineno] = [None] * (node.end_lineno - node.lineno + 1)
            if module == "mpmath":
                lines[node.lineno - 1] = "mpmath, sum = _Mpmath(), _sum"
            if texts := imported_texts(node):
                lines[node.lineno - 1] = f"[{', '.join(texts)}] = map(_long_text, {texts})"
    body = [line if row in inside or not line else f"    {line}" for row, line in enumerate(lines) if line is not None]
    return "\n".join([f"def {name}():", *body, "", "    return locals()"]) + "\n"


def imported_texts(node):
    """The names that an import takes from BFCL's module of long texts."""
    if isinstance(node, ast.ImportFrom) and node.module.endswith(".long_context"):
        return [alias.name for alias in node.names]
    return []


def long_texts(package, classes):
    """What the classes import from BFCL's module of long texts, each as JSON, which is quicker to load than Python."""
    names = [
        name for owner in classes for node in ast.parse(package.sources[owner]).body for name in imported_texts(node)
    ]
    values = package.fill(package.long_name)
    texts = {name: json.dumps(values[name], default=str) for name in names}
    return "_LONG_TEXTS.update({\n" + "".join(f"    {name!r}: {text!r},\n" for name, text in texts.items()) + "})\n"


def world(package, classes):
    """The text of world.py."""
    head = (
        '"""Classes of BFCL v4 (package bfcl-eval, Apache License 2.0) as functions over a state.\n\n'
        "Written by make.py, which says what was changed.\n"
        '"""\n'
    )
    glue_text = Path(glue.__file__).read_text(encoding="utf-8")
    parts = [head, glue_text, long_texts(package, classes)]
    parts += [module_function(f"_{package.modules[owner]}", package.sources[owner]) for owner in classes]
    table = "".join(f'    "{owner}": _{package.modules[owner]},\n' for owner in classes)
    parts.append(f"_MODULES.update({{\n{table}}})\n")
    parts += [operation(package, owner, name) for owner in classes for name in package.documents[owner]]
    return "\n\n".join(part.rstrip("\n") + "\n" for part in parts)


def toml_list(name, values):
    return f"{name} = [\n" + "".join(f'    "{value}",\n' for value in values) + "]\n"


def write_domain(folder, title, handle, classes, package, observed, gold):
    (folder / "worlds").mkdir(parents=True, exist_ok=True)
    names = [name for owner in classes for name in package.documents[owner]]
    instances = package.instances(classes, {}, False)
    (folder / "worlds/default.json").write_text(json.dumps(dump(instances), indent=1) + "\n", encoding="utf-8")
    (folder / "world.py").write_text(world(package, classes), encoding="utf-8")
    api = []
    for owner in classes:
        api.append(f"# {owner}: {instances[owner]._api_description}\n")
        api += [stub(package, owner, name, observed.results[name]) for name in package.documents[owner]]
    (folder / "api.pyi").write_text("\n".join(api), encoding="utf-8")
    now = package.fill("TradingBot")["CURRENT_TIME"].isoformat()
    (folder / "domain.toml").write_text(
        f'name = "{folder.name}"\ntitle = "{title}"\nhandle = "{handle}"\nkind = "python"\n'
        + toml_list("reads", [name for name in names if name not in observed.writes])
        + toml_list("destroys", [name for name in names if DESTROYS.fullmatch(name)])
        + toml_list("errors", [error.__name__ for error in ERRORS])
        + f'world = "default"\nnow = "{now}+00:00"\n',
        encoding="utf-8",
    )
    write_lines(folder / "gold.jsonl", gold)
