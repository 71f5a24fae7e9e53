# Timestamps in the spellings that botocore takes (botocore/utils.py, dateutil).

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?"
_MONTH = r"(?P<month>[a-z]{3})[a-z]*\.?"
_CLOCK = (
    r"(?:[\sT,]+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<part>\d{1,6})\d*)?)?"
    r"\s*(?P<half>[ap]m)?)?"
)
_ZONE = r"\s*(?P<zone>gmt|utc|z|[+-]\d\d:?\d\d)?"
_DATES = [
    re.compile(rf"\s*{date}\s*$", re.IGNORECASE)
    for date in (
        # Tue, 02 Jan 2024 03:04:05 GMT; 2 January 2024
        rf"{_WEEKDAY}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[\s-]+{_MONTH}[\s,-]+(?P<year>\d{{4}}|\d\d){_CLOCK}{_ZONE}",
        # Jan 2, 2024 03:04
        rf"{_WEEKDAY}{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}}){_CLOCK}{_ZONE}",
        # Tue Jan  2 03:04:05 2024
        rf"{_WEEKDAY}{_MONTH}\s+(?P<day>\d{{1,2}}){_CLOCK}{_ZONE}\s+(?P<year>\d{{4}})",
        # 2024-01-02, 2024/01/02 03:04:05
        rf"(?P<year>\d{{4}})[/.-](?P<month>\d{{1,2}})[/.-](?P<day>\d{{1,2}}){_CLOCK}{_ZONE}",
        # 01/02/2024, read with the month first if possible
        rf"(?P<first>\d{{1,2}})[/.-](?P<day>\d{{1,2}})[/.-](?P<year>\d{{4}}|\d\d){_CLOCK}{_ZONE}",
    )
]


def _time(value):
    """Reads a timestamp in any common spelling, as an aware datetime in UTC."""
    if not isinstance(value, datetime):
        value = _number_time(value)
    if value.tzinfo is None:
        return value.replace(tzinfo=timezone.utc)
    return value.astimezone(timezone.utc)


def _number_time(value):
    try:
        seconds = float(value)
    except ValueError:
        return _text_time(value)
    if seconds != seconds:
        raise ValueError("cannot convert float NaN to integer")
    if abs(seconds) >= 2**63:
        raise RuntimeError(f'Unable to calculate correct timezone offset for "{value}"')
    return _EPOCH + timedelta(seconds=seconds)


def _text_time(text):
    for pattern in _DATES:
        if (date := pattern.match(text)) is not None:
            return _date_of(date.groupdict())
    if "W" in text:
        raise ValueError(text)
    return datetime.fromisoformat(text.strip())


def _date_of(date):
    month, day, hour = date.get("month"), int(date["day"]), int(date["hour"] or 0)
    if month is None:
        month = int(date["first"])
        if month > 12 >= day:
            month, day = day, month
    else:
        month = int(month) if month.isdigit() else _MONTHS.index(month.lower()) + 1
    year = int(date["year"]) + (2000 if len(date["year"]) == 2 else 0)
    if date["half"]:
        hour = hour % 12 + (12 if date["half"].lower() == "pm" else 0)
    found = datetime(
        year, month, day, hour, int(date["minute"] or 0), int(date["second"] or 0),
        int((date["part"] or "0").ljust(6, "0")), tzinfo=timezone.utc,
    )
    zone = date["zone"] or ""
    if zone[:1] in ("+", "-"):
        offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
        found -= offset if zone[0] == "+" else -offset
    return found


_dated = None, ""


def _http_date(time):
    """A time in the format of HTTP headers. Cached, as objects often share a time."""
    global _dated
    known, text = _dated
    if known is not time:
        day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[time.weekday()]
        month = _MONTHS[time.month - 1].capitalize()
        text = f"{day}, {time.day:02} {month} {time.year:04} {time.hour:02}:{time.minute:02}:{time.second:02} GMT"
        _dated = time, text
    return text
