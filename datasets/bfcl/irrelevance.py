"""Writes the cases of BFCL's irrelevance part: one small folder domain each, as every case has functions of its own."""

import json

from dialogues import conversation
from folder import annotation

HANDLE = "api"
OUT_OF_SCOPE = "raise OutOfScopeRequestError()"
# What comes of that program. With it, the files can be evaluated as they are.
OUTCOME = """</program>
<result>null</result>
<error>{"error": "OutOfScopeRequestError", "message": ""}</error>
"""
CANNOT = "None of my functions can do that."
WORLD_HEAD = '"""Functions that no program should call: none of them does what the user asks for."""\n'
PLAIN = {"any": "object", "tuple": "list"}


def kind(about):
    """A parameter's type; BFCL leaves out that of some items."""
    if about["type"] == "array" and "type" not in about.get("items", {}):
        return "list"
    return PLAIN.get(about["type"]) or annotation(about)


def lines_about(properties, required, indent="        "):
    """A line for each parameter, and below it those of its parts."""
    lines = []
    for name, about in properties.items():
        said = [" ".join(about.get("description", "").split())]
        if choices := about.get("enum") or about.get("items", {}).get("enum"):
            said.append(f"One of {', '.join(map(repr, choices))}.")
        if "default" in about:
            said.append(f"Default: {about['default']!r}.")
        optional = "" if name in required else ", optional"
        lines.append(f"{indent}{name} ({kind(about)}{optional}): {' '.join(said)}")
        inner = about if "properties" in about else about.get("items", {})
        lines += lines_about(inner.get("properties", {}), inner.get("required", []), indent + "    ")
    return lines


def parameters(function, annotated):
    """The parameters for `def`; what is not required has a default, and comes last."""
    properties, required = function["parameters"]["properties"], function["parameters"].get("required", [])
    texts = []
    for name in sorted(properties, key=lambda name: name not in required):
        about = properties[name]
        if name in required:
            texts.append(f"{name}: {kind(about)}" if annotated else name)
        elif not annotated:
            texts.append(f"{name}={about.get('default')!r}")
        else:
            none = "" if "default" in about else " | None"
            texts.append(f"{name}: {kind(about)}{none} = {about.get('default')!r}")
    return texts


def stub(name, function):
    """A function of api.pyi."""
    given = function["parameters"]
    about = lines_about(given["properties"], given.get("required", []))
    text = "\n".join([function["description"].strip(), *(["", "    Args:", *about, "    "] if about else [])])
    text = text.replace("\\", "\\\\").replace('"""', r"\"\"\"")
    return f'def {name}({", ".join(parameters(function, True))}) -> dict:\n    """{text}"""\n    ...\n'


def function_of_world(name, function):
    """A function of world.py. The state is its first parameter, under a name that no other one has."""
    state = "state_" if "state" in function["parameters"]["properties"] else "state"
    declared = ", ".join([state, *parameters(function, False)])
    return f'def {name}({declared}):\n    raise NotImplementedError("{name}")\n'


def write_case(folder, case):
    """Writes the folder domain of one case."""
    functions = {function["name"].replace(".", "_"): function for function in case["functions"]}
    api = [stub(name, function) for name, function in functions.items()]
    world = [function_of_world(name, function) for name, function in functions.items()]
    said = "\n".join(message["content"] for message in case["messages"])
    goal = case["id"].replace("_", "-")
    dialogue = conversation(case["id"], {"goal": goal, "world": "start"}, [(said, OUT_OF_SCOPE, CANNOT)])
    texts = {
        "domain.toml": f'name = "{goal}"\ntitle = "BFCL v4, {case["id"]}"\nhandle = "{HANDLE}"\nkind = "python"\n'
        'errors = ["NotImplementedError"]\nworld = "start"\n',
        "api.pyi": "\n".join(api),
        "world.py": "\n\n".join([WORLD_HEAD, *world]),
        "worlds/start.json": json.dumps({}) + "\n",
        f"test/{case['id']}.xml": dialogue.replace("</program>\n", OUTCOME),
    }
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def write_irrelevance(folder, cases):
    """Writes a folder domain `NNN` for each case."""
    for case in cases:
        write_case(folder / case["id"].rpartition("_")[2].zfill(3), case)
