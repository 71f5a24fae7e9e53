# dateutil.tz, which boto3 brings: zones.

from datetime import tzinfo

_ZERO = timedelta(0)


class _Fixed(tzinfo):
    """A zone that is always as far from UTC."""

    _offset, _name = _ZERO, "UTC"

    def utcoffset(self, dt):
        return self._offset

    def dst(self, dt):
        return _ZERO

    def tzname(self, dt):
        return self._name

    def fromutc(self, dt):
        return dt + self._offset

    def is_ambiguous(self, dt):
        return False

    def __eq__(self, other):
        return self._offset == other._offset if isinstance(other, _Fixed) else NotImplemented

    __hash__ = None

    def __reduce__(self):
        return type(self), ()


class tzutc(_Fixed):
    def __repr__(self):
        return "tzutc()"


class tzlocal(_Fixed):
    """The machine's zone: in the sandbox UTC."""

    def __repr__(self):
        return "tzlocal()"


class tzoffset(_Fixed):
    def __init__(self, name, offset):
        self._name = name
        self._offset = offset if isinstance(offset, timedelta) else timedelta(seconds=offset)

    def __repr__(self):
        return f"tzoffset({self._name!r}, {int(self._offset.total_seconds())})"

    def __reduce__(self):
        return tzoffset, (self._name, self._offset)


_UTC = tzutc()


def _zoned(value):
    """Gives the times in a part of an answer the zone that botocore gives them."""
    for place, item in value.items() if type(value) is dict else enumerate(value):
        if type(item) is datetime:
            value[place] = item.replace(tzinfo=_UTC)
        elif type(item) in (dict, list):
            _zoned(item)


def _zoned_rows(rows):
    """Does the same for a listing, which is long and has one time in each row."""
    for row in rows:
        if "LastModified" in row:
            row["LastModified"] = row["LastModified"].replace(tzinfo=_UTC)


def _gettz(name=None):
    if not name:
        return tzlocal()
    if name in ("UTC", "GMT"):
        return _UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name.removeprefix(":"))
    except (ZoneInfoNotFoundError, ValueError):
        return None
