# The functions of JMESPath, with the checks of their arguments.

import json
import math


class _Expression:
    """An argument of the form `&expression`: evaluated by the function that gets it."""

    def __init__(self, search):
        self.search = self.expression = search

    def visit(self, expression, value):
        """What functions of programs call."""
        return expression(value)


_JMES_TYPES = {
    "bool": "boolean", "list": "array", "dict": "object", "OrderedDict": "object",
    "NoneType": "null", "str": "string", "float": "number", "int": "number",
    "_Expression": "expref",
}


def _jmes_type(value):
    """The type of a value in JMESPath. Python's own name for other types, like `datetime`."""
    name = type(value).__name__
    return _JMES_TYPES.get(name, name)


def _check_argument(name, value, types):
    kinds = [each.partition("-")[0] for each in types]
    items = [each.partition("-")[2] for each in types if "-" in each]
    kind = _jmes_type(value)
    if kind not in kinds:
        # The package has no name for types that are not JSON's.
        raise JMESPathTypeError(name, value, kind if kind in _JMES_TYPES.values() else "unknown", types)
    if not items or not value:
        return
    if len(items) > 1:
        # The first item decides which of the types all must have.
        items = [each for each in items if each == _jmes_type(value[0])]
    for item in value:
        if _jmes_type(item) not in items:
            raise JMESPathTypeError(name, item, type(item).__name__, types)


def _key_of(name, expression, types):
    def key(item):
        found = expression.search(item)
        if _jmes_type(found) not in types:
            raise JMESPathTypeError(name, found, _jmes_type(found), types)
        return found

    return key


def _sort_by(array, expression):
    if not array:
        return array
    kind = _jmes_type(expression.search(array[0]))
    if kind not in ("number", "string"):
        raise JMESPathTypeError("sort_by", array[0], kind, ["string", "number"])
    return sorted(array, key=_key_of("sort_by", expression, [kind]))


def _best_by(name, best):
    types = ["number", "string"]
    return lambda array, expression: best(array, key=_key_of(name, expression, types)) if array else None


def _to_number(value):
    if value is None or isinstance(value, (list, dict, bool)):
        return None
    if isinstance(value, (int, float)):
        return value
    for number in (int, float):
        try:
            return number(value)
        except ValueError:
            pass
    return None


def _to_string(value):
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), default=str)


def _merge(*objects):
    merged = {}
    for each in objects:
        merged.update(each)
    return merged


def _type(value):
    kind = _jmes_type(value)
    return None if kind == "expref" or kind not in _JMES_TYPES.values() else kind


_ORDERED = ["array-number", "array-string"]
# Name: (function, types of each argument; an empty list allows any). A name in
# _VARIADIC takes further arguments, which are not checked.
_JMES_FUNCTIONS = {
    "abs": (abs, [["number"]]),
    "avg": (lambda array: sum(array) / len(array) if array else None, [["array-number"]]),
    "ceil": (math.ceil, [["number"]]),
    "contains": (lambda subject, search: search in subject, [["array", "string"], []]),
    "ends_with": (str.endswith, [["string"], ["string"]]),
    "floor": (math.floor, [["number"]]),
    "join": (str.join, [["string"], ["array-string"]]),
    "keys": (list, [["object"]]),
    "length": (len, [["string", "array", "object"]]),
    "map": (lambda expression, array: [expression.search(each) for each in array], [["expref"], ["array"]]),
    "max": (lambda array: max(array, default=None), [_ORDERED]),
    "max_by": (_best_by("max_by", max), [["array"], ["expref"]]),
    "merge": (_merge, [["object"]]),
    "min": (lambda array: min(array, default=None), [_ORDERED]),
    "min_by": (_best_by("min_by", min), [["array"], ["expref"]]),
    "not_null": (lambda *values: next((each for each in values if each is not None), None), [[]]),
    "reverse": (lambda value: value[::-1], [["array", "string"]]),
    "sort": (sorted, [["array-string", "array-number"]]),
    "sort_by": (_sort_by, [["array"], ["expref"]]),
    "starts_with": (str.startswith, [["string"], ["string"]]),
    "sum": (sum, [["array-number"]]),
    "to_array": (lambda value: value if isinstance(value, list) else [value], [[]]),
    "to_number": (_to_number, [[]]),
    "to_string": (_to_string, [[]]),
    "type": (_type, [[]]),
    "values": (lambda value: list(value.values()), [["object"]]),
}
_VARIADIC = ("merge", "not_null")


def _call_function(name, arguments, options):
    custom = options.custom_functions if options is not None else None
    if custom is not None:
        return custom.call_function(name, arguments)
    function, signature = _JMES_FUNCTIONS.get(name, (None, None))
    if function is None:
        raise UnknownFunctionError(f"Unknown function: {name}()")
    if name in _VARIADIC:
        if len(arguments) < len(signature):
            raise VariadictArityError(len(signature), len(arguments), name)
    elif len(arguments) != len(signature):
        raise ArityError(len(signature), len(arguments), name)
    for value, types in zip(arguments, signature):
        if types:
            _check_argument(name, value, types)
    return function(*arguments)


class Functions:
    """What a program's own functions derive from. Methods `_func_NAME` that carry a
    `signature` are functions of the expressions."""

    def call_function(self, function_name, resolved_args):
        method = getattr(self, "_func_" + function_name, None)
        signature = getattr(method, "signature", None)
        if signature is None:
            return _call_function(function_name, resolved_args, None)
        if signature and signature[-1].get("variadic"):
            if len(resolved_args) < len(signature):
                raise VariadictArityError(len(signature), len(resolved_args), function_name)
        elif len(resolved_args) != len(signature):
            raise ArityError(len(signature), len(resolved_args), function_name)
        for value, each in zip(resolved_args, signature):
            if each["types"]:
                _check_argument(function_name, value, each["types"])
        return method(*resolved_args)


def _signature(*arguments):
    def record(function):
        function.signature = arguments
        return function

    return record


Functions.__module__ = "jmespath.functions"
_Expression.__module__ = "jmespath.visitor"
