"""Writes the cases of BFCL's irrelevance part as a folder domain with a test dialogue for each."""

import json
import shutil

from dialogues import CANNOT, OUT_OF_SCOPE, conversation
from folder import annotation

HANDLE = "api"
# What comes of that program. With it, the files can be evaluated as they are.
OUTCOME = """</program>
<result>null</result>
<error>{"error": "OutOfScopeRequestError", "message": ""}</error>
"""
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


def named(cases):
    """The functions by name, and the names of each case. Different functions of one name get a number each."""
    functions, offered = {}, []
    for case in cases:
        names = []
        for function in case["functions"]:
            plain = name = function["name"].replace(".", "_")
            number = 1
            while functions.setdefault(name, function) != function:
                number += 1
                name = f"{plain}_{number}"
            names.append(name)
        offered.append(names)
    return functions, offered


def dialogue(case, offered):
    """The XML of a case, which offers its own functions only."""
    said = "\n".join(message["content"] for message in case["messages"])
    attributes = {"goal": case["id"].replace("_", "-"), "world": "start", "offered": " ".join(offered)}
    return conversation(case["id"], attributes, [(said, OUT_OF_SCOPE, CANNOT)]).replace("</program>\n", OUTCOME)


def write_irrelevance(folder, cases):
    """Writes one folder domain with the functions of all cases, and a test dialogue for each case."""
    functions, offered = named(cases)
    api = [stub(name, function) for name, function in functions.items()]
    world = [function_of_world(name, function) for name, function in functions.items()]
    texts = {
        "domain.toml": f'name = "{folder.name}"\ntitle = "BFCL v4 {folder.name}"\nhandle = "{HANDLE}"\n'
        'kind = "python"\nerrors = ["NotImplementedError"]\nworld = "start"\n',
        "api.pyi": "\n".join(api),
        "world.py": "\n\n".join([WORLD_HEAD, *world]),
        "worlds/start.json": json.dumps({}) + "\n",
    }
    for case, names in zip(cases, offered, strict=True):
        texts[f"test/{case['id']}.xml"] = dialogue(case, names)
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
