def claim(reviewer: str, paper: str, level: int = None, number: int = None) -> None:
    """Notes what the partner says: a level from 1 (terrible) to 5 (great), or a number of its table."""

def claims() -> list:
    """The claims that you have noted."""

def scores() -> dict:
    """The cells that you see: {"Ava Li": {"BLEU": 337, "GLUE": None, …}, …}. A decision is a list of eight pairs [row, column], from 0, in the order of this table."""

def best(scores: dict) -> dict:
    """The best decision by a table that you fill in: {"Ava Li": {"BLEU": 9.5, …}, …}. A cell that is not there counts 0."""
