"""The retail domain of tau2-bench, as functions over one dict.

A port of `src/tau2/domains/retail/tools.py` of sierra-research/tau2-bench (MIT, see LICENSE).
Upstream keeps its records in pydantic models; here they are the dicts that those models dump.
The dict is called `db` here because two operations have a parameter `state`.
Errors have upstream's texts. Where a rule looks like a mistake it is upstream's, and kept,
because the recorded end states depend on it; a comment says so.
"""

import json

_CANCEL_REASONS = {"no longer needed", "ordered by mistake"}
_ADDRESS = ("address1", "address2", "city", "country", "state", "zip")


# Look-ups


def _order(db, order_id):
    if order_id not in db["orders"]:
        raise ValueError("Order not found")
    return db["orders"][order_id]


def _user(db, user_id):
    if user_id not in db["users"]:
        raise ValueError("User not found")
    return db["users"][user_id]


def _product(db, product_id):
    if product_id not in db["products"]:
        raise ValueError("Product not found")
    return db["products"][product_id]


def _variant(db, product_id, item_id):
    product = _product(db, product_id)
    if item_id not in product["variants"]:
        raise ValueError("Variant not found")
    return product["variants"][item_id]


def _payment_method(db, user_id, payment_method_id):
    user = _user(db, user_id)
    if payment_method_id not in user["payment_methods"]:
        raise ValueError("Payment method not found")
    return user["payment_methods"][payment_method_id]


def _pending(order):
    """Also true of "pending (item modified)", which can no longer be cancelled."""
    return "pending" in order["status"]


# Parts of records


def _is_gift_card(payment_method):
    return payment_method["source"] == "gift_card"


def _pay_in(payment_method, amount):
    """Adds to the balance of a gift card; other methods have none."""
    if _is_gift_card(payment_method):
        payment_method["balance"] = round(payment_method["balance"] + amount, 2)


def _payment(transaction_type, amount, payment_method_id):
    return {
        "transaction_type": transaction_type,
        "amount": float(amount),  # also for 0, as the model's field is a float
        "payment_method_id": payment_method_id,
    }


def _address(**lines):
    """A new address. Like the model, it takes nothing but text."""
    wrong = [line for line in _ADDRESS if not isinstance(lines[line], str)]
    if wrong:
        errors = "error" if len(wrong) == 1 else "errors"
        said = "".join(f"\n{line}\n  Input should be a valid string" for line in wrong)
        raise ValueError(f"{len(wrong)} validation {errors} for UserAddress{said}")
    return {line: lines[line] for line in _ADDRESS}


def _more_than_ordered(order, item_ids):
    """The first item that is asked for more often than the order has it, or None."""
    ordered = [item["item_id"] for item in order["items"]]
    for item_id in item_ids:
        if item_ids.count(item_id) > ordered.count(item_id):
            return item_id
    return None


def _item_of(order, item_id):
    for item in order["items"]:
        if item["item_id"] == item_id:
            return item
    raise ValueError(f"Item {item_id} not found")


def _replacement(db, item, new_item_id):
    """The variant that may stand for an item: of the same product, and available."""
    variant = _variant(db, item["product_id"], new_item_id)
    if not variant["available"]:
        raise ValueError(f"New item {new_item_id} not found or available")
    return variant


# Who and what there is


def find_user_id_by_name_zip(db, first_name, last_name, zip):
    for user_id, user in db["users"].items():
        if (
            user["name"]["first_name"].lower() == first_name.lower()
            and user["name"]["last_name"].lower() == last_name.lower()
            and user["address"]["zip"] == zip
        ):
            return user_id
    raise ValueError("User not found")


def find_user_id_by_email(db, email):
    for user_id, user in db["users"].items():
        if user["email"].lower() == email.lower():
            return user_id
    raise ValueError("User not found")


def get_user_details(db, user_id):
    return _user(db, user_id)


def get_order_details(db, order_id):
    return _order(db, order_id)


def get_product_details(db, product_id):
    return _product(db, product_id)


def get_item_details(db, item_id):
    for product in db["products"].values():
        if item_id in product["variants"]:
            return product["variants"][item_id]
    raise ValueError("Item not found")


def list_all_product_types(db):
    types = {product["name"]: product["product_id"] for product in db["products"].values()}
    return json.dumps(types, sort_keys=True)


# Pending orders


def cancel_pending_order(db, order_id, reason):
    order = _order(db, order_id)
    if order["status"] != "pending":
        raise ValueError("Non-pending order cannot be cancelled")
    if reason not in _CANCEL_REASONS:
        raise ValueError("Invalid reason")

    refunds = []
    for payment in order["payment_history"]:
        payment_method_id = payment["payment_method_id"]
        refunds.append(_payment("refund", payment["amount"], payment_method_id))
        # Everything in the history counts as paid, an earlier refund too.
        _pay_in(_payment_method(db, order["user_id"], payment_method_id), payment["amount"])

    order["status"] = "cancelled"
    order["cancel_reason"] = reason
    order["payment_history"].extend(refunds)
    return order


def modify_pending_order_address(db, order_id, address1, address2, city, state, country, zip):
    order = _order(db, order_id)
    if not _pending(order):
        raise ValueError("Non-pending order cannot be modified")
    order["address"] = _address(
        address1=address1, address2=address2, city=city, country=country, state=state, zip=zip
    )
    return order


