from urllib.parse import quote_plus as _quote

_Refusal = _host.Refusal
_VERSION = re.compile(r"\?versionId=[^\s]+$")
_requests = 0


def _metadata(status, headers):
    """`ResponseMetadata`. `headers` are the headers of the answer's fields; the headers
    that every answer of S3 has are added."""
    global _requests
    _requests += 1
    request = str(_requests).zfill(16)
    headers["x-amz-request-id"] = request
    headers["server"] = "AmazonS3"
    return {
        "RequestId": request,
        "HostId": "",
        "HTTPStatusCode": status,
        "HTTPHeaders": headers,
        "RetryAttempts": 0,
    }


def _headers_of(answer, names):
    """The headers from which botocore's parser makes these fields."""
    headers = {}
    for name, value in answer.items():
        header = names.get(name)
        if header is not None:
            if type(value) is not str:
                if isinstance(value, datetime):
                    value = _http_date(value)
                elif isinstance(value, bool):
                    value = "true" if value else "false"
                else:
                    value = str(value)
            headers[header] = value
    metadata = answer.get("Metadata")
    if metadata:
        for name, value in metadata.items():
            headers["x-amz-meta-" + name] = value
    return headers


def _client_error(refusal, operation_name):
    if refusal.code == "AttributeError":  # an operation that this turn does not offer
        return AttributeError(refusal.message)
    error = {"Code": refusal.code}
    if refusal.message:
        error["Message"] = refusal.message
    error.update(refusal.details or {})
    metadata = _metadata(refusal.status, {})
    # A server that was asked several times reports the retries here. They are not part of
    # the error.
    metadata.update(error.pop("ResponseMetadata", {}))
    response = {"Error": error, "ResponseMetadata": metadata}
    for name in _ERROR_FIELDS.get(refusal.code, ()):
        if name in error:
            response[name] = error[name]
    return _BY_CODE.get(refusal.code, ClientError)(response, operation_name)


def _copy_source(params):
    """The source of a copy as {"Bucket", "Key"(, "VersionId")}; None if the validation refuses it."""
    source = params.get("CopySource")
    version = None
    if isinstance(source, dict):
        try:
            bucket, key, version = source["Bucket"], source["Key"], source.get("VersionId")
        except KeyError as missing:
            raise ParamValidationError(report=f"Missing required parameter: {missing}") from None
        if not isinstance(bucket, str):
            if isinstance(bucket, (bytes, bytearray, memoryview)):
                raise TypeError("cannot use a string pattern on a bytes-like object")
            raise TypeError(f"expected string or bytes-like object, got '{_type_name(bucket)}'")
        path = f"{bucket}/object/{key}" if bucket.startswith("arn:") and _ARN.search(bucket) else f"{bucket}/{key}"
    elif isinstance(source, str):
        path = str.__str__(source)
        if "?" in path and (found := _VERSION.search(path)) is not None:
            path, version = path[: found.start()], path[found.start() + len("?versionId="):]
    else:
        _check_metadata(params.get("Metadata"))
        return None
    _check_metadata(params.get("Metadata"))
    # The source was checked here. The validation gets it as text, whatever its type was.
    params["CopySource"] = path
    bucket, _, key = path.removeprefix("/").partition("/")
    source = {"Bucket": bucket, "Key": key}
    if version is not None:
        source["VersionId"] = str(version)
    return source


def _put_metadata(params):
    if "Metadata" in params:
        _check_metadata(params["Metadata"])


def _put_body(params):
    body = params.get("Body")
    if body is not None and type(body) is not bytes:
        params["Body"] = _bytes_of(body)


def _encoded(answer):
    """Encodes the answer to a listing if the program itself asked for EncodingType="url"."""
    for name in ("Delimiter", "Prefix", "Marker", "NextMarker", "StartAfter", "KeyMarker", "NextKeyMarker"):
        if answer.get(name):
            answer[name] = _quote(answer[name], "/*")
    for items in ("Contents", "Versions", "DeleteMarkers"):
        for item in answer.get(items, ()):
            item["Key"] = _quote(item["Key"], "/*")
    for item in answer.get("CommonPrefixes", ()):
        item["Prefix"] = _quote(item["Prefix"], "/*")


