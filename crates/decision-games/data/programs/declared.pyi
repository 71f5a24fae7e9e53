def wish(attribute: str, value: str, points: int = 5) -> None:
    """Notes that the partner wants this value of the attribute; points below 0 if it dislikes it."""

def wishes() -> list:
    """The partner's wishes that you have noted."""

def options() -> list:
    """All options: {"name": …, "values": {"food": "pasta", …}}. A decision is the name of one."""
