def view() -> str:
    """What you knew at the start."""

def history() -> list:
    """All that you read and said, the oldest first: {"from": "User", "move": "message", "text": …}."""
