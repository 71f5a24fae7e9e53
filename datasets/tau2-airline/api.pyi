"""An airline (the airline domain of tau2-bench, MIT): flights, users and reservations.

Every function is an operation of `airline`: call airline.get_user_details(user_id="sara_doe_496").
A record is a dict with the keys below. What cannot be done raises ValueError.
"""

from typing import Literal, TypedDict

FlightType = Literal["round_trip", "one_way"]
CabinClass = Literal["business", "economy", "basic_economy"]
Insurance = Literal["yes", "no"]

class AirportCode(TypedDict):
    iata: str
    city: str

class Name(TypedDict):
    first_name: str
    last_name: str

class Address(TypedDict):
    address1: str
    address2: str | None
    city: str
    country: str
    state: str
    zip: str

class PaymentMethod(TypedDict, total=False):
    source: Literal["credit_card", "gift_card", "certificate"]
    id: str
    brand: str  # credit card
    last_four: str  # credit card
    amount: float  # gift card, certificate: the balance

class Passenger(TypedDict):
    first_name: str
    last_name: str
    dob: str  # date of birth, YYYY-MM-DD

class User(TypedDict):
    user_id: str
    name: Name
    address: Address
    email: str
    dob: str
    payment_methods: dict[str, PaymentMethod]  # by payment id
    saved_passengers: list[Passenger]
    membership: Literal["gold", "silver", "regular"]
    reservations: list[str]  # reservation ids

class FlightInfo(TypedDict):
    flight_number: str  # such as "HAT001"
    date: str  # YYYY-MM-DD

class Payment(TypedDict):
    payment_id: str
    amount: int  # dollars, negative for a refund

class DirectFlight(TypedDict):
    flight_number: str
    origin: str
    destination: str
    status: Literal["available"]
    scheduled_departure_time_est: str  # HH:MM:SS
    scheduled_arrival_time_est: str  # HH:MM:SS, with +1 if on the next day
    date: str | None  # None in the results of search_direct_flight
    available_seats: dict[CabinClass, int]
    prices: dict[CabinClass, int]  # dollars for one passenger

class ReservationFlight(TypedDict):
    flight_number: str
    origin: str
    destination: str
    date: str
    price: int  # dollars for one passenger

class Reservation(TypedDict):
    reservation_id: str
    user_id: str
    origin: str
    destination: str
    flight_type: FlightType
    cabin: CabinClass
    flights: list[ReservationFlight]
    passengers: list[Passenger]
    payment_history: list[Payment]
    created_at: str  # YYYY-MM-DDTHH:MM:SS
    total_baggages: int
    nonfree_baggages: int
    insurance: Insurance
    status: Literal["cancelled"] | None

def book_reservation(
    user_id: str,
    origin: str,
    destination: str,
    flight_type: FlightType,
    cabin: CabinClass,
    flights: list[FlightInfo],
    passengers: list[Passenger],
    payment_methods: list[Payment],
    total_baggages: int,
    nonfree_baggages: int,
    insurance: Insurance,
) -> Reservation:
    """Book a reservation.

    Args:
        user_id: The ID of the user to book the reservation such as 'sara_doe_496'`.
        origin: The IATA code for the origin city such as 'SFO'.
        destination: The IATA code for the destination city such as 'JFK'.
        flight_type: The type of flight such as 'one_way' or 'round_trip'.
        cabin: The cabin class such as 'basic_economy', 'economy', or 'business'.
        flights: An array of objects containing details about each piece of flight.
        passengers: An array of objects containing details about each passenger.
        payment_methods: An array of objects containing details about each payment method.
        total_baggages: The total number of baggage items to book the reservation.
        nonfree_baggages: The number of non-free baggage items to book the reservation.
        insurance: Whether the reservation has insurance.
    """
    ...

def calculate(expression: str) -> str:
    """Calculate the result of a mathematical expression.

    Args:
        expression: The mathematical expression to calculate, such as '2 + 2'. The expression can contain numbers, operators (+, -, *, /), parentheses, and spaces.

    Returns:
        The result of the mathematical expression.

    Raises:
        ValueError: If the expression is invalid.
    """
    ...

def cancel_reservation(reservation_id: str) -> Reservation:
    """Cancel the whole reservation.

    Args:
        reservation_id: The reservation ID, such as 'ZFA04Y'.

    Returns:
        The updated reservation.

    Raises:
        ValueError: If the reservation is not found.
    """
    ...

def get_reservation_details(reservation_id: str) -> Reservation:
    """Get the details of a reservation.

    Args:
        reservation_id: The reservation ID, such as '8JX2WO'.

    Returns:
        The reservation details.

    Raises:
        ValueError: If the reservation is not found.
    """
    ...

