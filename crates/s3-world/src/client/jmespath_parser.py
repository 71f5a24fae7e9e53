# JMESPath (https://jmespath.org): an expression becomes nested functions of a value.


_JMES_TOKEN = re.compile(
    r"""(?P<space>[ \t\n\r]+)|(?P<unquoted_identifier>[A-Za-z_][A-Za-z0-9_]*)|(?P<number>-?[0-9]+)"""
    r"""|(?P<flatten>\[\])|(?P<filter>\[\?)|(?P<or>\|\|)|(?P<and>&&)"""
    r"""|(?P<lte><=)|(?P<gte>>=)|(?P<ne>!=)|(?P<eq>==)"""
    r"""|(?P<dot>\.)|(?P<star>\*)|(?P<lbracket>\[)|(?P<rbracket>\])|(?P<comma>,)|(?P<colon>:)"""
    r"""|(?P<current>@)|(?P<lparen>\()|(?P<rparen>\))|(?P<lbrace>\{)|(?P<rbrace>\})"""
    r"""|(?P<pipe>\|)|(?P<expref>&)|(?P<lt><)|(?P<gt>>)|(?P<not>!)|(?P<quote>['"`])"""
)
_JMES_POWER = {
    "pipe": 1, "or": 2, "and": 3, "eq": 5, "gt": 5, "lt": 5, "gte": 5, "lte": 5, "ne": 5,
    "flatten": 9, "star": 20, "filter": 21, "dot": 40, "not": 45, "lbrace": 50,
    "lbracket": 55, "lparen": 60,
}
_NAMES = ("quoted_identifier", "unquoted_identifier")


def _jmes_tokens(text):
    """(type, value, position) of each token."""
    if not text:
        raise EmptyExpressionError()
    tokens, at = [], 0
    while at < len(text):
        found = _JMES_TOKEN.match(text, at)
        if found is None:
            here = text[at]
            # A lone "=" or "-" is shown with quotes.
            shown = f"'{here}'" if here in "=-" else here
            # The package does not move on from a "=" at the end.
            raise LexerError(at, here, f"Unknown token {shown}")
        kind, value, start = found.lastgroup, found.group(), at
        at = found.end()
        if kind == "quote":
            kind, value, at = _quoted_token(text, start)
        elif kind == "number":
            value = int(value)
        if kind != "space":
            tokens.append((kind, value, start))
    tokens.append(("eof", "", len(text)))
    return tokens


def _quoted_token(text, start):
    quote, at = text[start], start + 1
    while at < len(text) and text[at] != quote:
        at += 2 if text[at] == "\\" else 1
    if at >= len(text):
        raise LexerError(start, text[start:], f"Unclosed {quote} delimiter")
    inner = text[start + 1:at]
    if quote == "'":
        return "literal", inner.replace("\\'", "'"), at + 1
    if quote == '"':
        try:
            return "quoted_identifier", json.loads(f'"{inner}"'), at + 1
        except ValueError as error:
            raise LexerError(start, f'"{inner}"', str(error).split(":")[0]) from None
    inner = inner.replace("\\`", "`")
    # Text without quotes is an old form of a string.
    for source in (inner, f'"{inner.lstrip()}"'):
        try:
            return "literal", json.loads(source), at + 1
        except ValueError:
            pass
    raise LexerError(start, text[start:], f"Bad token {inner}")


def _is_false(value):
    return value is None or value is False or value == "" or value == [] or value == {}


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _jmes_equal(left, right):
    # In Python, 0 and 1 are equal to False and True.
    if isinstance(left, bool) and _is_number(right) or isinstance(right, bool) and _is_number(left):
        return False
    return left == right


_JMES_ORDER = {
    "lt": lambda left, right: left < right,
    "gt": lambda left, right: left > right,
    "lte": lambda left, right: left <= right,
    "gte": lambda left, right: left >= right,
}


def _identity(value, options):
    return value


def _field(name):
    def search(value, options):
        get = getattr(value, "get", None)
        return None if get is None else get(name)

    search.field = name
    return search


def _then(left, right):
    return lambda value, options: right(left(value, options), options)


def _index(at):
    def search(value, options):
        if not isinstance(value, list) or not -len(value) <= at < len(value):
            return None
        return value[at]

    return search


def _slice(parts):
    what = slice(*parts)
    return lambda value, options: value[what] if isinstance(value, list) else None


