# The end of a program of the conformance cases, after `def program()`: what it gives
# or raises, as JSON. `record.py` uses the same lines, so that both say the same things.


def _plain(value):
    import base64
    import datetime

    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items() if key != "ResponseMetadata"}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, (bytes, bytearray)):
        return {"__bytes_b64__": base64.b64encode(bytes(value)).decode()}
    return value


def _error(error):
    kinds = [base.__name__ for base in type(error).__mro__[1:]]
    told = {
        "class": type(error).__name__,
        "module": type(error).__module__,
        "bases": [kind for kind in kinds if kind not in ("object", "BaseException")],
        "code": None,
        "message": str(error),
    }
    response = getattr(error, "response", None)
    if response is not None:
        told["code"] = response["Error"].get("Code")
        told["error_message"] = response["Error"].get("Message")
        told["operation"] = error.operation_name
        told["http_status"] = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return told


try:
    _outcome = {"return": _plain(program())}
except Exception as _caught:
    _outcome = {"error": _error(_caught)}
return _outcome
