# The checks that botocore makes before it sends anything: the same problems, in the same
# order, in the same words (botocore/validate.py, botocore/handlers.py).

import hashlib
import re
from datetime import datetime, timedelta, timezone

_BUCKET = re.compile(r"^[a-zA-Z0-9.\-_]{1,255}$")
_ARN = re.compile(
    r"^arn:(aws).*:(s3|s3-object-lambda):[a-z\-0-9]*:[0-9]{12}:accesspoint[/:][a-zA-Z0-9\-.]{1,63}$"
    r"|^arn:(aws).*:s3-outposts:[a-z\-0-9]+:[0-9]{12}:outpost[/:][a-zA-Z0-9\-]{1,63}[/:]accesspoint[/:][a-zA-Z0-9\-]{1,63}$"
)
_KNOWN_BUCKETS = set()


def _type_name(value):
    """The name of a type in CPython's messages: classes written in C include their module."""
    kind = type(value)
    return f"{kind.__module__}.{kind.__name__}" if kind.__module__ in _IN_C else kind.__name__


_IN_C = ("datetime", "_io", "collections", "decimal", "itertools", "functools", "re", "array")


def _check_bucket(bucket):
    if type(bucket) is str:
        if bucket in _KNOWN_BUCKETS:
            return
    elif not isinstance(bucket, str):
        if isinstance(bucket, (bytes, bytearray, memoryview)):
            raise TypeError("cannot use a string pattern on a bytes-like object")
        raise TypeError(f"expected string or bytes-like object, got '{_type_name(bucket)}'")
    # Most names consist of letters, digits and hyphens. They need no regular expression.
    is_plain = len(bucket) <= 255 and bucket.isascii() and bucket.replace("-", "").isalnum()
    if not is_plain and not _BUCKET.search(bucket) and not _ARN.search(bucket):
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


def _customer_key(params, prefix):
    """Encodes a customer's encryption key in base64 and adds its MD5, like botocore."""
    name = prefix + "Key"
    key = params.get(name)
    if key is None or name + "MD5" in params:
        return
    if isinstance(key, str):
        key = key.encode("utf-8")
    if not isinstance(key, (bytes, bytearray, memoryview)):
        raise TypeError("object supporting the buffer API required")
    params[name] = base64.b64encode(key).decode("utf-8")
    params[name + "MD5"] = base64.b64encode(hashlib.md5(key).digest()).decode("utf-8")


# Checksums that botocore can compute without the package awscrt, and only with it.
_CHECKSUMS = ("crc32", "sha1", "sha256", "sha512")
_CRT_CHECKSUMS = ("crc32c", "crc64nvme", "xxhash64", "xxhash3", "xxhash128")


def _check_algorithm(params):
    name = params.get("ChecksumAlgorithm")
    if name is None or any(len(each) > 11 and each.startswith("Checksum") and each[8] != "A" for each in params):
        return
    name = name.lower()
    if name in _CRT_CHECKSUMS:
        raise _EXCEPTIONS["MissingDependencyException"](msg=(
            f"Using {name.upper()} requires an additional dependency. You will need to pip install "
            "botocore[crt] before proceeding."
        ))
    if name not in _CHECKSUMS:
        raise _FlexibleChecksumError(error_msg=f"Unsupported checksum algorithm: {name}")


# The pattern of http.client, for text instead of bytes.
_BAD_HEADER = re.compile(r"\n(?![ \t])|\r(?![ \t\n])")


def _check_headers(members, params, names):
    """Makes the checks that the HTTP library behind botocore makes."""
    for name in names:
        kind, value = members[name], params[name]
        # botocore percent-encodes the source of a copy.
        if kind == "h" and name != "CopySource":
            _check_header(value)
        elif kind == "m":
            for key, text in value.items():
                if ":" in key or "\n" in key or "\r" in key:
                    raise _HTTPClientError(error=f"Invalid header name {f'x-amz-meta-{key}'.encode()!r}")
                _check_header(text)


def _check_header(value):
    if ("\n" in value or "\r" in value) and _BAD_HEADER.search(value):
        raise _HTTPClientError(error=f"Invalid header value {value.encode('utf-8', 'replace')!r}")
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise AttributeError("'Header' object has no attribute 'split'") from None


def _check_text(value):
    """Encodes every text, so that the first lone surrogate raises an error."""
    if isinstance(value, str):
        value.encode("utf-8")
    elif isinstance(value, dict):
        for key, each in value.items():
            _check_text(key)
            _check_text(each)
    elif isinstance(value, list):
        for each in value:
            _check_text(each)


_SCALARS = {"s": str, "h": str, "i": int, "b": bool}


def _where(name):
    return name[1:] if name.startswith(".") else name or "input"


def _wrong_type(errors, name, value, *valid):
    errors.append(
        f"Invalid type for parameter {_where(name)}, value: {value}, "
        f"type: {type(value)}, valid types: {', '.join(map(str, valid))}"
    )


def _plain(shape, value, name, errors):
    """Returns the value in the form for the host. Appends its mistakes to `errors`."""
    kind = shape[0]
    if kind == "{":
        return _structure(shape, value, name, errors)
    if kind == "[":
        if not isinstance(value, (list, tuple)):
            return _wrong_type(errors, name, value, list, tuple)
        item = shape[1]
        fast = _fast_table(item) if item[0] == "{" else None
        return [
            each if fast and type(each) is dict and _hard(item, fast, each) == []
            else _plain(item, each, f"{name}[{i}]", errors)
            for i, each in enumerate(value)
        ]
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
        measure, what, least = (len(value), "length", "length") if kind in "sh" else (value, "value", "value")
        if measure < shape[1]:
            errors.append(
                f"Invalid {what} for parameter {_where(name)}, value: {measure}, "
                f"valid min {least}: {shape[1]}"
            )
    if kind in "sh":
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


def _fast_table(shape):
    """For each member that is a bare scalar, the type whose values need no further checks.

    Members that travel as headers are missing, because they are checked for line breaks."""
    fast = {"s": str, "i": int, "b": bool, "B": bytes}
    table = {name: fast[member[0]] for name, member in shape[2].items() if member[0] in fast}
    if "CopySource" in shape[2]:
        table["CopySource"] = str
    return table


def _hard(shape, fast, params):
    """The members that need further checks. None if all need them, because a member is unknown
    or missing."""
    hard = []
    for name, value in params.items():
        # An empty value may be too short; a number may be too small or too large.
        if fast.get(name) is not type(value) or not value or type(value) is int and not 0 < value < 2**31:
            if name not in shape[2]:
                return None
            hard.append(name)
    for name in shape[1]:
        if name not in params:
            return None
    return hard


def _check(shape, hard, params):
    """Checks the members from `_hard` and converts them for the host, or raises ParamValidationError."""
    errors = []
    if hard is None:
        _structure(shape, params, "", errors)
    else:
        members = shape[2]
        for name in hard:
            params[name] = _plain(members[name], params[name], f".{name}", errors)
    if errors:
        raise ParamValidationError(report="\n".join(errors))
    _check_headers(shape[2], params, hard)
