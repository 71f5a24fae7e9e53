"""What the native parts of `time` and `zoneinfo` leave out: some formats, and the zones."""

import re
import time

import _host
import _thread

_native_strftime = time.strftime
_SIGN = re.compile(r"%([-_0^#]*)(\d*)([EO]?)(.)", re.DOTALL)
_FORMS = {
    "c": "%a %b %e %H:%M:%S %Y", "x": "%m/%d/%y", "X": "%H:%M:%S", "r": "%I:%M:%S %p", "+": "%+",
}


def _zone(seconds):
    sign, seconds = "-" if seconds < 0 else "+", abs(seconds)
    return f"{sign}{seconds // 3600:02}{seconds % 3600 // 60:02}"


def strftime(format, t=None, /):
    """`time.strftime` with the signs that the native one has differently from C."""
    of = time.localtime() if t is None else t
    if not isinstance(format, str) or "%" not in format:
        return _native_strftime(format, of)

    def put(found):
        flags, width, kind, sign = found.groups()
        text = None
        if sign in _FORMS:
            text = _native_strftime(_FORMS[sign], of)
        elif sign == "s":
            import calendar

            text = str(calendar.timegm(tuple(of)))
        elif sign == "z":
            text = _zone(getattr(of, "tm_gmtoff", None) or 0)
        elif sign == "Z":
            text = getattr(of, "tm_zone", None) or "UTC"
        elif sign == "f":
            text = found[0]
        elif kind:
            text = _native_strftime(f"%{flags}{width}{sign}", of)
        if text is None:
            return found[0]
        if "^" in flags:
            text = text.upper()
        if width and "-" not in flags:
            text = text.rjust(int(width), "0" if "0" in flags else " ")
        return text.replace("%", "%%")

    return _native_strftime(_SIGN.sub(put, format), of)


class _Function:
    """A function that is no method where it is an attribute of a class, as a native one."""

    def __init__(self, function):
        self.function = function
        self.__name__ = self.__qualname__ = function.__name__
        self.__module__ = "time"
        self.__doc__ = function.__doc__

    def __call__(self, *args):
        return self.function(*args)

    def __repr__(self):
        return f"<built-in function {self.__name__}>"


def _broken_down(name):
    native = getattr(time, name)

    def broken_down(seconds=None, /):
        found = native(seconds)
        # The native one counts the days of the week from Sunday, and names no zone.
        fields = (*found[:6], (found[6] - 1) % 7, *found[7:9], "UTC", 0)
        return time.struct_time(fields)

    broken_down.__name__ = name
    return _Function(broken_down)


_zones = {}


def _all_zones():
    """The name of each zone, with its place in the data."""
    if not _zones:
        packed = _host.zones()
        index, _, _ = packed.partition(b"\n\n")
        start = len(index) + 2
        for line in index.decode().split("\n")[1:]:
            name, place, size = line.split(" ")
            _zones[name] = (packed, start + int(place), int(size))
    return _zones


def _load_zone(key):
    import io
    from zoneinfo._common import ZoneInfoNotFoundError

    found = _all_zones().get(key)
    if found is None:
        raise ZoneInfoNotFoundError(f"No time zone found with key {key}")
    packed, start, size = found
    return io.BytesIO(packed[start:start + size])


def _available_timezones():
    return {name for name in _all_zones() if not name.startswith(("posix/", "right/")) and name != "Factory"}


def install():
    import zoneinfo
    from zoneinfo import _common, _tzpath

    # The sandbox is in UTC.
    time.tzname, time.timezone, time.altzone, time.daylight = ("UTC", "UTC"), 0, 0, 0
    _thread._sleeps.append(time.sleep)
    time.sleep, time.strftime = _Function(_thread.sleep), _Function(strftime)
    if time.gmtime(0).tm_wday != 3:
        time.gmtime, time.localtime = _broken_down("gmtime"), _broken_down("localtime")
    _tzpath.TZPATH = ()
    _common.load_tzdata = _load_zone
    zoneinfo.available_timezones = _tzpath.available_timezones = _available_timezones
