"""The client of S3 that programs see: boto3's, without a network of its own.

This source runs once, when the sandbox is prepared; programs start from the
memory it left. So everything that can be computed ahead is computed here.
The names, messages and their order are botocore's.
"""

import sys

import _host


class BotoCoreError(Exception):
    fmt = "An unspecified error occurred"

    def __init__(self, **kwargs):
        Exception.__init__(self, self.fmt.format(**kwargs))
        self.kwargs = kwargs


def _error(name, fmt, base=BotoCoreError):
    return type(name, (base,), {"fmt": fmt, "__module__": "botocore.exceptions"})


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


ParamValidationError = _error("ParamValidationError", "Parameter validation failed:\n{report}")
_HTTPClientError = _error("HTTPClientError", "An HTTP Client raised an unhandled exception: {error}")
_ConnectionError = _error("ConnectionError", "An HTTP Client failed to establish a connection: {error}")
_DataNotFoundError = _error("DataNotFoundError", "Unable to load data for: {data_path}")
_UnknownServiceError = _error(
    "UnknownServiceError",
    "Unknown service: '{service_name}'. Valid service names are: {known_service_names}",
    _DataNotFoundError,
)
_PaginationError = _error("PaginationError", "Error during pagination: {message}")
_OperationNotPageableError = _error(
    "OperationNotPageableError", "Operation cannot be paginated: {operation_name}"
)
_ValidationError = _error(
    "ValidationError", "Invalid value ('{value}') for param {param} of type {type_name} "
)
_WaiterError = _error("WaiterError", "Waiter {name} failed: {reason}")

# What programs import to catch. Nothing here raises most of them.
_EXCEPTIONS = [
    BotoCoreError, ClientError, ParamValidationError, _HTTPClientError, _ConnectionError,
    _DataNotFoundError, _UnknownServiceError, _PaginationError, _OperationNotPageableError,
    _ValidationError, _WaiterError,
    _error("EndpointConnectionError", 'Could not connect to the endpoint URL: "{endpoint_url}"', _ConnectionError),
    _error("SSLError", "SSL validation failed for {endpoint_url} {error}", _ConnectionError),
    _error("ConnectTimeoutError", 'Connect timeout on endpoint URL: "{endpoint_url}"', _ConnectionError),
    _error("ProxyConnectionError", 'Failed to connect to proxy URL: "{proxy_url}"', _ConnectionError),
    _error("ReadTimeoutError", 'Read timeout on endpoint URL: "{endpoint_url}"', _HTTPClientError),
    _error("ConnectionClosedError", 'Connection was closed before we received a valid response from endpoint URL: "{endpoint_url}".', _HTTPClientError),
    _error("ResponseStreamingError", "An error occurred while reading from response stream: {error}", _HTTPClientError),
    _error("NoCredentialsError", "Unable to locate credentials"),
    _error("PartialCredentialsError", "Partial credentials found in {provider}, missing: {cred_var}"),
    _error("CredentialRetrievalError", "Error when retrieving credentials from {provider}: {error_msg}"),
    _error("NoRegionError", "You must specify a region."),
    _error("ProfileNotFound", "The config profile ({profile}) could not be found"),
    _error("MissingParametersError", "The following required parameters are missing for {object_name}: {missing}"),
    _error("UnknownKeyError", "Unknown key '{value}' for param '{param}'.  Must be one of: {choices}", _ValidationError),
    _error("RangeError", "Value out of range for param {param}: {min_value} <= {value} <= {max_value}", _ValidationError),
    _error("UnknownParameterError", "Unknown parameter '{name}' for operation {operation}.  Must be one of: {choices}", _ValidationError),
    _error("ChecksumError", "Checksum {checksum_type} failed, expected checksum {expected_checksum} did not match calculated checksum {actual_checksum}."),
    _error("IncompleteReadError", "{actual_bytes} read, but total bytes expected is {expected_bytes}."),
    _error("InvalidConfigError", "{error_msg}"),
]
for _class in (BotoCoreError, ClientError):
    _class.__module__ = "botocore.exceptions"


class _Exceptions:
    """`s3.exceptions`: the errors of the service model and no others."""

    ClientError = ClientError

    def from_code(self, error_code):
        return _BY_CODE.get(error_code, ClientError)

    def __getattr__(self, name):
        raise AttributeError(
            f"{self} object has no attribute {name}. "
            f"Valid exceptions are: {', '.join(_BY_CODE)}"
        )
