"""A row has "name", "food", "area", "pricerange", "phone", "address" and "postcode"; what is not
known is left out. Areas: centre, north, south, east, west. Price ranges: cheap, moderate, expensive."""

class InvalidValue(Exception):
    """There is no such value; the message lists those that there are."""

class NoSuchRestaurant(Exception):
    """No restaurant has this name."""

class NoSuchBooking(Exception):
    """No booking has this reference."""

class NotAvailable(Exception):
    """No table is free at this time."""

def find(food: str | None = None, area: str | None = None, pricerange: str | None = None, name: str | None = None, limit: int | None = 20) -> list[dict]:
    """Returns the rows that fit, by name; all of them with limit=None."""

def count(food: str | None = None, area: str | None = None, pricerange: str | None = None) -> int:
    """Returns how many restaurants fit."""

def get(name: str) -> dict:
    """Returns the row of a restaurant."""

def book(name: str, day: str, time: str, people: int) -> dict:
    """Books a table. day is "friday", time "18:30". Returns "reference", "name", "day", "time" and "people"."""

def cancel(reference: str) -> None:
    """Cancels a booking."""

def bookings() -> list[dict]:
    """Returns the bookings so far, as book does."""
