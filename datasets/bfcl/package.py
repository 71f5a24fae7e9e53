"""Reads the package `bfcl-eval`, and runs its own classes."""

import ast
import copy
import hashlib
import inspect
import json
import sys
import types

import glue

CATEGORIES = ("base", "miss_func", "miss_param", "long_context")
NOT_MULTI_TURN = ("WebSearch", "Memory")  # classes of other categories
ERRORS = (AttributeError, IndexError, KeyError, NameError, OverflowError, RecursionError)
ERRORS += (TypeError, ValueError, ZeroDivisionError)


def sha256(value, **options):
    return hashlib.sha256(json.dumps(value, sort_keys=True, **options).encode()).hexdigest()


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path, values):
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values), encoding="utf-8")


class Package:
    """What is read from the package: classes, documents and data."""

    def __init__(self, path):
        self.path = path / "bfcl_eval" if (path / "bfcl_eval").is_dir() else path
        constants = self.run("constants/executable_backend_config.py")
        paths = constants["CLASS_FILE_PATH_MAPPING"]
        self.modules = {name: paths[name].rpartition(".")[2] for name in paths if not name.startswith(NOT_MULTI_TURN)}
        documents = constants["MULTI_TURN_FUNC_DOC_FILE_MAPPING"]
        self.documents = {
            name: {document["name"]: document for document in self.data(f"multi_turn_func_doc/{documents[name]}")}
            for name in self.modules
        }
        self.owners = {}
        for owner, methods in self.documents.items():
            for method in methods:
                if self.owners.setdefault(method, owner) != owner:
                    raise SystemExit(f"{owner} and {self.owners[method]} both have a function {method}")
        self.long_name = paths["MathAPI"].rpartition(".")[0] + ".long_context"
        self.sources = {name: self.source(module) for name, module in self.modules.items()}
        self.long_source = self.source("long_context")
        compiled = {**self.sources, self.long_name: self.long_source}
        self.code = {name: compile(source, name, "exec") for name, source in compiled.items()}
        self.more_functions = self.run("constants/default_prompts.py")["DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC"]

    def run(self, name):
        names = {}
        exec(compile((self.path / name).read_text(encoding="utf-8"), name, "exec"), names)
        return names

    def data(self, name):
        return read_lines(self.path / "data" / name)

    def source(self, module):
        folder = self.path / "eval_checker/multi_turn_eval/func_source_code"
        return (folder / f"{module}.py").read_text(encoding="utf-8")

    def instances(self, classes, scenario, long_context):
        """New instances, each of a class made anew, so that no dialogue sees what another one left behind."""
        self.fill(self.long_name)
        instances = {}
        for owner in classes:
            instance = instances[owner] = self.fill(owner)[owner]()
            if hasattr(instance, "_load_scenario"):
                instance._load_scenario(copy.deepcopy(scenario.get(owner, {})), long_context=long_context)
        return instances

    def fill(self, name):
        """Runs a module's code; the module of long texts is put where the others import it from."""
        module = types.ModuleType(name)
        module.sum = glue._sum
        if name == self.long_name:
            sys.modules[name] = module
        exec(self.code[name], module.__dict__)
        return module.__dict__

    def dialogues(self):
        for category in CATEGORIES:
            name = f"BFCL_v4_multi_turn_{category}.json"
            answers = {answer["id"]: answer["ground_truth"] for answer in self.data(f"possible_answer/{name}")}
            for dialogue in self.data(name):
                yield category, dialogue, answers[dialogue["id"]]


def dump(instances):
    return {owner: glue._dump(instance) for owner, instance in instances.items()}


def signature(package, owner, name):
    """The method's parameters in order, with their defaults."""
    parameters = inspect.signature(getattr(package.fill(owner)[owner], name)).parameters
    return {name: value.default for name, value in parameters.items() if name != "self"}


def parse_call(text, package):
    """A Python call as the method's name and its arguments by name."""
    call = ast.parse(text, mode="eval").body
    parameters = signature(package, package.owners[call.func.id], call.func.id)
    arguments = dict(zip(parameters, map(ast.literal_eval, call.args), strict=False))
    return call.func.id, arguments | {word.arg: ast.literal_eval(word.value) for word in call.keywords}


def replay(package, observed, category, dialogue, answer):
    """A dialogue's gold calls with the results and the states of the package's own classes."""
    instances = package.instances(dialogue["involved_classes"], dialogue["initial_config"], category == "long_context")
    gold = {"name": dialogue["id"], "initial": dump(instances), "turns": []}
    state, states = gold["initial"], []
    for turn in answer:
        calls = []
        for text in turn:
            name, arguments = parse_call(text, package)
            try:
                result = getattr(instances[package.owners[name]], name)(**copy.deepcopy(arguments))
                expected = {"python_sha256": sha256(result, default=str)}
                before, state = state, dump(instances)
                observed.add(name, result, before, state)
            except ERRORS as error:
                expected = {"error": type(error).__name__}
            calls.append([name, arguments, expected])
        gold["turns"].append(calls)
        states.append(state)
    return gold, states


def finish(gold, states, package, owner=None):
    """The line for gold.jsonl, for the domain of all classes or for that of one class."""
    if owner:
        turns = [[call for call in turn if package.owners[call[0]] == owner] for turn in gold["turns"]]
        gold = {"name": gold["name"], "initial": {owner: gold["initial"][owner]}, "turns": turns}
        states = [{owner: state[owner]} for state in states]
    return gold | {"states_sha256": [sha256(state) for state in states]}
