class NotFound(Exception):
    """There is no item of this name."""

class InvalidCount(Exception):
    """A count is a whole number above 0."""

def list_items() -> list[dict]:
    """Returns all items: dicts with "name" and "count"."""

def get_item(name: str) -> dict:
    """Returns an item: a dict with "name", "count" and "added"."""

def add_item(name: str, count: int = 1) -> dict:
    """Adds an item, or adds to its count if it is there. Returns the item."""

def set_count(name: str, count: int) -> dict:
    """Changes the count of an item. Returns the item."""

def remove_item(name: str) -> None:
    """Removes an item for good."""
