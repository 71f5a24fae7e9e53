def propose(decision) -> None:
    """Your move is this proposal: a decision, or an item of suggest(). Your reply goes with it."""

def suggest(k: int = 3) -> list:
    """The k best proposals by your view and by the facts that you have noted, the best first: {"decision": …, "text": …, "value": …, "reasons": [{"what": …, "points": …}]}."""

def weigh(decision) -> dict:
    """The same about one decision."""

def forget(n: int) -> None:
    """The fact with this number, from 0, does not hold any more."""
