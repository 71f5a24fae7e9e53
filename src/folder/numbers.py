# Integers of more than 64 bits cross the boundary as dicts with this key.
_NUMBER = "\0number"
_WITH_NUMBERS = "\0with numbers"


def _unmarked(answer):
    if type(answer) is dict and len(answer) == 1 and _WITH_NUMBERS in answer:
        return _whole(answer[_WITH_NUMBERS])
    return answer


def _whole(value):
    if type(value) is list:
        return [_whole(item) for item in value]
    if type(value) is not dict:
        return value
    if len(value) == 1 and _NUMBER in value:
        try:
            return int(value[_NUMBER])
        except (TypeError, ValueError):
            return value
    return {key: _whole(item) for key, item in value.items()}
