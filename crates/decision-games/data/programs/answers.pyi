def accept() -> None:
    """Your move is to accept the proposal that waits. It ends the game if all have accepted."""

def reject() -> None:
    """Your move is to reject the proposal that waits; your reply says why."""
