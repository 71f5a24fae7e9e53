"""The boundary, as Python sees it. `call(operation, params)` is native."""

import datetime as _datetime


class Refusal(Exception):
    """The environment refused a call."""

    def __init__(self, code, message, status, details):
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.details = details

    @property
    def _outcome_error(self):
        return self.code


_EPOCH = _datetime.datetime(1970, 1, 1, tzinfo=_datetime.timezone.utc)


def datetime_utc(seconds):
    """An aware datetime; native code calls this for every time that comes in."""
    return _EPOCH + _datetime.timedelta(microseconds=round(seconds * 1_000_000))
