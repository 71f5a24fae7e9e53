"""The airline domain of tau2-bench, as functions over one dict.

A port of `src/tau2/domains/airline/tools.py` of sierra-research/tau2-bench (MIT, see LICENSE).
Upstream keeps its records in pydantic models; here they are the dicts that those models dump.
Errors have upstream's texts, those of the models without their type codes and links.
Where a rule looks like a mistake it is upstream's, and kept, because the recorded end states
depend on it; a comment says so.
"""

import re
from copy import deepcopy

_NOW = "2024-05-15T15:00:00"  # upstream's clock stands still
_NEW_RESERVATIONS = ("HATHAT", "HATHAU", "HATHAV")
_NEW_CERTIFICATES = ("certificate_3221322", "certificate_3221323", "certificate_3221324")
_AIRPORTS = {
    "SFO": "San Francisco",
    "JFK": "New York",
    "LAX": "Los Angeles",
    "ORD": "Chicago",
    "DFW": "Dallas",
    "DEN": "Denver",
    "SEA": "Seattle",
    "ATL": "Atlanta",
    "MIA": "Miami",
    "BOS": "Boston",
    "PHX": "Phoenix",
    "IAH": "Houston",
    "LAS": "Las Vegas",
    "MCO": "Orlando",
    "EWR": "Newark",
    "CLT": "Charlotte",
    "MSP": "Minneapolis",
    "DTW": "Detroit",
    "PHL": "Philadelphia",
    "LGA": "LaGuardia",
}


# Records from outside. As in the models, a whole 2.0, True or "2" is a number as well.


def _text(value):
    if not isinstance(value, str):
        raise ValueError("Input should be a valid string")
    return value


def _whole(value):
    if isinstance(value, str):
        if not re.fullmatch(r"[+-]?\d+(\.0*)?", value.strip()):
            raise ValueError(
                "Input should be a valid integer, unable to parse string as an integer"
            )
        return int(value.strip().split(".")[0])
    if not isinstance(value, (int, float)):
        raise ValueError("Input should be a valid integer")
    if value != int(value):
        raise ValueError("Input should be a valid integer, got a number with a fractional part")
    return int(value)


def _number(value):
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            said = "Input should be a valid number, unable to parse string as a number"
            raise ValueError(said) from None
    if not isinstance(value, (int, float)):
        raise ValueError("Input should be a valid number")
    return float(value)


def _one_of(*choices):
    quoted = [f"'{choice}'" for choice in choices]
    said = f"Input should be {', '.join(quoted[:-1])} or {quoted[-1]}"

    def check(value):
        if value not in choices:
            raise ValueError(said)
        return value

    return check


_FLIGHT_INFO = {"flight_number": _text, "date": _text}
_PASSENGER = {"first_name": _text, "last_name": _text, "dob": _text}
_PAYMENT = {"payment_id": _text, "amount": _whole}
_RESERVATION = {
    "user_id": _text,
    "origin": _text,
    "destination": _text,
    "flight_type": _one_of("round_trip", "one_way"),
    "cabin": _one_of("business", "economy", "basic_economy"),
    "total_baggages": _whole,
    "nonfree_baggages": _whole,
    "insurance": _one_of("yes", "no"),
}


def _checked(model, fields, given):
    """The fields of a record, each by its rule; other fields are dropped."""
    if not isinstance(given, dict):
        raise ValueError(f"Input should be a valid dictionary or instance of {model}")
    record, wrong = {}, []
    for field, rule in fields.items():
        try:
            if field not in given:
                raise ValueError("Field required")
            record[field] = rule(given[field])
        except ValueError as error:
            wrong.append(f"\n{field}\n  {error}")
    if wrong:
        errors = "error" if len(wrong) == 1 else "errors"
        raise ValueError(f"{len(wrong)} validation {errors} for {model}{''.join(wrong)}")
    return record


def _payment(payment_id, amount):
    return _checked("Payment", _PAYMENT, {"payment_id": payment_id, "amount": amount})


# Look-ups


def _user(db, user_id):
    if user_id not in db["users"]:
        raise ValueError(f"User {user_id} not found")
    return db["users"][user_id]


def _reservation(db, reservation_id):
    if reservation_id not in db["reservations"]:
        raise ValueError(f"Reservation {reservation_id} not found")
    return db["reservations"][reservation_id]


def _flight(db, flight_number):
    if flight_number not in db["flights"]:
        raise ValueError(f"Flight {flight_number} not found")
    return db["flights"][flight_number]


def _flight_on(db, flight_number, date):
    flight = _flight(db, flight_number)
    if date not in flight["dates"]:
        raise ValueError(f"Flight {flight_number} not found on date {date}")
    return flight["dates"][date]