_BEFORE = {
    "copy_object": _copy_source,
    "upload_part_copy": _copy_source,
    "put_object": _put_metadata,
    "create_multipart_upload": _put_metadata,
}
# Operations that accept a customer's encryption key, and the prefixes of its parameters.
_CUSTOMER_KEYS = {
    "head_object": ("SSECustomer",),
    "get_object": ("SSECustomer",),
    "put_object": ("SSECustomer",),
    "copy_object": ("SSECustomer", "CopySourceSSECustomer"),
    "create_multipart_upload": ("SSECustomer",),
    "upload_part": ("SSECustomer",),
    "upload_part_copy": ("SSECustomer", "CopySourceSSECustomer"),
    "complete_multipart_upload": ("SSECustomer",),
}
# Where the times are in answers.
_ZONED = {
    "copy_object": ("CopyObjectResult",),
    "create_multipart_upload": ("AbortDate",),
    "get_bucket_lifecycle_configuration": ("Rules",),
    "get_object": ("LastModified", "Expires", "ObjectLockRetainUntilDate"),
    "get_object_attributes": ("LastModified",),
    "get_object_retention": ("Retention",),
    "head_object": ("LastModified", "Expires", "ObjectLockRetainUntilDate"),
    "list_buckets": ("Buckets",),
    "list_multipart_uploads": ("Uploads",),
    "list_object_versions": ("Versions", "DeleteMarkers"),
    "list_objects": ("Contents",),
    "list_objects_v2": ("Contents",),
    "list_parts": ("AbortDate", "Parts"),
    "upload_part_copy": ("CopyPartResult",),
}
# Listings for which botocore asks that names are encoded, without telling the program.
_ENCODED = ("list_objects", "list_objects_v2", "list_object_versions")


def _method(name, operation_name, shape, alias=None):
    """The method that makes calls of an operation. An alias is another name of it, with a
    shape of its own."""
    fast = _fast_table(shape)
    before = _BEFORE.get(name)
    status = _STATUS.get(name, 200)
    is_list = name in _ENCODED
    is_put = name in ("put_object", "upload_part")
    is_get = name == "get_object"
    may_be_partial = name in ("get_object", "head_object")
    known, host = _KNOWN_BUCKETS, _host.call
    names, zoned = dict(_HEADERS.get(name, ())), _ZONED.get(name, ())
    keys = [(prefix, prefix + "Key") for prefix in _CUSTOMER_KEYS.get(name, ())]
    has_algorithm = name in _CHECKSUMMED

    def call(self, *args, **params):
        if args:
            raise TypeError(f"{call.__name__}() only accepts keyword arguments.")
        hooked = None
        if self.meta.events._handlers:
            hooked = _Call(self, operation_name)
            params = hooked.parameters(params)
        source = before(params) if before is not None else None
        for prefix, key in keys:
            if key in params:
                _customer_key(params, prefix)
        if "Bucket" in params:
            bucket = params["Bucket"]
            if type(bucket) is not str or bucket not in known:
                _check_bucket(bucket)
        hard = _hard(shape, fast, params)
        if hard or hard is None:
            _check(shape, hard, params)
        if source is not None:
            params["CopySource"] = source
        if has_algorithm and "ChecksumAlgorithm" in params:
            _check_algorithm(params)
        if is_put:
            _put_body(params)
        encode = is_list and params.get("EncodingType") == "url"
        if encode:
            del params["EncodingType"]
        if hooked is not None and (response := hooked.answered(params)) is not None:
            return response
        try:
            try:
                answer = host(name, params)
            except _Refusal as refusal:
                if not is_get or refusal.code != "EntityTooLarge":
                    raise
                answer = _by_parts(host, params, refusal)
        except _Refusal as refusal:
            error = _client_error(refusal, operation_name)
        except ValueError:
            _check_text(params)
            raise
        else:
            response = {"ResponseMetadata": None}
            if answer:
                for times in zoned:
                    if times not in answer:
                        continue
                    value = answer[times]
                    if type(value) is datetime:
                        answer[times] = value.replace(tzinfo=_UTC)
                    elif is_list and "OptionalObjectAttributes" not in params:
                        _zoned_rows(value)
                    else:
                        _zoned(value)
                response.update(answer)
            partial = may_be_partial and "ContentRange" in response
            headers = _headers_of(response, names) if names else {}
            response["ResponseMetadata"] = _metadata(206 if partial else status, headers)
            if is_get:
                content = response["Body"]
                kind = StreamingChecksumBody if "ChecksumType" in response else StreamingBody
                if type(content) is bytes:
                    response["Body"] = kind(HTTPResponse(content), len(content))
                else:
                    response["Body"] = kind(content, response["ContentLength"])
            elif is_list:
                # botocore asks for encoded keys without the program's knowledge, and
                # decodes them.
                response.setdefault("EncodingType", "url")
                if encode:
                    _encoded(response)
            if hooked is not None:
                hooked.ended(response)
            return response
        if hooked is not None and isinstance(error, ClientError):
            hooked.ended(error.response)
        raise error

    call.__name__ = alias or name
    call.__qualname__ = f"S3.{call.__name__}"
    call.__module__ = "botocore.client"
    return call


class ClientMeta:
    endpoint_url = "https://s3.amazonaws.com"
    partition = "aws"
    method_to_api_mapping = {name: operation[0] for name, operation in _OPERATIONS.items()}

    class service_model:
        service_name = "s3"
        service_id = "S3"
        api_version = "2006-03-01"
        operation_names = sorted(operation[0] for operation in _OPERATIONS.values())

    def __init__(self, region_name, config, handlers=()):
        self.events = HierarchicalEmitter(handlers)
        self.region_name = region_name
        self.config = Config(region_name=region_name) if config is None else config