def _projection(left, right, condition=None):
    def search(value, options):
        base = left(value, options)
        if not isinstance(base, list):
            return None
        found = []
        for each in base:
            if condition is None or not _is_false(condition(each, options)):
                item = right(each, options)
                if item is not None:
                    found.append(item)
        return found

    return search


def _values(left):
    def search(value, options):
        values = getattr(left(value, options), "values", None)
        return None if values is None else list(values())

    return search


def _flatten(left):
    def search(value, options):
        base = left(value, options)
        if not isinstance(base, list):
            return None
        return [item for each in base for item in (each if isinstance(each, list) else [each])]

    return search


def _compare(kind, left, right):
    if kind in ("eq", "ne"):
        return lambda value, options: (
            _jmes_equal(left(value, options), right(value, options)) is (kind == "eq")
        )
    order = _JMES_ORDER[kind]

    def search(value, options):
        first, second = left(value, options), right(value, options)
        if not all(_is_number(each) or isinstance(each, str) for each in (first, second)):
            return None
        return order(first, second)

    return search


def _negate(inner):
    def search(value, options):
        found = inner(value, options)
        # A zero counts as true.
        return False if _is_number(found) and found == 0 else not found

    return search


def _choose(left, right, wanted):
    """`||` and `&&`: the right side, if the left side's truth is `wanted`."""
    def search(value, options):
        found = left(value, options)
        return right(value, options) if _is_false(found) is not wanted else found

    return search


