# dateutil.relativedelta, which boto3 brings: steps of months, and days of the week.

import calendar
from datetime import date


class weekday:
    """A day of the week, and which of them: `FR(-1)` is the last Friday."""

    def __init__(self, weekday, n=None):
        if n == 0:
            raise ValueError("Can't create weekday with n==0")
        self.weekday, self.n = weekday, n

    def __call__(self, n):
        return self if n == self.n else type(self)(self.weekday, n)

    def __eq__(self, other):
        return (self.weekday, self.n) == (getattr(other, "weekday", None), getattr(other, "n", None))

    def __hash__(self):
        return hash((self.weekday, self.n))

    def __repr__(self):
        name = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")[self.weekday]
        return f"{name}({self.n:+d})" if self.n else name


_WEEKDAYS = tuple(map(weekday, range(7)))
_RELATIVE = ("years", "months", "days", "leapdays", "hours", "minutes", "seconds", "microseconds")
_ABSOLUTE = ("year", "month", "day", "weekday", "hour", "minute", "second", "microsecond")
# What is carried over, from the smallest: how many of the first are one of the second.
_CARRIED = (
    ("microseconds", "seconds", 1000000), ("seconds", "minutes", 60), ("minutes", "hours", 60),
    ("hours", "days", 24), ("months", "years", 12),
)


def _toward_zero(value, unit):
    """How often a unit is in a value, and what is left, both with the value's sign."""
    sign = -1 if value < 0 else 1
    whole, rest = divmod(value * sign, unit)
    return whole * sign, rest * sign