def get_user_details(user_id: str) -> User:
    """Get the details of a user, including their reservations.

    Args:
        user_id: The user ID, such as 'sara_doe_496'.

    Returns:
        The user details.

    Raises:
        ValueError: If the user is not found.
    """
    ...

def list_all_airports() -> list[AirportCode]:
    """Returns a list of all available airports.

    Returns:
        A dictionary mapping IATA codes to AirportInfo objects.
    """
    ...

def search_direct_flight(origin: str, destination: str, date: str) -> list[DirectFlight]:
    """Search for direct flights between two cities on a specific date.

    Args:
        origin: The origin city airport in three letters, such as 'JFK'.
        destination: The destination city airport in three letters, such as 'LAX'.
        date: The date of the flight in the format 'YYYY-MM-DD', such as '2024-01-01'.

    Returns:
        The direct flights between the two cities on the specific date.
    """
    ...

def search_onestop_flight(origin: str, destination: str, date: str) -> list[list[DirectFlight]]:
    """Search for one-stop flights between two cities on a specific date.

    Args:
        origin: The origin city airport in three letters, such as 'JFK'.
        destination: The destination city airport in three letters, such as 'LAX'.
        date: The date of the flight in the format 'YYYY-MM-DD', such as '2024-05-01'.

    Returns:
        A list of pairs of DirectFlight objects.
    """
    ...

def send_certificate(user_id: str, amount: int) -> str:
    """Send a certificate to a user. Be careful!

    Args:
        user_id: The ID of the user to book the reservation, such as 'sara_doe_496'.
        amount: The amount of the certificate to send.

    Returns:
        A message indicating the certificate was sent.

    Raises:
        ValueError: If the user is not found.
    """
    ...

def transfer_to_human_agents(summary: str) -> str:
    """Transfer the user to a human agent, with a summary of the user's issue.
    Only transfer if
     -  the user explicitly asks for a human agent
     -  given the policy and the available tools, you cannot solve the user's issue.

    Args:
        summary: A summary of the user's issue.

    Returns:
        A message indicating the user has been transferred to a human agent.
    """
    ...

def update_reservation_baggages(
    reservation_id: str,
    total_baggages: int,
    nonfree_baggages: int,
    payment_id: str,
) -> Reservation:
    """Update the baggage information of a reservation.

    Args:
        reservation_id: The reservation ID, such as 'ZFA04Y'
        total_baggages: The updated total number of baggage items included in the reservation.
        nonfree_baggages: The updated number of non-free baggage items included in the reservation.
        payment_id: The payment id stored in user profile, such as 'credit_card_7815826', 'gift_card_7815826', 'certificate_7815826'.

    Returns:
        The updated reservation.

    Raises:
        ValueError: If the reservation is not found.
        ValueError: If the user is not found.
        ValueError: If the payment method is not found.
        ValueError: If the certificate cannot be used to update reservation.
        ValueError: If the gift card balance is not enough.
    """
    ...

def update_reservation_flights(
    reservation_id: str,
    cabin: CabinClass,
    flights: list[FlightInfo],
    payment_id: str,
) -> Reservation:
    """Update the flight information of a reservation.

    Args:
        reservation_id: The reservation ID, such as 'ZFA04Y'.
        cabin: The cabin class of the reservation
        flights: An array of objects containing details about each piece of flight in the ENTIRE new reservation. Even if the a flight segment is not changed, it should still be included in the array.
        payment_id: The payment id stored in user profile, such as 'credit_card_7815826', 'gift_card_7815826', 'certificate_7815826'.

    Returns:
        The updated reservation.

    Raises:
        ValueError: If the reservation is not found.
        ValueError: If the user is not found.
        ValueError: If the payment method is not found.
        ValueError: If the certificate cannot be used to update reservation.
        ValueError: If the gift card balance is not enough.
    """
    ...

def update_reservation_passengers(reservation_id: str, passengers: list[Passenger]) -> Reservation:
    """Update the passenger information of a reservation.

    Args:
        reservation_id: The reservation ID, such as 'ZFA04Y'.
        passengers: An array of objects containing details about each passenger.

    Returns:
        The updated reservation.

    Raises:
        ValueError: If the reservation is not found.
        ValueError: If the number of passengers does not match.
    """
    ...

def get_flight_status(flight_number: str, date: str) -> str:
    """Get the status of a flight.

    Args:
        flight_number: The flight number.
        date: The date of the flight.

    Returns:
        The status of the flight.

    Raises:
        ValueError: If the flight is not found.
    """
    ...
