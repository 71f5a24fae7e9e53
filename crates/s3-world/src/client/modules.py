# The modules that `import boto3` and `import botocore` find.


def _default_session():
    boto3 = sys.modules["boto3"]
    if boto3.DEFAULT_SESSION is None:
        boto3.DEFAULT_SESSION = Session()
    return boto3.DEFAULT_SESSION


def _boto3_client(*args, **kwargs):
    return _default_session().client(*args, **kwargs)


def _boto3_resource(*args, **kwargs):
    return _default_session().resource(*args, **kwargs)


def _setup_default_session(**kwargs):
    sys.modules["boto3"].DEFAULT_SESSION = Session(**kwargs)


class ResourceNotExistsError(Boto3Error, _DataNotFoundError):
    def __init__(self, service_name, available_services, has_low_level_client):
        text = "".join(f"   - {name}\n" for name in available_services)
        Boto3Error.__init__(
            self, f"The '{service_name}' resource does not exist.\nThe available resources are:\n{text}"
        )


class Session:
    def __init__(
        self, aws_access_key_id=None, aws_secret_access_key=None, aws_session_token=None,
        region_name=None, botocore_session=None, profile_name=None, aws_account_id=None,
    ):
        if profile_name not in (None, "default"):
            raise _EXCEPTIONS["ProfileNotFound"](profile=profile_name)
        self.region_name = region_name or "us-east-1"
        self.profile_name = "default"
        self.available_profiles = ["default"]
        self.events = HierarchicalEmitter()

    def __repr__(self):
        return f"Session(region_name={self.region_name!r})"

    def client(
        self, service_name, region_name=None, api_version=None, use_ssl=True, verify=None,
        endpoint_url=None, aws_access_key_id=None, aws_secret_access_key=None,
        aws_session_token=None, config=None, aws_account_id=None,
    ):
        if service_name != "s3":
            raise _UnknownServiceError(
                service_name=service_name,
                known_service_names="s3 (no other service is available in the sandbox)",
            )
        region = region_name or config and config.region_name or self.region_name
        return S3(region, config, self.events._handlers)

    def resource(self, service_name, *args, **kwargs):
        if service_name != "s3":
            raise ResourceNotExistsError(service_name, ["s3"], False)
        return _RESOURCE_CLASSES["ServiceResource"](client=self.client(service_name, *args, **kwargs))

    def get_available_services(self):
        return ["s3"]

    def get_available_resources(self):
        return ["s3"]

    def get_available_partitions(self):
        return ["aws"]

    def get_credentials(self):
        return None


def _disable_signing(**kwargs):
    return sys.modules["botocore"].UNSIGNED


def _module(name, **members):
    module = type(sys)(name)
    module.__dict__.update(members)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
    return module


Session.__module__ = "boto3.session"
Boto3Error.__module__ = ResourceNotExistsError.__module__ = ResourceLoadException.__module__ = "boto3.exceptions"
S3UploadFailedError.__module__ = "boto3.exceptions"
TransferConfig.__module__ = "boto3.s3.transfer"

_unsigned = type("_Unsigned", (), {"__module__": "botocore"})()
_module("botocore", __path__=[], __version__=_BOTOCORE, UNSIGNED=_unsigned)
_module("botocore.exceptions", **_EXCEPTIONS)
_module("botocore.errorfactory", ClientError=ClientError, BaseClientExceptions=BaseClientExceptions)
_module("botocore.config", Config=Config)
_module("botocore.client", Config=Config, ClientError=ClientError, BaseClient=BaseClient)
_module("botocore.hooks", HierarchicalEmitter=HierarchicalEmitter)
_module("botocore.handlers", disable_signing=_disable_signing)
_module("botocore.response", StreamingBody=StreamingBody)
_module("botocore.paginate", Paginator=Paginator, PageIterator=PageIterator)
_module(
    "boto3", __path__=[], __version__=_BOTOCORE, client=_boto3_client, resource=_boto3_resource,
    Session=Session, DEFAULT_SESSION=None, setup_default_session=_setup_default_session,
    set_stream_logger=_set_stream_logger,
)
_module("boto3.session", Session=Session)
_module(
    "boto3.exceptions", Boto3Error=Boto3Error, ResourceNotExistsError=ResourceNotExistsError,
    S3UploadFailedError=S3UploadFailedError, ResourceLoadException=ResourceLoadException,
)
_module("boto3.s3", __path__=[])
_module("boto3.s3.transfer", TransferConfig=TransferConfig, S3Transfer=S3Transfer)
_module("botocore.waiter", Waiter=Waiter)

_module("boto3.resources", __path__=[])
_module("boto3.resources.base", ServiceResource=ServiceResource, ResourceMeta=ResourceMeta)
_module(
    "boto3.resources.collection", ResourceCollection=ResourceCollection,
    CollectionManager=CollectionManager,
)
_module(
    "jmespath", __path__=[], __version__="1.1.0", compile=_jmespath_compile, search=_jmespath_search,
    Options=Options,
)
_module("jmespath.exceptions", **_JMESPATH_ERRORS)
_module("jmespath.functions", Functions=Functions, signature=_signature)
_module("jmespath.visitor", Options=Options)
_module("jmespath.parser", ParsedResult=ParsedResult)
_days = dict(zip(("MO", "TU", "WE", "TH", "FR", "SA", "SU"), _WEEKDAYS))
_module("dateutil", __path__=[], __version__="2.9.0.post0")
_zones = dict(tzutc=tzutc, tzlocal=tzlocal, tzoffset=tzoffset, gettz=_gettz, UTC=_UTC)
_module("dateutil.tz", __path__=[], **_zones)
_module("dateutil.tz.tz", **_zones)
_module("dateutil.relativedelta", relativedelta=relativedelta, weekday=weekday, **_days)
_module("dateutil.parser", __path__=[], parse=_parse, isoparse=_isoparse, ParserError=ParserError)
_setup_default_session.__name__ = "setup_default_session"
_disable_signing.__name__ = "disable_signing"
_boto3_client.__name__, _boto3_resource.__name__ = "client", "resource"

PROGRAM_GLOBALS = {"s3": _S3}
