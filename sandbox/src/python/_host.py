"""Python's side of the boundary. `call(operation, params)` is added by the native code."""


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
