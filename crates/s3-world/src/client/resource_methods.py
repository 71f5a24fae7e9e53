# The methods that boto3 adds to resources (boto3/s3/inject.py).


def _bucket_load(self, *args, **kwargs):
    self.meta.data = {}
    try:
        for bucket in self.meta.client.list_buckets()["Buckets"]:
            if bucket["Name"] == self.name:
                self.meta.data = bucket
                break
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") != "AccessDenied":
            raise


def _object_summary_load(self, *args, **kwargs):
    response = self.meta.client.head_object(Bucket=self.bucket_name, Key=self.key)
    if "ContentLength" in response:
        response["Size"] = response.pop("ContentLength")
    self.meta.data = response


def _bucket_upload_file(self, Filename, Key, ExtraArgs=None, Callback=None, Config=None):
    return self.meta.client.upload_file(Filename, self.name, Key, ExtraArgs, Callback, Config)


def _bucket_download_file(self, Key, Filename, ExtraArgs=None, Callback=None, Config=None):
    return self.meta.client.download_file(self.name, Key, Filename, ExtraArgs, Callback, Config)


def _bucket_copy(self, CopySource, Key, ExtraArgs=None, Callback=None, SourceClient=None, Config=None):
    return self.meta.client.copy(CopySource, self.name, Key, ExtraArgs, Callback, SourceClient, Config)


def _bucket_upload_fileobj(self, Fileobj, Key, ExtraArgs=None, Callback=None, Config=None):
    return self.meta.client.upload_fileobj(Fileobj, self.name, Key, ExtraArgs, Callback, Config)


def _bucket_download_fileobj(self, Key, Fileobj, ExtraArgs=None, Callback=None, Config=None):
    return self.meta.client.download_fileobj(self.name, Key, Fileobj, ExtraArgs, Callback, Config)


def _object_upload_file(self, Filename, ExtraArgs=None, Callback=None, Config=None):
    return self.meta.client.upload_file(Filename, self.bucket_name, self.key, ExtraArgs, Callback, Config)


def _object_download_file(self, Filename, ExtraArgs=None, Callback=None, Config=None):
    return self.meta.client.download_file(self.bucket_name, self.key, Filename, ExtraArgs, Callback, Config)


def _object_copy(self, CopySource, ExtraArgs=None, Callback=None, SourceClient=None, Config=None):
    return self.meta.client.copy(CopySource, self.bucket_name, self.key, ExtraArgs, Callback, SourceClient, Config)


def _object_upload_fileobj(self, Fileobj, ExtraArgs=None, Callback=None, Config=None):
    return self.meta.client.upload_fileobj(Fileobj, self.bucket_name, self.key, ExtraArgs, Callback, Config)


def _object_download_fileobj(self, Fileobj, ExtraArgs=None, Callback=None, Config=None):
    return self.meta.client.download_fileobj(self.bucket_name, self.key, Fileobj, ExtraArgs, Callback, Config)


_RESOURCE_METHODS = {
    "Bucket": {
        "load": _bucket_load, "upload_file": _bucket_upload_file, "download_file": _bucket_download_file,
        "copy": _bucket_copy, "upload_fileobj": _bucket_upload_fileobj,
        "download_fileobj": _bucket_download_fileobj,
    },
    "Object": {
        "upload_file": _object_upload_file, "download_file": _object_download_file, "copy": _object_copy,
        "upload_fileobj": _object_upload_fileobj, "download_fileobj": _object_download_fileobj,
    },
    "ObjectSummary": {"load": _object_summary_load},
}
for _kind, _methods in _RESOURCE_METHODS.items():
    for _name, _function in _methods.items():
        # boto3 adds plain functions, so errors contain their plain names.
        _function.__name__ = _function.__qualname__ = _function.__name__[1:]
_RESOURCE_CLASSES = {_kind: _resource_class(_kind, _table) for _kind, _table in _RESOURCES.items()}
ServiceResource.__module__ = ResourceMeta.__module__ = "boto3.resources.base"
ResourceCollection.__module__ = CollectionManager.__module__ = "boto3.resources.collection"
