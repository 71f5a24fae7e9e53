# What botocore checks before it sends anything: the same problems, in the same
# order, in the same words (botocore/validate.py, botocore/handlers.py).

import re
from datetime import datetime, timedelta, timezone

_BUCKET = re.compile(r"^[a-zA-Z0-9.\-_]{1,255}$")
_ARN = re.compile(
    r"^arn:(aws).*:(s3|s3-object-lambda):[a-z\-0-9]*:[0-9]{12}:accesspoint[/:][a-zA-Z0-9\-.]{1,63}$"
    r"|^arn:(aws).*:s3-outposts:[a-z\-0-9]+:[0-9]{12}:outpost[/:][a-zA-Z0-9\-]{1,63}[/:]accesspoint[/:][a-zA-Z0-9\-]{1,63}$"
)
_KNOWN_BUCKETS = set()


def _check_bucket(bucket):
    if type(bucket) is str:
        if bucket in _KNOWN_BUCKETS:
            return
    elif not isinstance(bucket, (str, bytes, bytearray)):
        raise TypeError(f"expected string or bytes-like object, got '{type(bucket).__name__}'")
    if not _BUCKET.search(bucket) and not _ARN.search(bucket):
        raise ParamValidationError(report=(
            f'Invalid bucket name "{bucket}": Bucket name must match '
            f'the regex "{_BUCKET.pattern}" or be an ARN matching '
            f'the regex "{_ARN.pattern}"'
        ))
    if len(_KNOWN_BUCKETS) < 1000:
        _KNOWN_BUCKETS.add(bucket)


def _check_metadata(metadata):
    if not metadata or not isinstance(metadata, dict):
        return
    for key, value in metadata.items():
        try:
            key.encode("ascii")
            value.encode("ascii")
        except UnicodeEncodeError:
            raise ParamValidationError(report=(
                "Non ascii characters found in S3 metadata "
                f'for key "{key}", value: "{value}".  \nS3 metadata can only '
                "contain ASCII characters. "
            )) from None


_SCALARS = {"s": str, "i": int, "b": bool}


def _where(name):
    return name[1:] if name.startswith(".") else name or "input"


def _wrong_type(errors, name, value, *valid):
    errors.append(
        f"Invalid type for parameter {_where(name)}, value: {value}, "
        f"type: {type(value)}, valid types: {', '.join(map(str, valid))}"
    )


def _plain(shape, value, name, errors):
    """The value as it goes to the host; what is wrong with it goes to `errors`."""
    kind = shape[0]
    if kind == "{":
        return _structure(shape, value, name, errors)
    if kind == "[":
        if not isinstance(value, (list, tuple)):
            return _wrong_type(errors, name, value, list, tuple)
        item = shape[1]
        return [_plain(item, each, f"{name}[{i}]", errors) for i, each in enumerate(value)]
    if kind == "m":
        if not isinstance(value, dict):
            return _wrong_type(errors, name, value, dict)
        return {
            _plain("s", key, f"{name} (key: {key})", errors): _plain("s", each, f"{name}.{key}", errors)
            for key, each in value.items()
        }
    if kind == "B":
        if isinstance(value, (bytes, bytearray, str)) or hasattr(value, "read"):
            return value
        return _wrong_type(errors, name, value, bytes, bytearray, "file-like object")
    if kind == "t":
        try:
            return _time(value)
        except (TypeError, ValueError, AttributeError, OverflowError):
            return _wrong_type(errors, name, value, datetime, "timestamp-string")
    valid = _SCALARS[kind]
    if not isinstance(value, valid):
        return _wrong_type(errors, name, value, valid)
    if len(shape) == 2:
        measure, what, least = (len(value), "length", "length") if kind == "s" else (value, "value", "value")
        if measure < shape[1]:
            errors.append(
                f"Invalid {what} for parameter {_where(name)}, value: {measure}, "
                f"valid min {least}: {shape[1]}"
            )
    if kind == "s":
        return value if type(value) is str else str.__str__(value)
    if kind == "b" or type(value) is bool:
        return value
    return max(-(2**63), min(int(value), 2**63 - 1))


def _structure(shape, value, name, errors):
    if not isinstance(value, dict):
        return _wrong_type(errors, name, value, dict)
    _, required, members = shape
    for member in required:
        if member not in value:
            errors.append(f'Missing required parameter in {_where(name)}: "{member}"')
    known = []
    for member in value:
        if member in members:
            known.append(member)
        else:
            errors.append(
                f'Unknown parameter in {_where(name)}: "{member}", '
                f"must be one of: {', '.join(members)}"
            )
    return {member: _plain(members[member], value[member], f"{name}.{member}", errors) for member in known}


_HTTP_DATE = re.compile(r"^\s*(?:[A-Za-z]{3,9},?\s+)?(\d{1,2})[ -]([A-Za-z]{3})[a-z]*[ -](\d{4})\s+(\d\d):(\d\d):(\d\d)(?:\s*(?:GMT|UTC|Z|\+0000))?\s*$")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def _time(value):
    """A timestamp in any spelling botocore's users have, as an aware datetime in UTC."""
    if not isinstance(value, datetime):
        try:
            value = _EPOCH + timedelta(seconds=float(value))
        except ValueError:
            value = _text_time(value)
    if value.tzinfo is None:
        return value.replace(tzinfo=timezone.utc)
    return value.astimezone(timezone.utc)


def _text_time(text):
    date = _HTTP_DATE.match(text)
    if date is None:
        return datetime.fromisoformat(text.strip())
    day, month, year, hour, minute, second = date.groups()
    month = _MONTHS.index(month.lower()) + 1
    return datetime(int(year), month, int(day), int(hour), int(minute), int(second), tzinfo=timezone.utc)


def _fast_table(shape):
    """For each member that is a bare scalar, the one type that needs no further look."""
    fast = {"s": str, "i": int, "b": bool, "B": bytes}
    return {name: fast[member[0]] for name, member in shape[2].items() if member[0] in fast}


def _checked(shape, fast, params):
    """The parameters as they go to the host. Raises ParamValidationError."""
    for name, value in params.items():
        # An empty text may be too short; a number may be too small or too large.
        if fast.get(name) is not type(value) or value == "" or type(value) is int and not 0 < value < 2**31:
            break
    else:
        for name in shape[1]:
            if name not in params:
                break
        else:
            return params
    errors = []
    plain = _structure(shape, params, "", errors)
    if errors:
        raise ParamValidationError(report="\n".join(errors))
    return plain
