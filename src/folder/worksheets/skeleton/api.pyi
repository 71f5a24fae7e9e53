class FieldError(Exception):
    """A value that cannot be taken: the name of its field, then why. The user is asked again."""

class KitchenClosed(Exception):
    """The kitchen takes no orders now."""

def place_order(size: str, count: int, name: str, note: str | None = None) -> dict:
    """Places an order. Returns its order_id and price."""
