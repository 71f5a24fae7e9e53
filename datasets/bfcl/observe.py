"""Finds out by trying which functions change the state, and the types of their results."""

import copy
import functools
import itertools
import random

import glue
from package import ERRORS


class Observed:
    """Which functions ever changed the state, and the types of their results."""

    def __init__(self, package):
        self.writes, self.results = set(), {name: set() for name in package.owners}

    def add(self, name, result, before, after):
        self.results[name].add(type(result))
        if before != after:
            self.writes.add(name)


def arguments_of(dialogues):
    """All arguments of the gold calls, by method, and the values in them, by parameter."""
    calls, values = {}, {}
    for gold, _ in dialogues:
        for name, arguments, _ in itertools.chain(*gold["turns"]):
            calls.setdefault(name, []).append(arguments)
            for parameter, value in arguments.items():
                values.setdefault(parameter, []).append(value)
    return calls, values


def texts_in(value):
    if isinstance(value, dict):
        return [text for item in value.items() for part in item for text in texts_in(part)]
    if isinstance(value, list):
        return [text for item in value for text in texts_in(item)]
    return [value] if isinstance(value, str) else []


def try_all(package, observed, dialogues, rounds=400):
    """Tries every function at states along the gold dialogues, many of which never call it.

    The arguments are those of gold calls, values that gold calls give to
    parameters of the same name, texts of the state, and plain values.
    """
    chance = random.Random(0)
    calls, values = arguments_of(dialogues)
    plain = {"string": ["1"], "integer": [0, 1, 2], "float": [1.0, 2.5], "boolean": [True, False]}
    plain |= {"array": [["1"], []], "dict": [{"title": "1"}]}
    for owner, documents in package.documents.items():
        states = [state[owner] for _, states in dialogues for state in states if owner in state]
        glue._MODULES = {owner: functools.partial(package.fill, owner)}
        for name, document in documents.items():
            for number in range(rounds):
                if number > rounds / 8 and name in observed.writes:
                    break
                state = chance.choice(states)
                arguments = {}
                for parameter, about in document["parameters"]["properties"].items():
                    if parameter not in document["parameters"]["required"] and chance.random() < 0.5:
                        continue
                    choices = plain[about["type"]]
                    if about["type"] == "string" and chance.random() < 0.5:
                        choices = texts_in(state) or choices
                    elif parameter in values and chance.random() < 0.7:
                        choices = values[parameter]
                    arguments[parameter] = chance.choice(choices)
                if name in calls and chance.random() < 0.5:
                    arguments = chance.choice(calls[name])
                world = {owner: copy.deepcopy(state)}
                try:
                    result = glue._call(world, owner, name, **copy.deepcopy(arguments))
                except ERRORS:
                    continue
                observed.add(name, result, state, world[owner])
