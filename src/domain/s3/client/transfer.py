# The transfers that boto3 adds to the client (boto3/s3/inject.py). Each sends one part.


class Boto3Error(Exception):
    pass


class S3UploadFailedError(Boto3Error):
    pass


class TransferConfig:
    """Accepted and stored. Nothing here is sent in parts or in parallel."""

    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)


def _extra(arguments, allowed):
    for name in arguments or ():
        if name not in allowed:
            raise ValueError(f"Invalid extra_args key '{name}', must be one of: {', '.join(allowed)}")
    return dict(arguments or {})


class _Transfers:
    def upload_fileobj(self, Fileobj, Bucket, Key, ExtraArgs=None, Callback=None, Config=None):
        if not hasattr(Fileobj, "read"):
            raise ValueError("Fileobj must implement read")
        extra = _extra(ExtraArgs, _UPLOAD)
        content = _bytes_of(Fileobj)
        self.put_object(Bucket=Bucket, Key=Key, Body=content, **extra)
        if Callback is not None:
            Callback(len(content))

    def download_fileobj(self, Bucket, Key, Fileobj, ExtraArgs=None, Callback=None, Config=None):
        if not hasattr(Fileobj, "write"):
            raise ValueError("Fileobj must implement write")
        extra = _extra(ExtraArgs, _DOWNLOAD)
        # Asking for the size first turns a missing key into a 404 of HeadObject.
        self.head_object(Bucket=Bucket, Key=Key, **extra)
        content = self.get_object(Bucket=Bucket, Key=Key, **extra)["Body"].read()
        Fileobj.write(content)
        if Callback is not None:
            Callback(len(content))

    def upload_file(self, Filename, Bucket, Key, ExtraArgs=None, Callback=None, Config=None):
        if not isinstance(Filename, str) and not hasattr(Filename, "__fspath__"):
            raise ValueError("Filename must be a string or a path-like object")
        with open(Filename, "rb") as file:
            try:
                self.upload_fileobj(file, Bucket, Key, ExtraArgs, Callback, Config)
            except ClientError as error:
                raise S3UploadFailedError(f"Failed to upload {Filename} to {Bucket}/{Key}: {error}")

    def download_file(self, Bucket, Key, Filename, ExtraArgs=None, Callback=None, Config=None):
        if not isinstance(Filename, str) and not hasattr(Filename, "__fspath__"):
            raise ValueError("Filename must be a string or a path-like object")
        self.head_object(Bucket=Bucket, Key=Key, **_extra(ExtraArgs, _DOWNLOAD))
        with open(Filename, "wb") as file:
            self.download_fileobj(Bucket, Key, file, ExtraArgs, Callback, Config)

    def copy(self, CopySource, Bucket, Key, ExtraArgs=None, Callback=None, SourceClient=None, Config=None):
        if not isinstance(CopySource, dict):
            raise TypeError(
                'Expecting dictionary formatted: {"Bucket": bucket_name, "Key": key} '
                f"but got {CopySource} or type {type(CopySource)}."
            )
        extra = _extra(ExtraArgs, _COPY)
        # Like s3transfer, asks for the size first.
        source = {"Bucket": CopySource.get("Bucket"), **CopySource}
        size = (SourceClient or self).head_object(**source)["ContentLength"]
        self.copy_object(CopySource=CopySource, Bucket=Bucket, Key=Key, **extra)
        if Callback is not None:
            Callback(size)


# boto3 adds plain functions to the class, so errors contain their plain names.
for _name in ("upload_fileobj", "download_fileobj", "upload_file", "download_file", "copy"):
    getattr(_Transfers, _name).__qualname__ = _name
