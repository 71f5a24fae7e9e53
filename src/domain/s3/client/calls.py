from urllib.parse import quote_plus as _quote

_Refusal = _host.Refusal
_VERSION = re.compile(r"\?versionId=[^\s]+$")
_requests = 0


def _metadata(status):
    global _requests
    _requests += 1
    return {
        "RequestId": f"{_requests:016X}",
        "HostId": "",
        "HTTPStatusCode": status,
        "HTTPHeaders": {},
        "RetryAttempts": 0,
    }


def _client_error(refusal, operation_name):
    error = {"Code": refusal.code}
    if refusal.message:
        error["Message"] = refusal.message
    error.update(refusal.details or {})
    metadata = _metadata(refusal.status)
    # A server that was asked again and again says so here; it is not part of the error.
    metadata.update(error.pop("ResponseMetadata", {}))
    response = {"Error": error, "ResponseMetadata": metadata}
    return _BY_CODE.get(refusal.code, ClientError)(response, operation_name)


def _copy_source(params):
    """The source of a copy as {"Bucket", "Key"(, "VersionId")}; None leaves it to the validation."""
    _check_metadata(params.get("Metadata"))
    source = params.get("CopySource")
    version = None
    if isinstance(source, dict):
        try:
            bucket, key, version = source["Bucket"], source["Key"], source.get("VersionId")
        except KeyError as missing:
            raise ParamValidationError(report=f"Missing required parameter: {missing}") from None
        if not isinstance(bucket, (str, bytes)):
            raise TypeError(f"expected string or bytes-like object, got '{type(bucket).__name__}'")
        path = f"{bucket}/object/{key}" if bucket.startswith("arn:") and _ARN.search(bucket) else f"{bucket}/{key}"
    elif isinstance(source, str):
        path = str.__str__(source)
        if "?" in path and (found := _VERSION.search(path)) is not None:
            path, version = path[: found.start()], path[found.start() + len("?versionId="):]
    else:
        return None
    # What was checked here is text for the validation, whatever it is.
    params["CopySource"] = path
    bucket, _, key = path.removeprefix("/").partition("/")
    source = {"Bucket": bucket, "Key": key}
    if version is not None:
        source["VersionId"] = str(version)
    return source


def _put_metadata(params):
    _check_metadata(params.get("Metadata"))


def _put_body(params):
    body = params.get("Body")
    if body is not None and type(body) is not bytes:
        params["Body"] = _bytes_of(body)


def _encoded(answer):
    """The answer to a listing whose program asked for EncodingType="url" itself."""
    for name in ("Delimiter", "Prefix", "Marker", "NextMarker", "StartAfter"):
        if answer.get(name):
            answer[name] = _quote(answer[name], "/*")
    for item in answer.get("Contents", ()):
        item["Key"] = _quote(item["Key"], "/*")
    for item in answer.get("CommonPrefixes", ()):
        item["Prefix"] = _quote(item["Prefix"], "/*")


_BEFORE = {"copy_object": _copy_source, "put_object": _put_metadata}
_STATUS = {"delete_bucket": 204, "delete_object": 204}


def _method(name, operation_name, shape):
    fast = _fast_table(shape)
    before = _BEFORE.get(name)
    status = _STATUS.get(name, 200)
    is_list = name in ("list_objects", "list_objects_v2")
    is_put = name == "put_object"
    is_get = name == "get_object"
    may_be_partial = name in ("get_object", "head_object")
    known, host = _KNOWN_BUCKETS, _host.call

    def call(self, *args, **params):
        if args:
            raise TypeError(f"{name}() only accepts keyword arguments.")
        source = before(params) if before is not None else None
        if "Bucket" in params:
            bucket = params["Bucket"]
            if type(bucket) is not str or bucket not in known:
                _check_bucket(bucket)
        params = _checked(shape, fast, params)
        if source is not None:
            params["CopySource"] = source
        if is_put:
            _put_body(params)
        encode = is_list and params.get("EncodingType") == "url"
        if encode:
            del params["EncodingType"]
        try:
            answer = host(name, params)
        except _Refusal as refusal:
            error = _client_error(refusal, operation_name)
        else:
            response = {"ResponseMetadata": None}
            if answer:
                response.update(answer)
            partial = may_be_partial and "ContentRange" in response
            response["ResponseMetadata"] = _metadata(206 if partial else status)
            if is_get:
                content = response["Body"]
                response["Body"] = StreamingBody(content, len(content))
            elif is_list:
                # botocore asks for encoded keys behind the program's back and decodes them.
                response.setdefault("EncodingType", "url")
                if encode:
                    _encoded(response)
            return response
        raise error

    call.__name__ = name
    call.__qualname__ = f"S3.{name}"
    call.__module__ = "botocore.client"
    return call


class _Meta:
    region_name = "us-east-1"
    endpoint_url = "https://s3.amazonaws.com"
    partition = "aws"
    method_to_api_mapping = {name: operation[0] for name, operation in _OPERATIONS.items()}

    class service_model:
        service_name = "s3"
        service_id = "S3"
        api_version = "2006-03-01"


class S3:
    """The client. Its operations are set below, from the table of shapes."""

    meta = _Meta

    def can_paginate(self, operation_name):
        return operation_name in _PAGINATED

    def get_paginator(self, operation_name):
        if operation_name in _PAGINATED:
            return _paginator(self, operation_name)
        if operation_name in _OPERATIONS:
            raise _OperationNotPageableError(operation_name=operation_name)
        raise KeyError(operation_name)

    def close(self):
        pass


_BY_CODE = {
    code: type(code, (ClientError,), {"__module__": "botocore.errorfactory"}) for code in _MODELLED
}
for _code, _class in _BY_CODE.items():
    setattr(_Exceptions, _code, _class)
_Exceptions.__name__ = _Exceptions.__qualname__ = "S3Exceptions"
_Exceptions.__module__ = "botocore.errorfactory"
for _name, (_operation, _shape) in _OPERATIONS.items():
    setattr(S3, _name, _method(_name, _operation, _shape))
S3.__module__ = "botocore.client"
S3.exceptions = _Exceptions()
_S3 = S3()
