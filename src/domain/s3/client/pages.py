# Paginators (botocore/paginate.py) for the three listings.

import base64
import json

class Paginator:
    def __init__(self, method, rule):
        self._method = method
        self._rule = rule

    @property
    def result_keys(self):
        return list(self._rule[4])

    def paginate(self, **kwargs):
        config = kwargs.pop("PaginationConfig", {})
        return PageIterator(self._method, self._rule, config, kwargs)


class PageIterator:
    """Pages, asked for as they are iterated over."""

    def __init__(self, method, rule, config, params):
        self._method = method
        self._rule = rule
        limit, size = config.get("MaxItems"), config.get("PageSize")
        self._max_items = None if limit is None else int(limit)
        self._start = config.get("StartingToken")
        self._params = params
        self.resume_token = None
        self.non_aggregate_part = {}
        if size is not None:
            params[rule[3]] = int(size)

    def __iter__(self):
        token_name, _, _, _, keys, kept_keys = self._rule
        params = self._params
        skip, token = self._starting_point()
        if self._start is not None:
            self._inject(token_name, token)
        total = 0
        first = True
        while True:
            page = self._method(**params)
            if first and self._start is not None:
                # Skips what an earlier iteration has returned; an absent key becomes
                # None.
                for key in keys:
                    items = page.get(key)
                    page[key] = items if items is None else items[skip:] if key == keys[0] else []
            if first:
                self.non_aggregate_part = {key: page.get(key) for key in kept_keys}
                first = False
            items = page.get(keys[0]) or []
            over = 0 if self._max_items is None else total + len(items) - self._max_items
            if over > 0:
                kept = len(items) - over
                page[keys[0]] = items[:kept]
                self._resume_at(token, kept + skip)
                yield page
                return
            # Like botocore, reads the next token after the program has seen the page.
            yield page
            total += len(items)
            skip = 0
            last, token = token, self._next_token(page)
            if token is None:
                return
            if self._max_items is not None and total == self._max_items:
                self._resume_at(token, None)
                return
            if last == token:
                raise _PaginationError(
                    message=f"The same next token was received twice: {({token_name: token})}"
                )
            self._inject(token_name, token)

    def _inject(self, name, token):
        if token is not None and token != "None":
            self._params[name] = token
        else:
            self._params.pop(name, None)

    def _next_token(self, page):
        _, output, more = self._rule[:3]
        if more is not None and not page.get(more):
            return None
        # list_objects: "NextMarker || Contents[-1].Key"
        token = page.get(output.split(" ")[0])
        if not token and "||" in output and page.get("Contents"):
            token = page["Contents"][-1]["Key"]
        return token or None

    def _resume_at(self, token, amount):
        point = {self._rule[0]: token}
        if amount is not None:
            point["boto_truncate_amount"] = amount
        text = json.dumps(point, sort_keys=True)
        self.resume_token = base64.b64encode(text.encode("utf-8")).decode("utf-8")

    def _starting_point(self):
        if self._start is None:
            return 0, None
        try:
            text = base64.b64decode(self._start.encode("utf-8")).decode("utf-8")
            point = json.loads(text)
            return point.get("boto_truncate_amount", 0), point.get(self._rule[0])
        except (ValueError, TypeError):
            # The format of older versions, or a service's own token.
            parts = self._start.split("___")
            skip = 0
            if len(parts) == 2:
                try:
                    skip = int(parts[1])
                    parts.pop()
                except ValueError:
                    parts = [self._start]
            if len(parts) > 1:
                raise ValueError(f"Bad starting token: {self._start}")
            return skip, None if parts[0] == "None" else parts[0]

    @property
    def result_keys(self):
        return list(self._rule[4])

    def build_full_result(self):
        result = {}
        for page in self:
            for key in self._rule[4]:
                if page.get(key) is not None:
                    result.setdefault(key, []).extend(page[key])
        result.update(self.non_aggregate_part)
        if self.resume_token is not None:
            result["NextToken"] = self.resume_token
        return result

    def search(self, expression):
        """JMESPath without filters and functions: names, dots and []."""
        if not re.fullmatch(r"\w+(\[\*?\])?(\.\w+(\[\*?\])?)*", expression):
            raise ValueError(
                f"{expression!r}: only names, dots and [] are available in the sandbox; filter in Python instead"
            )
        for page in self:
            found = _look_up(page, expression.split("."))
            if isinstance(found, list):
                yield from found
            else:
                yield found


def _look_up(value, path):
    for at, step in enumerate(path):
        name, bracket, _ = step.partition("[")
        value = value.get(name) if isinstance(value, dict) else None
        if value is None:
            return None
        if bracket:
            if not isinstance(value, list):
                return None
            rest = path[at + 1:]
            found = [_look_up(each, rest) for each in value] if rest else value
            return [each for each in found if each is not None]
    return value


def _paginator(client, operation_name):
    kind = type(
        f"S3.Paginator.{_OPERATIONS[operation_name][0]}", (Paginator,), {"__module__": "botocore.client"}
    )
    return kind(getattr(client, operation_name), _PAGINATED[operation_name])


Paginator.paginate.__qualname__ = "BaseClient.get_paginator.<locals>.paginate"
for _class in (Paginator, PageIterator):
    _class.__module__ = "botocore.paginate"
