# The exceptions of `jmespath`: the names, arguments and texts of the package of that name.


class JMESPathError(ValueError):
    pass


class _JmesParseError(JMESPathError):
    def __init__(self, lex_position, token_value, token_type, msg="Invalid jmespath expression"):
        super().__init__(lex_position, token_value, token_type)
        self.lex_position = lex_position
        self.token_value = token_value
        self.token_type = token_type.upper()
        self.msg = msg
        self.expression = None

    def __str__(self):
        return (
            f"{self.msg}: Parse error at column {self.lex_position}, "
            f'token "{self.token_value}" ({self.token_type}), for expression:\n'
            f'"{self.expression}"\n{" " * (self.lex_position + 1)}^'
        )


class IncompleteExpressionError(_JmesParseError):
    def set_expression(self, expression):
        self.expression = expression
        self.lex_position = len(expression)
        self.token_type = None
        self.token_value = None

    def __str__(self):
        return (
            "Invalid jmespath expression: Incomplete expression:\n"
            f'"{self.expression}"\n{" " * (self.lex_position + 1)}^'
        )


class LexerError(_JmesParseError):
    def __init__(self, lexer_position, lexer_value, message, expression=None):
        self.lexer_position = lexer_position
        self.lexer_value = lexer_value
        self.message = message
        super().__init__(lexer_position, lexer_value, message)
        self.expression = expression

    def __str__(self):
        return f"Bad jmespath expression: {self.message}:\n{self.expression}\n{' ' * self.lexer_position}^"


class ArityError(_JmesParseError):
    _least = ""

    def __init__(self, expected, actual, name):
        self.expected_arity = expected
        self.actual_arity = actual
        self.function_name = name
        self.expression = None

    def __str__(self):
        arguments = "argument" if self.expected_arity == 1 else "arguments"
        return (
            f"Expected {self._least}{self.expected_arity} {arguments} "
            f"for function {self.function_name}(), received {self.actual_arity}"
        )


class VariadictArityError(ArityError):
    _least = "at least "


class JMESPathTypeError(JMESPathError):
    def __init__(self, function_name, current_value, actual_type, expected_types):
        self.function_name = function_name
        self.current_value = current_value
        self.actual_type = actual_type
        self.expected_types = expected_types

    def __str__(self):
        return (
            f"In function {self.function_name}(), invalid type for value: {self.current_value}, "
            f'expected one of: {self.expected_types}, received: "{self.actual_type}"'
        )


class EmptyExpressionError(JMESPathError):
    def __init__(self):
        super().__init__("Invalid JMESPath expression: cannot be empty.")


class UnknownFunctionError(JMESPathError):
    pass


_JmesParseError.__name__ = _JmesParseError.__qualname__ = "ParseError"
_JMESPATH_ERRORS = {
    _class.__name__: _class
    for _class in (
        JMESPathError, _JmesParseError, IncompleteExpressionError, LexerError, ArityError,
        VariadictArityError, JMESPathTypeError, EmptyExpressionError, UnknownFunctionError,
    )
}
for _class in _JMESPATH_ERRORS.values():
    _class.__module__ = "jmespath.exceptions"
