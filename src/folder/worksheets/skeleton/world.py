"""The functions that the sheets call. The first parameter is the state: the dict of worlds/*.json.
A function changes it in place; what it did before an exception is undone."""

PRICES = {"Small": 7, "Large": 11}


class FieldError(Exception):
    def __init__(self, field, message):
        super().__init__(f"{field}: {message}")


class KitchenClosed(Exception):
    pass


def place_order(state, size, count, name, note=None):
    if not state["is_open"]:
        raise KitchenClosed("the kitchen is closed today")
    if count > state["dough"]:
        raise FieldError("count", f"there is dough for {state['dough']} pizzas only")
    state["dough"] -= count
    order_id = f"P{len(state['orders']) + 1}"
    price = PRICES[size] * count
    state["orders"][order_id] = {"size": size, "count": count, "name": name, "note": note, "price": price}
    return {"order_id": order_id, "price": price}