def _bookable(db, flight_info, cabin, seats):
    """The flight and its day, if it has that many seats left in the cabin."""
    flight_number, date = flight_info["flight_number"], flight_info["date"]
    day = _flight_on(db, flight_number, date)
    if day["status"] != "available":
        raise ValueError(f"Flight {flight_number} not available on date {date}")
    if day["available_seats"][cabin] < seats:
        raise ValueError(f"Not enough seats on flight {flight_number}")
    return _flight(db, flight_number), day


def _segment(flight, date, price):
    """A flight as a reservation lists it."""
    return {
        "flight_number": flight["flight_number"],
        "origin": flight["origin"],
        "destination": flight["destination"],
        "date": date,
        "price": price,
    }


def _direct_flights(db, date, origin, destination=None, leave_after=None, shown_date=None):
    found = []
    for flight in db["flights"].values():
        day = flight["dates"].get(date)
        if (
            (origin is None or flight["origin"] == origin)
            and (destination is None or flight["destination"] == destination)
            and day is not None
            and day["status"] == "available"
            # Times are compared as text, "06:00:00+1" comes after "06:00:00".
            and (leave_after is None or flight["scheduled_departure_time_est"] >= leave_after)
        ):
            found.append(
                {
                    "flight_number": flight["flight_number"],
                    "origin": flight["origin"],
                    "destination": flight["destination"],
                    "status": "available",
                    "scheduled_departure_time_est": flight["scheduled_departure_time_est"],
                    "scheduled_arrival_time_est": flight["scheduled_arrival_time_est"],
                    "date": shown_date,
                    "available_seats": dict(day["available_seats"]),
                    "prices": dict(day["prices"]),
                }
            )
    return found


def _pay_for_update(user, payment_id, price):
    """Takes the price of a change (negative: a refund) and gives the payment, if there is one."""
    if payment_id not in user["payment_methods"]:
        raise ValueError("Payment method not found")
    method = user["payment_methods"][payment_id]
    if method["source"] == "certificate":
        raise ValueError("Certificate cannot be used to update reservation")
    if method["source"] == "gift_card":
        if method["amount"] < price:
            raise ValueError("Gift card balance is not enough")
        method["amount"] -= price
    return [_payment(payment_id, price)] if price != 0 else []


# Reading


def get_user_details(db, user_id):
    return _user(db, user_id)


def get_reservation_details(db, reservation_id):
    return _reservation(db, reservation_id)


def get_flight_status(db, flight_number, date):
    return _flight_on(db, flight_number, date)["status"]


def list_all_airports(db):
    return [{"iata": iata, "city": city} for iata, city in _AIRPORTS.items()]


def search_direct_flight(db, origin, destination, date):
    # The date of a direct flight stays null: the caller knows it.
    return _direct_flights(db, date, origin, destination)


def search_onestop_flight(db, origin, destination, date):
    found = []
    for first in _direct_flights(db, date, origin, shown_date=date):
        arrival = first["scheduled_arrival_time_est"]
        # The next day is always one of May 2024, and has no leading zero: before the 10th
        # nothing is found for it. A "+1" also stays in the time to leave after, so that a
        # flight that departs at that very minute is left out.
        date2 = f"2024-05-{int(date[-2:]) + 1}" if "+1" in arrival else date
        for second in _direct_flights(db, date2, first["destination"], destination, arrival, date2):
            found.append([first, second])
    return found


# Reservations


def book_reservation(
    db,
    user_id,
    origin,
    destination,
    flight_type,
    cabin,
    flights,
    passengers,
    payment_methods,
    total_baggages,
    nonfree_baggages,
    insurance,
):
    flights = [_checked("FlightInfo", _FLIGHT_INFO, flight) for flight in flights]
    passengers = [_checked("Passenger", _PASSENGER, passenger) for passenger in passengers]
    payments = [_checked("Payment", _PAYMENT, payment) for payment in payment_methods]
    user = _user(db, user_id)
    # At most three new reservations in one world.
    reservation_id = next((new for new in _NEW_RESERVATIONS if new not in db["reservations"]), None)
    if reservation_id is None:
        raise ValueError("Too many reservations")
    given = {
        "user_id": user_id,
        "origin": origin,
        "destination": destination,
        "flight_type": flight_type,
        "cabin": cabin,
        "total_baggages": total_baggages,
        "nonfree_baggages": nonfree_baggages,
        "insurance": insurance,
    }
    given = _checked("Reservation", _RESERVATION, given)

    price = 0
    segments, days = [], []
    for flight_info in flights:
        flight, day = _bookable(db, flight_info, cabin, len(passengers))
        segments.append(_segment(flight, flight_info["date"], day["prices"][cabin]))
        days.append(day)
        price += day["prices"][cabin] * len(passengers)
    if insurance == "yes":
        price += 30 * len(passengers)
    price += 50 * nonfree_baggages

    for payment in payments:
        payment_id = payment["payment_id"]
        if payment_id not in user["payment_methods"]:
            raise ValueError(f"Payment method {payment_id} not found")
        method = user["payment_methods"][payment_id]
        limited = method["source"] in {"gift_card", "certificate"}
        if limited and method["amount"] < payment["amount"]:
            raise ValueError(f"Not enough balance in payment method {payment_id}")
    paid = sum(payment["amount"] for payment in payments)
    if paid != price:
        raise ValueError(f"Payment amount does not add up, total price is {price}, but paid {paid}")

    for payment in payments:
        payment_id = payment["payment_id"]
        # A certificate is gone once used, so naming it twice is a KeyError.
        method = user["payment_methods"][payment_id]
        if method["source"] == "gift_card":
            method["amount"] -= payment["amount"]
        elif method["source"] == "certificate":
            del user["payment_methods"][payment_id]
    for day in days:
        day["available_seats"][cabin] -= len(passengers)

    reservation = {
        "reservation_id": reservation_id,
        "user_id": user_id,
        "origin": origin,
        "destination": destination,
        "flight_type": flight_type,
        "cabin": cabin,
        "flights": segments,
        "passengers": passengers,
        "payment_history": payments,
        "created_at": _NOW,
        "total_baggages": given["total_baggages"],
        "nonfree_baggages": given["nonfree_baggages"],
        "insurance": insurance,
        "status": None,
    }
    db["reservations"][reservation_id] = reservation
    user["reservations"].append(reservation_id)
    return reservation


