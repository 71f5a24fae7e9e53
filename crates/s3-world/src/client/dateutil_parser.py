# dateutil.parser: dates in the spellings that `times.py` reads, without dateutil's guesses at
# what else a text may mean.


class ParserError(ValueError):
    def __str__(self):
        try:
            return self.args[0] % self.args[1:]
        except (TypeError, IndexError):
            return super().__str__()

    def __repr__(self):
        return f"ParserError({str(self)})"


_TIME = re.compile(rf"\s*(?P<at>){_CLOCK}{_ZONE}\s*$".replace(r"(?:[\sT,]+(", "(?:(", 1), re.IGNORECASE)
# An hour without minutes: `5 pm`, `T05`.
_HOUR = r"(?:[\sT]+(?P<hour>\d{1,2})\s*(?P<half>[ap]m)?(?P<minute>)(?P<second>)(?P<part>))"
_DATES_AND_HOURS = [re.compile(date.pattern.replace(_CLOCK, _HOUR), re.IGNORECASE) for date in _DATES]
# What is missing is that of the default.
_PARTS_OF_DATES = [
    re.compile(rf"\s*{part}\s*$", re.IGNORECASE)
    for part in (
        rf"{_MONTH}[\s,]+(?P<year>\d{{4}})",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:[\s,]+(?P<year>\d{{4}}))?",
        r"(?P<year>\d{4})(?:-(?P<month>\d\d))?",
    )
]
_COMPACT = re.compile(
    r"\s*(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)"
    rf"(?:T?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?(?P<part>)(?P<half>)?)?{_ZONE}\s*$",
    re.IGNORECASE,
)


def _matched(text, dayfirst, yearfirst):
    """The parts of a date or a time, as texts; `None` if it has no known spelling."""
    for pattern in (*_DATES, _COMPACT, *_DATES_AND_HOURS, *_PARTS_OF_DATES, _TIME):
        if (found := pattern.match(text)) is not None:
            found = found.groupdict()
            if "first" in found and (dayfirst or int(found["first"]) > 12) and int(found["day"]) <= 12:
                found["first"], found["day"] = found["day"], found["first"]
            if found.get("month") is None and "first" in found:
                found["month"] = found["first"]
            return found
    return None


def _parse(timestr, parserinfo=None, default=None, ignoretz=False, tzinfos=None, dayfirst=False, yearfirst=False, fuzzy=False, **kwargs):
    if isinstance(timestr, (bytes, bytearray)):
        timestr = timestr.decode()
    if not isinstance(timestr, str):
        raise TypeError(f"Parser must be a string or character stream, not {type(timestr).__name__}")
    if fuzzy or tzinfos is not None or parserinfo is not None or kwargs:
        raise NotImplementedError("dateutil.parser in the sandbox has no fuzzy, tzinfos or parserinfo")
    if not timestr.strip():
        raise ParserError("String does not contain a date: %s", timestr)
    found = _matched(timestr, dayfirst, yearfirst)
    if found is None:
        raise ParserError("Unknown string format: %s", timestr)
    default = default or datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)
    fields = {}
    if found.get("month"):
        month = found["month"]
        known = month[:3].lower()
        if not month.isdigit() and known not in _MONTHS:
            raise ParserError("Unknown string format: %s", timestr)
        fields["month"] = int(month) if month.isdigit() else _MONTHS.index(known) + 1
    if found.get("year"):
        fields["year"] = int(found["year"]) + (_century(int(found["year"])) if len(found["year"]) == 2 else 0)
    if found.get("day"):
        fields["day"] = int(found["day"])
    if found.get("hour"):
        hour = int(found["hour"])
        if found.get("half"):
            hour = hour % 12 + (12 if found["half"].lower() == "pm" else 0)
        fields.update(hour=hour, minute=int(found["minute"] or 0), second=int(found["second"] or 0))
        fields["microsecond"] = int((found["part"] or "0").ljust(6, "0"))
    try:
        if "day" not in fields and ("month" in fields or "year" in fields):
            year, month = fields.get("year", default.year), fields.get("month", default.month)
            fields["day"] = min(default.day, calendar.monthrange(year, month)[1])
        parsed = default.replace(**fields)
    except ValueError as error:
        raise ParserError(f"{error}: %s", timestr) from error
    zone = found.get("zone")
    return parsed if ignoretz or not zone else parsed.replace(tzinfo=_zone(zone))


def _century(year):
    """dateutil takes two digits for the year that is less than 50 years away."""
    now = datetime.now().year
    full = now - now % 100 + year
    if full >= now + 50:
        full -= 100
    elif full < now - 50:
        full += 100
    return full - year


def _zone(text):
    if text[0] not in "+-":
        return _UTC
    seconds = int(text[1:3]) * 3600 + int(text[-2:]) * 60
    return tzoffset(None, -seconds if text[0] == "-" else seconds) if seconds else _UTC


def _isoparse(dt_str):
    text = dt_str.decode("ascii") if isinstance(dt_str, bytes) else dt_str
    if re.fullmatch(r"\d{4}(-\d\d)?", text):
        text += "-01" if "-" in text else "-01-01"
    parsed = datetime.fromisoformat(text)
    if parsed.tzinfo is None:
        return parsed
    offset = parsed.utcoffset()
    return parsed.replace(tzinfo=tzoffset(None, offset) if offset else _UTC)


for _each, _name in ((_parse, "parse"), (_isoparse, "isoparse"), (_gettz, "gettz")):
    _each.__name__ = _each.__qualname__ = _name
for _each in (tzutc, tzlocal, tzoffset):
    _each.__module__ = "dateutil.tz.tz"
relativedelta.__module__ = "dateutil.relativedelta"
ParserError.__module__ = "dateutil.parser._parser"