class _JmesParser:
    def __init__(self, text):
        self._tokens = _jmes_tokens(text)
        self._at = 0

    def parse(self):
        found = self._expression(0)
        kind, value, start = self._tokens[self._at]
        if kind != "eof":
            raise _JmesParseError(start, value, kind, f"Unexpected token: {value}")
        return found

    def _kind(self, ahead=0):
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)][0]

    def _fail(self, reason):
        kind, value, start = self._tokens[self._at]
        raise _JmesParseError(start, value, kind, reason)

    def _take(self, *kinds):
        kind, value, start = self._tokens[self._at]
        if kind not in kinds:
            if kind == "eof":
                raise IncompleteExpressionError(start, value, kind)
            wanted = kinds[0] if len(kinds) == 1 else list(kinds)
            self._fail(f"Expecting: {wanted}, got: {kind}")
        self._at += 1
        return value

    def _expression(self, power):
        left = self._first()
        while power < _JMES_POWER.get(self._kind(), 0):
            left = self._next(left)
        return left

    def _first(self):
        kind, value, start = self._tokens[self._at]
        self._at += 1
        if kind == "literal":
            return lambda *_: value
        if kind in _NAMES:
            if kind == "quoted_identifier" and self._kind() == "lparen":
                raise _JmesParseError(0, "(", "lparen", "Quoted identifier not allowed for function names.")
            return _field(value)
        if kind == "current":
            return lambda value, options: value
        if kind == "star":
            return _projection(_values(_identity), self._right_side(20) if self._kind() != "rbracket" else _identity)
        if kind == "filter":
            return self._filter(_identity)
        if kind == "flatten":
            return _projection(_flatten(_identity), self._right_side(9))
        if kind == "lbrace":
            return self._hash()
        if kind == "lparen":
            inner = self._expression(0)
            self._take("rparen")
            return inner
        if kind == "not":
            return _negate(self._expression(45))
        if kind == "expref":
            inner = self._expression(0)
            return lambda value, options: _Expression(lambda item: inner(item, options))
        if kind == "lbracket":
            if self._kind() in ("number", "colon"):
                return self._index(_identity)
            if self._kind() == "star" and self._kind(1) == "rbracket":
                self._at += 2
                return _projection(_identity, self._right_side(20))
            return self._list()
        if kind == "eof":
            raise IncompleteExpressionError(start, value, kind)
        self._at -= 1
        self._fail("invalid token")

    def _next(self, left):
        kind = self._kind()
        self._at += 1
        if kind == "dot":
            if self._kind() == "star":
                self._at += 1
                return _projection(_values(left), self._right_side(40))
            return _then(left, self._after_dot(40))
        if kind == "pipe":
            return _then(left, self._expression(1))
        if kind == "or":
            return _choose(left, self._expression(2), False)
        if kind == "and":
            return _choose(left, self._expression(3), True)
        if kind in ("eq", "ne") or kind in _JMES_ORDER:
            return _compare(kind, left, self._expression(5))
        if kind == "flatten":
            return _projection(_flatten(left), self._right_side(9))
        if kind == "filter":
            return self._filter(left)
        if kind == "lparen":
            return self._function(left)
        if kind == "lbracket":
            if self._kind() in ("number", "colon"):
                return self._index(left)
            self._take("star")
            self._take("rbracket")
            return _projection(left, self._right_side(20))
        self._at -= 1
        self._fail("invalid token")

    def _function(self, left):
        name = getattr(left, "field", None)
        if name is None:
            kind, value, start = self._tokens[self._at - 2]
            raise _JmesParseError(start, value, kind, f"Invalid function name '{value}'")
        arguments = []
        while self._kind() != "rparen":
            arguments.append(self._expression(0))
            if self._kind() == "comma":
                self._at += 1
        self._at += 1
        return lambda value, options: _call_function(name, [each(value, options) for each in arguments], options)

    def _filter(self, left):
        condition = self._expression(0)
        self._take("rbracket")
        right = _identity if self._kind() == "flatten" else self._right_side(21)
        return _projection(left, right, condition)

    def _index(self, left):
        if self._kind() == "colon" or self._kind(1) == "colon":
            cut = self._slice_parts()
            if getattr(left, "is_index", False):
                # Like the package, a slice after an index makes no projection.
                search = _then(left, _slice(cut))
                search.is_index = True
                return search
            return _projection(_then(left, _slice(cut)), self._right_side(20))
        at = self._take("number")
        self._take("rbracket")
        search = _then(left, _index(at))
        search.is_index = True
        return search

    def _slice_parts(self):
        parts, at = [None, None, None], 0
        while self._kind() != "rbracket" and at < 3:
            if self._kind() == "colon":
                at += 1
                if at == 3:
                    self._fail("syntax error")
                self._at += 1
            elif self._kind() == "number":
                parts[at] = self._take("number")
            else:
                self._fail("syntax error")
        self._take("rbracket")
        return parts

    def _list(self):
        items = [self._expression(0)]
        while self._kind() != "rbracket":
            self._take("comma")
            items.append(self._expression(0))
        self._at += 1
        return lambda value, options: None if value is None else [each(value, options) for each in items]

    def _hash(self):
        pairs = []
        while True:
            name = self._take(*_NAMES)
            self._take("colon")
            pairs.append((name, self._expression(0)))
            if self._kind() == "comma":
                self._at += 1
            elif self._kind() == "rbrace":
                self._at += 1
                break

        def search(value, options):
            if value is None:
                return None
            kind = options.dict_cls if options is not None and options.dict_cls is not None else dict
            found = kind()
            for name, each in pairs:
                found[name] = each(value, options)
            return found

        return search

    def _right_side(self, power):
        kind = self._kind()
        if _JMES_POWER.get(kind, 0) < 10:
            return _identity
        if kind in ("lbracket", "filter"):
            return self._expression(power)
        if kind == "dot":
            self._at += 1
            return self._after_dot(power)
        self._fail("syntax error")

    def _after_dot(self, power):
        kind = self._kind()
        if kind in (*_NAMES, "star"):
            return self._expression(power)
        if kind in ("lbracket", "lbrace"):
            self._at += 1
            return self._list() if kind == "lbracket" else self._hash()
        allowed = ["quoted_identifier", "unquoted_identifier", "lbracket", "lbrace"]
        self._fail(f"Expecting: {allowed}, got: {kind}")


class Options:
    """Settings of a search: the class of dicts that it makes, and a program's own functions."""

    def __init__(self, dict_cls=None, custom_functions=None):
        self.dict_cls = dict_cls
        self.custom_functions = custom_functions


class ParsedResult:
    def __init__(self, expression):
        self.expression = expression
        try:
            self._search = _JmesParser(expression).parse()
        except IncompleteExpressionError as error:
            error.set_expression(expression)
            raise
        except _JmesParseError as error:
            error.expression = expression
            raise

    def search(self, value, options=None):
        return self._search(value, options)


_compiled = {}


def _jmespath_compile(expression):
    found = _compiled.get(expression)
    if found is None:
        found = ParsedResult(expression)
        if len(_compiled) >= 512:
            _compiled.pop(next(iter(_compiled)))
        _compiled[expression] = found
    return found


def _jmespath_search(expression, data, options=None):
    return _jmespath_compile(expression).search(data, options=options)


_jmespath_compile.__name__ = _jmespath_compile.__qualname__ = "compile"
_jmespath_search.__name__ = _jmespath_search.__qualname__ = "search"
Options.__module__ = "jmespath.visitor"
ParsedResult.__module__ = "jmespath.parser"