def cancel_reservation(db, reservation_id):
    # Neither the status nor the policy is checked, gift cards get nothing back, and the
    # seats stay taken.
    reservation = _reservation(db, reservation_id)
    history = reservation["payment_history"]
    history.extend([_payment(paid["payment_id"], -paid["amount"]) for paid in history])
    reservation["status"] = "cancelled"
    return reservation


def update_reservation_baggages(db, reservation_id, total_baggages, nonfree_baggages, payment_id):
    reservation = _reservation(db, reservation_id)
    user = _user(db, reservation["user_id"])
    # Fewer bags refund nothing.
    price = 50 * max(0, nonfree_baggages - reservation["nonfree_baggages"])
    reservation["payment_history"].extend(_pay_for_update(user, payment_id, price))
    reservation["total_baggages"] = total_baggages
    reservation["nonfree_baggages"] = nonfree_baggages
    return reservation


def update_reservation_flights(db, reservation_id, cabin, flights, payment_id):
    flights = [_checked("FlightInfo", _FLIGHT_INFO, flight) for flight in flights]
    reservation = _reservation(db, reservation_id)
    user = _user(db, reservation["user_id"])
    seats = len(reservation["passengers"])

    segments = []
    for flight_info in flights:
        # A flight that stays, in the cabin that stays, keeps its price.
        kept = [
            segment
            for segment in reservation["flights"]
            if cabin == reservation["cabin"]
            and segment["flight_number"] == flight_info["flight_number"]
            and segment["date"] == flight_info["date"]
        ]
        if kept:
            segments.append(deepcopy(kept[0]))
        else:
            flight, day = _bookable(db, flight_info, cabin, seats)
            segments.append(_segment(flight, flight_info["date"], day["prices"][cabin]))
    price = sum(segment["price"] for segment in segments) * seats
    price -= sum(segment["price"] for segment in reservation["flights"]) * seats

    reservation["payment_history"].extend(_pay_for_update(user, payment_id, price))
    reservation["flights"] = segments
    reservation["cabin"] = cabin
    # No seats are taken or given back.
    return reservation


def update_reservation_passengers(db, reservation_id, passengers):
    passengers = [_checked("Passenger", _PASSENGER, passenger) for passenger in passengers]
    reservation = _reservation(db, reservation_id)
    if len(passengers) != len(reservation["passengers"]):
        raise ValueError("Number of passengers does not match")
    reservation["passengers"] = passengers
    return reservation


# Users


def send_certificate(db, user_id, amount):
    methods = _user(db, user_id)["payment_methods"]
    # At most three new certificates for one user.
    for certificate in _NEW_CERTIFICATES:
        if certificate not in methods:
            given = {"source": "certificate", "id": certificate, "amount": amount}
            fields = {"source": _text, "id": _text, "amount": _number}
            methods[certificate] = _checked("Certificate", fields, given)
            return f"Certificate {certificate} added to user {user_id} with amount {amount}."
    raise ValueError("Too many certificates")


# Anything


def calculate(db, expression):
    if not all(char in "0123456789+-*/(). " for char in expression):
        raise ValueError("Invalid characters in expression")
    # Numbers and operators only: there is no name to look up.
    return str(round(float(eval(expression.strip(), {"__builtins__": None}, {})), 2))


def transfer_to_human_agents(db, summary):
    return "Transfer successful"
