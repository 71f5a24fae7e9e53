# The modules that `import boto3` and `import botocore` find.


def _boto3_client(service_name, *args, **kwargs):
    if service_name == "s3":
        return _S3
    raise _UnknownServiceError(
        service_name=service_name, known_service_names="s3 (no other service is available in the sandbox)"
    )


class ResourceNotExistsError(Boto3Error, _DataNotFoundError):
    def __init__(self, service_name):
        Boto3Error.__init__(
            self,
            f"boto3.resource({service_name!r}) is not available in the sandbox; "
            "use the client instead: s3 = boto3.client('s3')",
        )


def _boto3_resource(service_name, *args, **kwargs):
    raise ResourceNotExistsError(service_name)


class Session:
    profile_name = "default"
    available_profiles = ["default"]

    def __init__(self, *args, region_name=None, **kwargs):
        self.region_name = region_name or "us-east-1"

    def client(self, service_name, *args, **kwargs):
        return _boto3_client(service_name)

    def resource(self, service_name, *args, **kwargs):
        return _boto3_resource(service_name)

    def get_available_services(self):
        return ["s3"]

    def get_available_resources(self):
        return []


class Config:
    """Accepted and stored, but without any effect, since there is no network."""

    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)

    def merge(self, other):
        return Config(**{**self.__dict__, **other.__dict__})


def _module(name, **members):
    module = type(sys)(name)
    module.__dict__.update(members)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
    return module


Session.__module__ = "boto3.session"
Config.__module__ = "botocore.config"
Boto3Error.__module__ = ResourceNotExistsError.__module__ = "boto3.exceptions"
S3UploadFailedError.__module__ = "boto3.exceptions"
TransferConfig.__module__ = "boto3.s3.transfer"

_unsigned = type("_Unsigned", (), {"__module__": "botocore"})()
_module("botocore", __path__=[], __version__=_BOTOCORE, UNSIGNED=_unsigned)
_module("botocore.exceptions", **_EXCEPTIONS)
_module("botocore.errorfactory", ClientError=ClientError, BaseClientExceptions=BaseClientExceptions)
_module("botocore.config", Config=Config)
_module("botocore.client", Config=Config, ClientError=ClientError, BaseClient=BaseClient)
_module("botocore.response", StreamingBody=StreamingBody)
_module("botocore.paginate", Paginator=Paginator, PageIterator=PageIterator)
_module(
    "boto3", __path__=[], __version__=_BOTOCORE, client=_boto3_client, resource=_boto3_resource,
    Session=Session, DEFAULT_SESSION=None, setup_default_session=lambda **kwargs: None,
)
_module("boto3.session", Session=Session)
_module(
    "boto3.exceptions", Boto3Error=Boto3Error, ResourceNotExistsError=ResourceNotExistsError,
    S3UploadFailedError=S3UploadFailedError,
)
_module("boto3.s3", __path__=[])
_module("boto3.s3.transfer", TransferConfig=TransferConfig)
_module("botocore.waiter", Waiter=Waiter)

PROGRAM_GLOBALS = {"s3": _S3}
