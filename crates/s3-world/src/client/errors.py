"""The client of S3 that programs see: boto3's, without a network of its own.

This source runs once, when the sandbox is prepared; programs start from the
memory it left. So everything that can be computed ahead is computed here.
The names, messages and their order are botocore's.
"""

import builtins
import sys

import _host


class BotoCoreError(Exception):
    fmt = "An unspecified error occurred"

    def __init__(self, **kwargs):
        Exception.__init__(self, self.fmt.format(**kwargs))
        self.kwargs = kwargs


class ClientError(Exception):
    MSG_TEMPLATE = (
        "An error occurred ({error_code}) when calling the {operation_name} "
        "operation{retry_info}: {error_message}"
    )

    def __init__(self, error_response, operation_name):
        error = error_response.get("Error", {})
        super().__init__(self.MSG_TEMPLATE.format(
            error_code=error.get("Code", "Unknown"),
            error_message=error.get("Message", "Unknown"),
            operation_name=operation_name,
            retry_info=self._get_retry_info(error_response),
        ))
        self.response = error_response
        self.operation_name = operation_name

    def _get_retry_info(self, response):
        metadata = response.get("ResponseMetadata", {})
        if metadata.get("MaxAttemptsReached", False) and "RetryAttempts" in metadata:
            return f" (reached max retries: {metadata['RetryAttempts']})"
        return ""

    @property
    def _outcome_error(self):
        """What the program's outcome calls this error: the service's code."""
        return str(self.response.get("Error", {}).get("Code", "Unknown"))


# All exceptions of botocore with their texts. Programs import them to catch them.
_EXCEPTIONS = {"BotoCoreError": BotoCoreError, "ClientError": ClientError}
_FOREIGN_CLASSES = {}


def _base_class(name):
    return _FOREIGN_CLASSES.get(name) or _EXCEPTIONS.get(name) or getattr(builtins, name)


for _name, _bases in _FOREIGN:
    _module_name, _, _short = _name.rpartition(".")
    _bases = tuple(_base_class(_base) for _base in _bases)
    _FOREIGN_CLASSES[_name] = type(_short, _bases, {"__module__": _module_name})
for _name, _bases, _text in _ERRORS:
    _bases = tuple(_base_class(_base) for _base in _bases)
    _EXCEPTIONS[_name] = type(_name, _bases, {"fmt": _text, "__module__": "botocore.exceptions"})
for _class in (BotoCoreError, ClientError):
    _class.__module__ = "botocore.exceptions"

ParamValidationError = _EXCEPTIONS["ParamValidationError"]
_HTTPClientError = _EXCEPTIONS["HTTPClientError"]
_FlexibleChecksumError = _EXCEPTIONS["FlexibleChecksumError"]
_IncompleteReadError = _EXCEPTIONS["IncompleteReadError"]
_DataNotFoundError = _EXCEPTIONS["DataNotFoundError"]
_UnknownServiceError = _EXCEPTIONS["UnknownServiceError"]
_PaginationError = _EXCEPTIONS["PaginationError"]
_OperationNotPageableError = _EXCEPTIONS["OperationNotPageableError"]


def _http_client_error(self, request=None, response=None, **kwargs):
    self.request = request
    self.response = response
    BotoCoreError.__init__(self, **kwargs)


def _waiter_error(self, name, reason, last_response):
    BotoCoreError.__init__(self, name=name, reason=reason)
    self.last_response = last_response


_HTTPClientError.__init__ = _http_client_error
_WaiterError = _EXCEPTIONS["WaiterError"]
_WaiterError.__init__ = _waiter_error


class BaseClientExceptions:
    """`s3.exceptions`: the errors of the service model and no others."""

    ClientError = ClientError

    def from_code(self, error_code):
        return _BY_CODE.get(error_code, ClientError)

    def __getattr__(self, name):
        raise AttributeError(
            f"{self} object has no attribute {name}. "
            f"Valid exceptions are: {', '.join(_BY_CODE)}"
        )


class _Exceptions(BaseClientExceptions):
    pass


BaseClientExceptions.__module__ = "botocore.errorfactory"
