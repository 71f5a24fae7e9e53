# Paginators (botocore/paginate.py).

import base64


def _several(names):
    return names if isinstance(names, list) else [names]


class Paginator:
    def __init__(self, method, rule):
        self._method = method
        self._rule = rule

    @property
    def result_keys(self):
        return [_jmespath_compile(key) for key in self._rule[4]]

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
        keys, kept_keys = self._rule[4:6]
        params = self._params
        skip, token = self._starting_point()
        if self._start is not None:
            self._inject(token)
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
            if not any(token.values()):
                return
            if self._max_items is not None and total == self._max_items:
                self._resume_at(token, None)
                return
            if last == token:
                raise _PaginationError(message=f"The same next token was received twice: {token}")
            self._inject(token)

    def _inject(self, token):
        """Puts a token, a dict of parameters, into the parameters of the next call."""
        for name, value in token.items():
            if value is not None and value != "None":
                self._params[name] = value
            else:
                self._params.pop(name, None)

    def _next_token(self, page):
        inputs, outputs, more = self._rule[:3]
        if more is not None and not page.get(more):
            return {}
        token = {}
        for name, output in zip(_several(inputs), _several(outputs)):
            # list_objects: "NextMarker || Contents[-1].Key"
            value = page.get(output.split(" ")[0])
            if not value and "||" in output and page.get("Contents"):
                value = page["Contents"][-1]["Key"]
            token[name] = value or None
        return token

    def _resume_at(self, token, amount):
        point = dict(token) or {_several(self._rule[0])[0]: None}
        if amount is not None:
            point["boto_truncate_amount"] = amount
        text = json.dumps(point, sort_keys=True)
        self.resume_token = base64.b64encode(text.encode("utf-8")).decode("utf-8")

    def _starting_point(self):
        names = _several(self._rule[0])
        if self._start is None:
            return 0, {name: None for name in names}
        try:
            text = base64.b64decode(self._start.encode("utf-8")).decode("utf-8")
            point = json.loads(text)
            return point.get("boto_truncate_amount", 0), {name: point.get(name) for name in names}
        except (ValueError, TypeError):
            # The format of older versions, or a service's own token.
            parts = self._start.split("___")
            skip = 0
            if len(parts) == len(names) + 1:
                try:
                    skip = int(parts[-1])
                    parts.pop()
                except ValueError:
                    parts = [self._start]
            if len(parts) > len(names):
                raise ValueError(f"Bad starting token: {self._start}")
            parts += [None] * (len(names) - len(parts))
            return skip, {name: None if part == "None" else part for name, part in zip(names, parts)}

    @property
    def result_keys(self):
        return [_jmespath_compile(key) for key in self._rule[4]]

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
        """What a JMESPath expression finds in each page; lists item by item."""
        compiled = _jmespath_compile(expression)
        for page in self:
            found = compiled.search(page)
            if isinstance(found, list):
                yield from found
            else:
                yield found


def _paginator(client, operation_name):
    kind = type(
        f"S3.Paginator.{_OPERATIONS[operation_name][0]}", (Paginator,), {"__module__": "botocore.client"}
    )
    return kind(getattr(client, operation_name), _PAGINATED[operation_name])


Paginator.paginate.__qualname__ = "BaseClient.get_paginator.<locals>.paginate"
for _class in (Paginator, PageIterator):
    _class.__module__ = "botocore.paginate"