class relativedelta:
    def __init__(
        self, dt1=None, dt2=None, years=0, months=0, days=0, leapdays=0, weeks=0, hours=0, minutes=0, seconds=0,
        microseconds=0, year=None, month=None, day=None, weekday=None, yearday=None, nlyearday=None, hour=None,
        minute=None, second=None, microsecond=None,
    ):
        if dt1 and dt2:
            self._between(dt1, dt2)
            return
        if any(value is not None and value != int(value) for value in (years, months)):
            raise ValueError("Non-integer years and months are ambiguous and not currently supported.")
        self.years, self.months, self.days, self.leapdays = int(years), int(months), days + weeks * 7, leapdays
        self.hours, self.minutes, self.seconds, self.microseconds = hours, minutes, seconds, microseconds
        self.year, self.month, self.day, self.hour = year, month, day, hour
        self.minute, self.second, self.microsecond = minute, second, microsecond
        self.weekday = _WEEKDAYS[weekday] if isinstance(weekday, int) else weekday
        if nlyearday:
            self._day_of_year(nlyearday)
        elif yearday:
            if yearday > 59:
                self.leapdays = -1
            self._day_of_year(yearday)
        self._fix()

    def _between(self, later, earlier):
        if not isinstance(later, date) or not isinstance(earlier, date):
            raise TypeError("relativedelta only diffs datetime/date")
        if type(later) is not type(earlier):
            if not isinstance(later, datetime):
                later = datetime.fromordinal(later.toordinal())
            elif not isinstance(earlier, datetime):
                earlier = datetime.fromordinal(earlier.toordinal())
        self.__init__()
        months = (later.year - earlier.year) * 12 + later.month - earlier.month
        self._set_months(months)
        reached = earlier + self
        step, passed = (1, later.__gt__) if later < earlier else (-1, later.__lt__)
        while passed(reached):
            months += step
            self._set_months(months)
            reached = earlier + self
        rest = later - reached
        self.seconds, self.microseconds = rest.seconds + rest.days * 86400, rest.microseconds
        self._fix()

    def _set_months(self, months):
        self.years, self.months = _toward_zero(months, 12)

    def _day_of_year(self, number):
        for month in range(1, 13):
            length = calendar.monthrange(2023, month)[1]
            # dateutil takes the 366th day for the last of December.
            if number <= length or month == 12 and number == 32:
                self.month, self.day = month, number
                return
            number -= length
        raise ValueError(f"invalid year day ({number + 334})")

    def _fix(self):
        for small, large, unit in _CARRIED:
            value = getattr(self, small)
            if abs(value) >= unit:
                whole, rest = _toward_zero(value, unit)
                setattr(self, small, rest)
                setattr(self, large, getattr(self, large) + whole)
        times = (self.hours, self.minutes, self.seconds, self.microseconds, self.hour, self.minute, self.second)
        self._has_time = int(any(times) or any(value is not None for value in (*times[4:], self.microsecond)))

    @property
    def weeks(self):
        return int(self.days / 7.0)

    @weeks.setter
    def weeks(self, value):
        self.days += (value - self.weeks) * 7

    def _fields(self, names):
        return {name: getattr(self, name) for name in names}

    def normalized(self):
        days = int(self.days)
        hours = round(self.hours + 24 * (self.days - days), 11)
        minutes = round(self.minutes + 60 * (hours - int(hours)), 10)
        seconds = round(self.seconds + 60 * (minutes - int(minutes)), 8)
        micros = round(self.microseconds + 1e6 * (seconds - int(seconds)))
        relative = {"days": days, "hours": int(hours), "minutes": int(minutes), "seconds": int(seconds)}
        relative.update(years=self.years, months=self.months, leapdays=self.leapdays, microseconds=micros)
        return type(self)(**relative, **self._fields(_ABSOLUTE))

    def _combined(self, other, sign):
        """The sum with another, whose relative parts have the sign; its absolute ones win for +."""
        first, second = (other, self) if sign > 0 else (self, other)
        absolute = {}
        for name in _ABSOLUTE:
            value = getattr(first, name)
            absolute[name] = getattr(second, name) if value is None else value
        relative = {name: getattr(self, name) + sign * getattr(other, name) for name in _RELATIVE}
        relative["leapdays"] = first.leapdays or second.leapdays
        return type(self)(**relative, **absolute)

    def __add__(self, other):
        if isinstance(other, relativedelta):
            return self._combined(other, 1)
        if isinstance(other, timedelta):
            relative = {name: getattr(self, name) for name in _RELATIVE}
            relative["days"] += other.days
            relative["seconds"] += other.seconds
            relative["microseconds"] += other.microseconds
            return type(self)(**relative, **self._fields(_ABSOLUTE))
        if not isinstance(other, date):
            return NotImplemented
        if self._has_time and not isinstance(other, datetime):
            other = datetime.fromordinal(other.toordinal())
        months = (self.year or other.year) * 12 + (self.month or other.month) - 1 + self.years * 12 + self.months
        year, month = divmod(months, 12)
        month += 1
        day = min(calendar.monthrange(year, month)[1], self.day or other.day)
        replaced = {"year": year, "month": month, "day": day}
        for name in ("hour", "minute", "second", "microsecond"):
            if getattr(self, name) is not None:
                replaced[name] = getattr(self, name)
        days = self.days
        if self.leapdays and month > 2 and calendar.isleap(year):
            days += self.leapdays
        found = other.replace(**replaced) + timedelta(
            days=days, hours=self.hours, minutes=self.minutes, seconds=self.seconds, microseconds=self.microseconds,
        )
        if self.weekday is not None:
            nth = self.weekday.n or 1
            jump = (abs(nth) - 1) * 7
            if nth > 0:
                jump += (self.weekday.weekday - found.weekday()) % 7
            else:
                jump = -jump - (found.weekday() - self.weekday.weekday) % 7
            found += timedelta(days=jump)
        return found

    __radd__ = __add__

    def __rsub__(self, other):
        return (-self).__radd__(other)

    def __sub__(self, other):
        return self._combined(other, -1) if isinstance(other, relativedelta) else NotImplemented

    def __neg__(self):
        relative = {name: -getattr(self, name) for name in _RELATIVE}
        relative["leapdays"] = self.leapdays
        return type(self)(**relative, **self._fields(_ABSOLUTE))

    def __abs__(self):
        relative = {name: abs(getattr(self, name)) for name in _RELATIVE}
        relative["leapdays"] = self.leapdays
        return type(self)(**relative, **self._fields(_ABSOLUTE))

    def __bool__(self):
        return any(self._fields(_RELATIVE).values()) or any(
            value is not None for value in self._fields(_ABSOLUTE).values()
        )

    def __mul__(self, factor):
        try:
            factor = float(factor)
        except TypeError:
            return NotImplemented
        relative = {name: int(getattr(self, name) * factor) for name in _RELATIVE}
        relative["leapdays"] = self.leapdays
        return type(self)(**relative, **self._fields(_ABSOLUTE))

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        try:
            return self * (1 / float(divisor))
        except TypeError:
            return NotImplemented

    def __eq__(self, other):
        if not isinstance(other, relativedelta):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in (*_RELATIVE, *_ABSOLUTE))

    def __hash__(self):
        return hash(tuple(getattr(self, name) for name in (*_RELATIVE, *_ABSOLUTE)))

    def __repr__(self):
        words = [f"{name}={value:+g}" for name, value in self._fields(_RELATIVE).items() if value]
        words += [f"{name}={value!r}" for name, value in self._fields(_ABSOLUTE).items() if value is not None]
        return f"relativedelta({', '.join(words)})"
