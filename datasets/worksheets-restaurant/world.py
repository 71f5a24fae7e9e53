"""The bookings, as functions over one dict: `db["bookings"]` by number, and what the restaurants say."""

import datetime


class FieldError(Exception):
    def __init__(self, field, message):
        super().__init__(field, message)
        self.field = field
        self.message = message

    def __str__(self):
        return f"{self.field}: {self.message}"


class BookingFailed(Exception):
    pass


def book_restaurant(db, restaurant, date, time, number_of_people, seating=None, special_request=None):
    name = restaurant["name"] if isinstance(restaurant, dict) else restaurant
    house = db["houses"].get(name, {})
    if house.get("by_phone"):
        raise BookingFailed(f"{name} takes bookings by telephone only")
    _check_date(db, name, house, date)
    _check_time(db, name, house, date, time)
    if number_of_people > house.get("most", 20):
        raise FieldError("number_of_people", f"the largest table of {name} has {house['most']} seats")
    if seating == "Terrace" and not house.get("terrace"):
        raise FieldError("seating", f"{name} has no terrace")
    booking_id = f"B{db['next']}"
    db["next"] += 1
    db["bookings"][booking_id] = {
        "restaurant": name,
        "date": date,
        "time": time,
        "number_of_people": number_of_people,
        "seating": None if seating == "NA" else seating,
        "special_request": special_request,
        "status": "booked",
    }
    return {
        "booking_id": booking_id,
        "restaurant": name,
        "date": date,
        "time": time,
        "number_of_people": number_of_people,
    }


def cancel_booking(db, booking_id, reason=None):
    booking = db["bookings"].get(booking_id)
    if booking is None:
        raise FieldError("booking_id", "there is no booking with this number")
    if booking["status"] == "cancelled":
        raise BookingFailed(f"{booking_id} was cancelled before")
    if booking["date"] <= db["today"]:
        raise BookingFailed("bookings of today can be cancelled by telephone only")
    booking["status"] = "cancelled"
    return {"booking_id": booking_id, "status": "cancelled"}


def _check_date(db, name, house, date):
    if date < db["today"]:
        raise FieldError("date", "this day is over")
    weekday = datetime.date.fromisoformat(date).strftime("%A")
    if weekday in house.get("closed", []):
        raise FieldError("date", f"{name} is closed on {weekday}s")


def _check_time(db, name, house, date, time):
    opens, closes = house.get("hours", ["11:00", "22:00"])
    if not opens <= time <= closes:
        raise FieldError("time", f"{name} takes guests from {opens} to {closes}")
    free = db["full"].get(f"{name} {date} {time}")
    if free is not None:
        raise FieldError("time", f"there is no table at {time}, but at {' and '.join(free)}")
