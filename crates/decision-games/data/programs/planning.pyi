def wish(*, feature: str = None, like: list = None, dislike: list = None, at_least: float = None, budget: int = None, visit: list = None, category: str = None, must: bool = None, travel: float = None, keep: list = None, exclude: list = None, weight: float = None) -> None:
    """Notes one wish of the user. One of:
    wish(feature="good for kids", like=[True], dislike=[False]), wish(feature="rating", at_least=4),
    wish(budget=60) dollars for all sites together, wish(visit=["NAME"], must=True) one of these,
    wish(category="park") at least one of the type, wish(travel=9) points that a mile costs (5.5 is
    usual), wish(keep=["NAME"]), wish(exclude=["NAME"])."""

def wishes() -> list:
    """The wishes that you have noted."""

def sites() -> list:
    """All sites: {"name", "type", "price", "loc": [longitude, latitude], "features": {…}}."""

def search(query: str) -> str:
    """Such as search("Search(fields=[name, price], filters=[category == park], limit=3)")."""

def distance(a: str, b: str) -> float:
    """The miles between two sites."""

def best(scores: dict, travel: float = 0) -> dict:
    """The best decision by points that you give to sites, {"NAME": 3.5, …}, and to each mile."""
