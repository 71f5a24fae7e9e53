def add_task(list: str, title: str, due: Optional[str] = None) -> dict:
    """Adds a task to a list and returns it."""

def tasks(list: str) -> List[dict]:
    """Returns the tasks of a list: dicts with "title" and "due"."""

def remove_task(list: str, title: str) -> None:
    """Removes a task from a list for good."""
