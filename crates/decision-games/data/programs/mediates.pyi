def say(text: str, to: int) -> None:
    """Your move is this message to user 0 or 1 alone. Without any move, your reply goes to the user who spoke last."""
