"""One function for each operation of api.pyi. The first parameter is the state: the dict
of worlds/*.json. A function changes it in place; what it did before an exception is undone."""

from datetime import datetime


class NotFound(Exception):
    pass


class InvalidCount(Exception):
    pass


def list_items(state):
    return [{"name": name, "count": item["count"]} for name, item in state["items"].items()]


def get_item(state, name):
    return {"name": name, **_item(state, name)}


def add_item(state, name, count=1):
    _check(count)
    if name in state["items"]:
        state["items"][name]["count"] += count
    else:
        state["items"][name] = {"count": count, "added": datetime.now().isoformat()}
    return get_item(state, name)


def set_count(state, name, count):
    _check(count)
    _item(state, name)["count"] = count
    return get_item(state, name)


def remove_item(state, name):
    _item(state, name)
    del state["items"][name]


def _item(state, name):
    if name not in state["items"]:
        raise NotFound(f"There is no item {name!r}.")
    return state["items"][name]


def _check(count):
    if not isinstance(count, int) or count < 1:
        raise InvalidCount("A count is a whole number above 0.")
