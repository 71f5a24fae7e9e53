"""Tables in restaurants of Cambridge. Functions that a user confirmed are called by the sheets."""


class FieldError(Exception):
    """A value that cannot be taken, by the name of its field; the user is asked for it again."""


class BookingFailed(Exception):
    """The restaurant takes no bookings this way."""


def book_restaurant(restaurant: dict, date: str, time: str, number_of_people: int, seating: str | None = None, special_request: str | None = None) -> dict:
    """Books a table. Returns booking_id, restaurant, date, time and number_of_people."""

def cancel_booking(booking_id: str, reason: str | None = None) -> dict:
    """Cancels a booking. Returns booking_id and status."""
