def say(text: str) -> None:
    """Your move is this message alone. Without any move, your reply is the message."""
