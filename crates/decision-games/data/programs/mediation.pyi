def importance(user: int, event: int, importance) -> None:
    """Notes how important meeting `event` of calendar(user) is: 1 to 10, or "high", "medium", "low"."""

def meeting(user: int, times: str = None, importance=5.5, start: str = None, end: str = None) -> None:
    """Notes a meeting that you do not see: times such as "6/1 8 PM - 10 PM", or start and end as calendar() has them."""

def price(user: int, price: float) -> None:
    """Notes how much the price counts for a user, from 1 to 20; 10 is usual."""

def exclude(user: int, exclude: int) -> None:
    """Notes that a user cannot take the flight with this number."""

def facts() -> list:
    """What you have noted."""

def flights(user: int) -> list:
    """The flights of a user: {"id", "carrier", "price", "start", "end"}. A decision is a list of two ids, one for each user."""

def calendar(user: int) -> list:
    """The meetings of a user that you see: {"id", "start", "end", "times"}."""

def best(costs0: list, costs1: list, hour: float = 0) -> dict:
    """The cheapest decision by a cost for each flight of both users, and for each hour between their arrivals."""
