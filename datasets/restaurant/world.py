"""The restaurants of Cambridge and the bookings of their tables, as functions over one dict.

A world has all restaurants or some of them, so the values are listed here: a value that no row of
a world has finds nothing, and one that is misspelt is refused.
"""

import re

SLOTS = ["name", "food", "area", "pricerange", "phone", "address", "postcode"]
AREAS = ["centre", "north", "south", "east", "west"]
PRICES = ["cheap", "moderate", "expensive"]
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
ANY = ["", "any", "dontcare", "don't care"]
# What the restaurants of Cambridge serve.
FOODS = """african, asian oriental, british, chinese, european, french, gastropub, indian,
international, italian, japanese, korean, lebanese, mediterranean, mexican, modern european,
north american, portuguese, seafood, spanish, thai, turkish, vietnamese"""
# What people ask for beside it, in the words of MultiWOZ.
OTHER_FOODS = """afghan, afternoon tea, argentinian, australasian, australian, austrian,
bangladeshi, barbecue, barbeque, basque, belgian, bistro, brazilian, cajun, canapes, cantonese,
caribbean, catalan, christmas, corsica, corsican, creative, crossover, cuban, danish,
eastern european, english, eritrean, ethiopian, fast food, filipino, fusion, german, greek, halal,
hawaiian, hungarian, indonesian, irish, jamaican, kosher, latin american, light bites, malaysian,
middle eastern, modern american, modern eclectic, modern global, molecular gastronomy, moroccan,
muslim, nepalese, new zealand, north african, north indian, northern european, pakistani, panasian,
pan-asian, persian, peruvian, polish, polynesian, pub, romanian, russian, scandinavian, scottish,
singaporean, south african, south american, south indian, sri lankan, steakhouse, sushi, swedish,
swiss, tapas, the americas, traditional, tuscan, unusual, vegan, vegetarian, venetian, welsh, world"""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"


class InvalidValue(Exception):
    pass


class NoSuchRestaurant(Exception):
    pass


class NoSuchBooking(Exception):
    pass


class NotAvailable(Exception):
    pass


def find(state, food=None, area=None, pricerange=None, name=None, limit=20):
    rows = _fitting(state, food, area, pricerange)
    if not _is_any(name):
        rows = [row for row in rows if _words(name) <= _words(row["name"])]
    if not (limit is None or isinstance(limit, int) and limit >= 0):
        raise InvalidValue(f"limit cannot be {limit!r}. It can be None or a number from 0 on.")
    rows.sort(key=lambda row: row["name"].lower())
    return [_shown(row) for row in rows[:limit]]


def count(state, food=None, area=None, pricerange=None):
    return len(_fitting(state, food, area, pricerange))


def get(state, name):
    return _shown(_row(state, name))


def book(state, name, day, time, people):
    row = _row(state, name)
    day = _value("day", day, DAYS)
    time = str(time).strip()
    if not re.fullmatch("([01]?[0-9]|2[0-3]):[0-5][0-9]", time):
        raise InvalidValue(f'The time is not "{time}" but hours and minutes, such as 18:30.')
    time = time.zfill(5)
    people = str(people).strip()
    if not re.fullmatch("[1-9][0-9]?", people):
        raise InvalidValue(f'The number of people is not "{people}" but 1 to 99.')
    if [day, time] in state["refused"]:
        raise NotAvailable(f"No table is free on {day} at {time}.")
    booking = {"name": row["name"], "day": day, "time": time, "people": int(people)}
    reference = _reference(f"{state['next']} {booking}")
    state["next"] += 1
    booking = {"reference": reference, **booking}
    state["bookings"][reference] = booking
    return booking


def cancel(state, reference):
    reference = str(reference).strip().upper()
    if reference not in state["bookings"]:
        raise NoSuchBooking(f"There is no booking {reference}.")
    del state["bookings"][reference]


def bookings(state):
    return list(state["bookings"].values())


def _fitting(state, food, area, pricerange):
    wishes = {}
    foods = [" ".join(it.split()) for it in FOODS.split(",")]
    others = [" ".join(it.split()) for it in OTHER_FOODS.split(",")]
    for slot, value, values, more in [
        ("food", food, foods, others),
        ("area", area, AREAS, []),
        ("pricerange", pricerange, PRICES, []),
    ]:
        if not _is_any(value):
            wishes[slot] = _value(slot, value, values, more)
    rows = state["restaurants"]
    return [row for row in rows if all(row.get(slot) == value for slot, value in wishes.items())]


def _is_any(value):
    return value is None or str(value).strip().lower() in ANY


def _value(slot, value, values, more=()):
    value = str(value).strip().lower()
    if value not in values and value not in more:
        raise InvalidValue(f'{slot} cannot be "{value}". It can be {", ".join(values)}.')
    return value


def _words(name):
    """The words of a name without case and punctuation: Saint John's is saint johns."""
    return set(re.sub("[^a-z0-9 ]", "", str(name).lower().replace("-", " ")).split())


def _row(state, name):
    """The restaurant of this name, or the only one whose name has these words."""
    rows = state["restaurants"]
    found = [row for row in rows if _words(row["name"]) == _words(name)]
    found = found or [row for row in rows if _words(name) and _words(name) <= _words(row["name"])]
    if not found:
        raise NoSuchRestaurant(f'There is no restaurant "{name}".')
    if len(found) > 1:
        names = ", ".join(sorted(row["name"] for row in found))
        raise NoSuchRestaurant(f'There are several restaurants "{name}": {names}.')
    return found[0]


def _shown(row):
    return {slot: row[slot] for slot in SLOTS if row.get(slot)}


def _reference(booking):
    """Eight letters and digits, a letter first and a digit last, of a booking with its number."""
    number, middle = 0, ""
    for letter in booking:
        number = (number * 1000003 + ord(letter)) % (260 * 36**6)
    number, letter = divmod(number, 26)
    number, digit = divmod(number, 10)
    for _ in range(6):
        number, at = divmod(number, 36)
        middle += (LETTERS + DIGITS)[at]
    return LETTERS[letter] + middle + DIGITS[digit]