def modify_pending_order_items(db, order_id, item_ids, new_item_ids, payment_method_id):
    order = _order(db, order_id)
    if order["status"] != "pending":
        raise ValueError("Non-pending order cannot be modified")
    missing = _more_than_ordered(order, item_ids)
    if missing is not None:
        raise ValueError(f"{missing} not found")
    if len(item_ids) != len(new_item_ids):
        raise ValueError("The number of items to be exchanged should match")

    variant = None
    difference = 0
    for item_id, new_item_id in zip(item_ids, new_item_ids):
        if item_id == new_item_id:
            raise ValueError("The new item id should be different from the old item id")
        item = _item_of(order, item_id)
        variant = _replacement(db, item, new_item_id)
        difference += variant["price"] - item["price"]

    payment_method = _payment_method(db, order["user_id"], payment_method_id)
    if _is_gift_card(payment_method) and payment_method["balance"] < difference:
        raise ValueError("Insufficient gift card balance to pay for the new item")

    # The difference is not rounded here, and is in an exchange.
    transaction_type = "payment" if difference > 0 else "refund"
    order["payment_history"].append(_payment(transaction_type, abs(difference), payment_method_id))
    _pay_in(payment_method, -difference)

    for item_id, new_item_id in zip(item_ids, new_item_ids):
        item = _item_of(order, item_id)
        item["item_id"] = new_item_id
        # All items get the price and the options of the last new one.
        item["price"] = variant["price"]
        item["options"] = dict(variant["options"])
    order["status"] = "pending (item modified)"
    return order


def modify_pending_order_payment(db, order_id, payment_method_id):
    order = _order(db, order_id)
    if not _pending(order):
        raise ValueError("Non-pending order cannot be modified")
    payment_method = _payment_method(db, order["user_id"], payment_method_id)
    history = order["payment_history"]
    if len(history) != 1 or history[0]["transaction_type"] != "payment":
        raise ValueError("There should be exactly one payment for a pending order")
    old_payment_method_id = history[0]["payment_method_id"]
    if old_payment_method_id == payment_method_id:
        raise ValueError("The new payment method should be different from the current one")
    amount = history[0]["amount"]
    if _is_gift_card(payment_method) and payment_method["balance"] < amount:
        raise ValueError("Insufficient gift card balance to pay for the order")

    history.append(_payment("payment", amount, payment_method_id))
    history.append(_payment("refund", amount, old_payment_method_id))
    _pay_in(payment_method, -amount)
    _pay_in(_payment_method(db, order["user_id"], old_payment_method_id), amount)
    return order


# Delivered orders


def exchange_delivered_order_items(db, order_id, item_ids, new_item_ids, payment_method_id):
    order = _order(db, order_id)
    if order["status"] != "delivered":
        raise ValueError("Non-delivered order cannot be exchanged")
    missing = _more_than_ordered(order, item_ids)
    if missing is not None:
        raise ValueError(f"Number of {missing} not found.")
    if len(item_ids) != len(new_item_ids):
        raise ValueError("The number of items to be exchanged should match.")

    difference = 0
    for item_id, new_item_id in zip(item_ids, new_item_ids):
        item = _item_of(order, item_id)
        difference += _replacement(db, item, new_item_id)["price"] - item["price"]
    difference = round(difference, 2)

    payment_method = _payment_method(db, order["user_id"], payment_method_id)
    if _is_gift_card(payment_method) and payment_method["balance"] < difference:
        raise ValueError("Insufficient gift card balance to pay for the price difference")

    # A request: what is ordered, paid and on the gift card stays as it is.
    order["status"] = "exchange requested"
    order["exchange_items"] = sorted(item_ids)
    order["exchange_new_items"] = sorted(new_item_ids)
    order["exchange_payment_method_id"] = payment_method_id
    order["exchange_price_difference"] = difference
    return order


def return_delivered_order_items(db, order_id, item_ids, payment_method_id):
    order = _order(db, order_id)
    if order["status"] != "delivered":
        raise ValueError("Non-delivered order cannot be returned")
    payment_method = _payment_method(db, order["user_id"], payment_method_id)
    original = order["payment_history"][0]["payment_method_id"]
    if not _is_gift_card(payment_method) and payment_method_id != original:
        raise ValueError("Payment method should be the original payment method")
    if _more_than_ordered(order, item_ids) is not None:
        raise ValueError("Some item not found")

    order["status"] = "return requested"
    order["return_items"] = sorted(item_ids)
    order["return_payment_method_id"] = payment_method_id
    return order


# Users


def modify_user_address(db, user_id, address1, address2, city, state, country, zip):
    user = _user(db, user_id)
    user["address"] = _address(
        address1=address1, address2=address2, city=city, country=country, state=state, zip=zip
    )
    return user


# Anything


def calculate(db, expression):
    if not all(char in "0123456789+-*/(). " for char in expression):
        raise ValueError("Invalid characters in expression")
    # Numbers and operators only: there is no name to look up.
    return str(round(float(eval(expression.strip(), {"__builtins__": None}, {})), 2))


def transfer_to_human_agents(db, summary):
    return "Transfer successful"