class BaseClient:
    """The client. Its operations are set below, from the table of shapes."""

    def __init__(self, region_name, config, handlers=()):
        self.meta = ClientMeta(region_name, config, handlers)
        self._config = config

    def __getattr__(self, name):
        if name in _LEFT_OUT:
            raise AttributeError(f"'S3' object has no attribute '{name}': {_LEFT_OUT[name]}")
        raise AttributeError(f"'S3' object has no attribute '{name}'")

    def can_paginate(self, operation_name):
        if operation_name in _LEFT_OUT or operation_name in _ALIASES:
            return False
        _OPERATIONS[operation_name]
        return operation_name in _PAGINATED

    def get_paginator(self, operation_name):
        if not self.can_paginate(operation_name):
            raise _OperationNotPageableError(operation_name=operation_name)
        return _paginator(self, operation_name)

    def get_waiter(self, waiter_name):
        rule = _WAITERS.get(waiter_name) if isinstance(waiter_name, str) else None
        if rule is None:
            raise ValueError(f"Waiter does not exist: {waiter_name}")
        return _waiter(self, rule)

    @property
    def waiter_names(self):
        return list(_WAITERS)

    def generate_presigned_url(self, ClientMethod, Params=None, ExpiresIn=3600, HttpMethod=None):
        alias = _ALIASES.get(ClientMethod)
        operation = _OPERATIONS.get(ClientMethod)
        if alias is None and operation is None and ClientMethod not in _LEFT_OUT:
            raise _EXCEPTIONS["UnknownClientMethodError"](method_name=ClientMethod)
        if operation is None and alias is None:
            raise _no_signature("generate_presigned_url", ClientMethod)
        params = dict(Params or {})
        name, shape = (ClientMethod, operation[1]) if operation else (alias[0], alias[2])
        source = _BEFORE[name](params) if name in _BEFORE else None
        if "Bucket" in params:
            _check_bucket(params["Bucket"])
        _check(shape, _hard(shape, _fast_table(shape), params), params)
        if source is not None:
            params["CopySource"] = source
        # Content comes with the request that somebody makes of the link.
        params.pop("Body", None)
        asked = {"ClientMethod": name, "Params": params, "ExpiresIn": int(ExpiresIn)}
        if HttpMethod is not None:
            asked["HttpMethod"] = HttpMethod
        version = self._config.signature_version if self._config is not None else None
        if isinstance(version, str):
            asked["SignatureVersion"] = version
        try:
            return _host.call("generate_presigned_url", asked)["Url"]
        except _Refusal as refusal:
            error = _client_error(refusal, "generate_presigned_url")
        raise error

    def generate_presigned_post(self, Bucket, Key, Fields=None, Conditions=None, ExpiresIn=3600):
        _check_bucket(Bucket)
        asked = {"Bucket": Bucket, "Key": Key, "ExpiresIn": int(ExpiresIn)}
        if Fields:
            asked["Fields"] = dict(Fields)
        if Conditions:
            asked["Conditions"] = list(Conditions)
        version = self._config.signature_version if self._config is not None else None
        if isinstance(version, str):
            asked["SignatureVersion"] = version
        try:
            form = _host.call("generate_presigned_post", asked)
            return {"url": form["Url"], "fields": form["Fields"]}
        except _Refusal as refusal:
            error = _client_error(refusal, "generate_presigned_post")
        raise error

    def close(self):
        pass


class S3(BaseClient, _Transfers):
    pass


def _no_signature(what, method=""):
    """botocore cannot sign without credentials. Its message begins with the same words."""
    error = _EXCEPTIONS["NoCredentialsError"]()
    error.args = (f"Unable to locate credentials: {what}({method}) is not available in the sandbox",)
    return error


_BY_CODE = {
    code: type(code, (ClientError,), {"__module__": "botocore.errorfactory"}) for code in _MODELLED
}
for _code, _class in _BY_CODE.items():
    setattr(_Exceptions, _code, _class)
_Exceptions.__name__ = _Exceptions.__qualname__ = "S3Exceptions"
_Exceptions.__module__ = "botocore.errorfactory"
for _name, (_operation, _shape) in _OPERATIONS.items():
    setattr(S3, _name, _method(_name, _operation, _shape))
for _name, (_meant, _operation, _shape) in _ALIASES.items():
    setattr(S3, _name, _method(_meant, _operation, _shape, _name))
for _name in ("generate_presigned_url", "generate_presigned_post"):
    getattr(BaseClient, _name).__qualname__ = _name
S3.__module__ = BaseClient.__module__ = ClientMeta.__module__ = "botocore.client"
S3.exceptions = _Exceptions()
_S3 = S3("us-east-1", None)
