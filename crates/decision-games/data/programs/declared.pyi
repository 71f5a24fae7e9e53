def wish(attribute: str, value: str, points: int = 5) -> None:
    """Notes that the partner wants this value of the attribute; points below 0 if it dislikes it.
    The attribute "option" stands for the option itself, by its name."""

def wishes() -> list:
    """The partner's wishes that you have noted."""
