# The hooks of botocore (botocore/hooks.py): functions of a program that run around its calls.

# Requests are made outside of the sandbox, so these of botocore's events do not occur here.
_NO_EVENTS = (
    "request-created", "before-send", "before-parse", "response-received", "needs-retry",
    "before-endpoint-resolution", "creating-client-class", "creating-resource-class",
)


class OperationModel:
    """What handlers get to know of an operation."""

    def __init__(self, name):
        self.name = self.wire_name = name

    def __repr__(self):
        return f"OperationModel(name={self.name})"


class AWSResponse:
    """The answer as handlers of `after-call` see it."""

    def __init__(self, parsed):
        metadata = parsed["ResponseMetadata"]
        self.status_code, self.headers = metadata["HTTPStatusCode"], metadata["HTTPHeaders"]


class HierarchicalEmitter:
    """The handlers of a client, and their calls."""

    def __init__(self, handlers=()):
        # Each with the parts of its event's name, its section (first, middle or last) and its id.
        self._handlers = list(handlers)

    def _register(self, event_name, handler, unique_id, section):
        if not callable(handler):
            raise ValueError(f"Event handler {handler} must be callable.")
        if not _accepts_keywords(handler):
            raise ValueError(f"Event handler {handler} must accept keyword arguments (**kwargs)")
        parts = event_name.split(".")
        if parts[0] in _NO_EVENTS:
            raise NotImplementedError(
                f"{parts[0]} does not occur in the sandbox, which makes the requests outside of the program; "
                "provide-client-params, before-parameter-build, before-call and after-call do"
            )
        if unique_id is None or all(known[3] != unique_id for known in self._handlers):
            self._handlers.append((parts, section, handler, unique_id))

    def register(self, event_name, handler, unique_id=None, unique_id_uses_count=False):
        self._register(event_name, handler, unique_id, 1)

    def register_first(self, event_name, handler, unique_id=None, unique_id_uses_count=False):
        self._register(event_name, handler, unique_id, 0)

    def register_last(self, event_name, handler, unique_id=None, unique_id_uses_count=False):
        self._register(event_name, handler, unique_id, 2)

    def unregister(self, event_name, handler=None, unique_id=None, unique_id_uses_count=False):
        parts = event_name.split(".")
        for at, known in enumerate(self._handlers):
            if known[3] == unique_id if unique_id is not None else known[0] == parts and known[2] == handler:
                del self._handlers[at]
                return

    def _of(self, event_name):
        """The handlers of an event in botocore's order: the longest names first, and of those of
        one length the ones with a `*` further to the left."""
        parts, found = event_name.split("."), []
        for pattern, section, handler, _ in self._handlers:
            stars = tuple(part == "*" for part in pattern)
            if len(pattern) <= len(parts) and all(map(lambda star, a, b: star or a == b, stars, pattern, parts)):
                found.append((stars, section, handler))
        found.sort(key=lambda each: each[1])
        found.sort(key=lambda each: each[0], reverse=True)
        return [handler for _, _, handler in found]

    def emit(self, event_name, **kwargs):
        kwargs["event_name"] = event_name
        return [(handler, handler(**kwargs)) for handler in self._of(event_name)]

    def emit_until_response(self, event_name, **kwargs):
        kwargs["event_name"] = event_name
        last = None, None
        for handler in self._of(event_name):
            last = handler, handler(**kwargs)
            if last[1] is not None:
                break
        return last


def _accepts_keywords(handler):
    import inspect

    try:
        return inspect.getfullargspec(handler)[2] is not None
    except TypeError:
        return True


class _Call:
    """A call of a client that has handlers."""

    def __init__(self, client, operation_name):
        meta = client.meta
        self.name, self.events = operation_name, meta.events
        self.context = {"client_region": meta.region_name, "client_config": meta.config}
        self.model = OperationModel(operation_name)

    def parameters(self, params):
        """The parameters that the call is made with."""
        known = {"model": self.model, "context": self.context}
        for _, response in self.events.emit(f"provide-client-params.s3.{self.name}", params=params, **known):
            if response is not None:
                params = response
                break
        self.events.emit(f"before-parameter-build.s3.{self.name}", params=params, **known)
        return params

    def answered(self, params):
        """The answer, if a handler gives one in place of S3."""
        body = params.get("Body")
        request = {"headers": {}, "body": b"" if body is None else io.BytesIO(body), "context": self.context}
        _, response = self.events.emit_until_response(
            f"before-call.s3.{self.name}", model=self.model, params=request, request_signer=None,
            context=self.context,
        )
        if request["headers"]:
            names = ", ".join(map(str, request["headers"]))
            raise NotImplementedError(f"a handler of before-call set the header {names}: the sandbox sends its own alone")
        if response is None:
            return None
        http, parsed = response
        self.ended(parsed, http)
        if http.status_code >= 300:
            code = parsed.get("Error", {}).get("Code")
            raise _BY_CODE.get(code, ClientError)(parsed, self.name)
        return parsed

    def ended(self, parsed, http=None):
        http = AWSResponse(parsed) if http is None else http
        event = f"after-call.s3.{self.name}"
        self.events.emit(event, http_response=http, parsed=parsed, model=self.model, context=self.context)


HierarchicalEmitter.__module__ = "botocore.hooks"
OperationModel.__module__ = "botocore.model"
AWSResponse.__module__ = "botocore.awsrequest"
