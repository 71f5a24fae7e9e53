# The transfers that boto3 adds to the client (boto3/s3/inject.py, s3transfer).


class Boto3Error(Exception):
    pass


class S3UploadFailedError(Boto3Error):
    pass


class ResourceLoadException(Boto3Error):
    pass


class TransferConfig:
    """The size of parts, and from which size on a transfer has parts. The other settings
    are about threads and have no effect."""

    ALIAS = {"max_concurrency": "max_request_concurrency", "max_io_queue": "max_io_queue_size"}
    DEFAULTS = {
        "multipart_threshold": 8 << 20, "max_concurrency": 10, "max_request_concurrency": 10,
        "multipart_chunksize": 8 << 20, "num_download_attempts": 5, "max_io_queue": 100,
        "max_io_queue_size": 100, "io_chunksize": 256 << 10, "use_threads": True,
        "max_bandwidth": None, "preferred_transfer_client": "auto",
    }

    def __init__(
        self, multipart_threshold=None, max_concurrency=None, multipart_chunksize=None,
        num_download_attempts=None, max_io_queue=None, io_chunksize=None, use_threads=None,
        max_bandwidth=None, preferred_transfer_client=None,
    ):
        # In the order of the checks.
        given = {
            "multipart_threshold": multipart_threshold, "multipart_chunksize": multipart_chunksize,
            "max_request_concurrency": max_concurrency, "max_io_queue_size": max_io_queue,
            "io_chunksize": io_chunksize, "num_download_attempts": num_download_attempts,
            "max_bandwidth": max_bandwidth,
        }
        for name, value in given.items():
            if value is not None and value <= 0:
                raise ValueError(f"Provided parameter {name} of value {value} must be greater than 0.")
        given.update(
            max_concurrency=max_concurrency, max_io_queue=max_io_queue, use_threads=use_threads,
            preferred_transfer_client=preferred_transfer_client,
        )
        for name, value in given.items():
            object.__setattr__(self, name, self.DEFAULTS[name] if value is None else value)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name in self.ALIAS:
            object.__setattr__(self, self.ALIAS[name], value)


def _extra(arguments, allowed):
    for name in arguments or ():
        if name not in allowed:
            raise ValueError(f"Invalid extra_args key '{name}', must be one of: {', '.join(allowed)}")
    return dict(arguments or {})


_TRANSFER_CONFIG = TransferConfig()
_FULL_CHECKSUMS = (
    "ChecksumCRC32", "ChecksumCRC32C", "ChecksumCRC64NVME", "ChecksumMD5", "ChecksumSHA1",
    "ChecksumSHA256", "ChecksumSHA512", "ChecksumXXHASH3", "ChecksumXXHASH64", "ChecksumXXHASH128",
)
_KEY_ARGS = ("SSECustomerKey", "SSECustomerAlgorithm", "SSECustomerKeyMD5", "RequestPayer", "ExpectedBucketOwner")
_COPY_PART_ARGS = (
    *_KEY_ARGS, "CopySourceIfMatch", "CopySourceIfModifiedSince", "CopySourceIfNoneMatch",
    "CopySourceIfUnmodifiedSince", "CopySourceSSECustomerKey", "CopySourceSSECustomerAlgorithm",
    "CopySourceSSECustomerKeyMD5",
)
# What HeadObject of a copy's source gets from the arguments of the copy.
_SOURCE_ARGS = {
    "CopySourceIfMatch": "IfMatch", "CopySourceIfModifiedSince": "IfModifiedSince",
    "CopySourceIfNoneMatch": "IfNoneMatch", "CopySourceIfUnmodifiedSince": "IfUnmodifiedSince",
    "CopySourceSSECustomerKey": "SSECustomerKey", "RequestPayer": "RequestPayer",
    "CopySourceSSECustomerAlgorithm": "SSECustomerAlgorithm",
    "CopySourceSSECustomerKeyMD5": "SSECustomerKeyMD5",
}


def _only(arguments, names):
    return {name: value for name, value in arguments.items() if name in names}


def _without(arguments, *names):
    return {name: value for name, value in arguments.items() if name not in names}


def _part_size(config, size=0):
    """The size of parts: S3 takes parts of 5 MiB to 5 GiB, and 10,000 of them."""
    chunk = config.multipart_chunksize
    while size > 10000 * chunk:
        chunk *= 2
    return max(5 << 20, min(chunk, 5 << 30))


def _read_up_to(file, size):
    """Reads `size` bytes from a file that may give fewer at a time."""
    pieces, missing = [], size
    while missing > 0:
        piece = file.read(missing)
        if not piece:
            break
        if isinstance(piece, str):
            # s3transfer raises this while it computes the checksum of the content.
            raise TypeError("a bytes-like object is required, not 'str'")
        pieces.append(bytes(piece))
        missing -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _in_parts(client, target, extra, create_without, send):
    """Makes an object of parts. `send` yields each part's (number, result)."""
    upload = client.create_multipart_upload(**target, **_without(extra, *create_without))
    target = {**target, "UploadId": upload["UploadId"]}
    try:
        parts = []
        for number, result in send(target):
            part = {"ETag": result["ETag"], "PartNumber": number}
            # S3 takes checksums of parts only where the upload asked for them.
            if "ChecksumAlgorithm" in extra:
                part.update(_only(result, _FULL_CHECKSUMS))
            parts.append(part)
        names = (*_KEY_ARGS, "ChecksumType", "MpuObjectSize", *_FULL_CHECKSUMS)
        client.complete_multipart_upload(**target, MultipartUpload={"Parts": parts}, **_only(extra, names))
    except BaseException:
        client.abort_multipart_upload(**target, **_only(extra, ("RequestPayer", "ExpectedBucketOwner")))
        raise


def _file_transfer(operation, params):
    """Lets the host send or fetch a file of a folder that the user granted."""
    if not _granted:
        words = (
            "No such file or directory; programs see no files until a folder is granted with --files DIR, "
            "except their own below /tmp"
        )
        raise FileNotFoundError(2, words, params["Filename"])
    try:
        _host.call(operation, params)
    except _host.Refusal as refusal:
        kind, number = _FILE_ERRORS.get(refusal.code, (None, 0))
        of = "PutObject" if operation == "upload_file" else "GetObject"
        error = _client_error(refusal, of) if kind is None else kind(number, refusal.message)
    else:
        return
    raise error


def _file_params(filename, bucket, key, extra, config):
    config = config or _TRANSFER_CONFIG
    sizes = {"multipart_threshold": config.multipart_threshold, "multipart_chunksize": config.multipart_chunksize}
    return {"Filename": os.fspath(filename), "Bucket": bucket, "Key": key, "ExtraArgs": extra, "Config": sizes}


class _Transfers:
    def upload_fileobj(self, Fileobj, Bucket, Key, ExtraArgs=None, Callback=None, Config=None):
        if not hasattr(Fileobj, "read"):
            raise ValueError("Fileobj must implement read")
        extra = _extra(ExtraArgs, _UPLOAD)
        if isinstance(Fileobj, _File) and Fileobj.tell() == 0:
            self.upload_file(Fileobj.name, Bucket, Key, ExtraArgs, Callback, Config)
            return
        config = Config or _TRANSFER_CONFIG
        done = Callback or (lambda amount: None)
        target = {"Bucket": Bucket, "Key": Key}
        content = _read_up_to(Fileobj, config.multipart_threshold)
        if len(content) < config.multipart_threshold:
            try:
                self.put_object(**target, Body=content, **_without(extra, "ChecksumType", "MpuObjectSize"))
            finally:
                # Like s3transfer, which wraps what it sends at once.
                if hasattr(Fileobj, "seekable") and Fileobj.seekable():
                    Fileobj.close()
            done(len(content))
            return
        if not any(name in extra for name in _FULL_CHECKSUMS):
            extra.setdefault("ChecksumAlgorithm", "CRC32")
        part_args = _only(extra, (*_KEY_ARGS, "ChecksumAlgorithm"))
        size = _part_size(config)

        def send(upload):
            rest, number = content, 0
            while True:
                rest += _read_up_to(Fileobj, size - len(rest))
                part, rest = rest[:size], rest[size:]
                if not part:
                    return
                number += 1
                yield number, self.upload_part(**upload, PartNumber=number, Body=part, **part_args)
                done(len(part))

        _in_parts(self, target, extra, (*_FULL_CHECKSUMS, "MpuObjectSize"), send)

    def download_fileobj(self, Bucket, Key, Fileobj, ExtraArgs=None, Callback=None, Config=None):
        if not hasattr(Fileobj, "write"):
            raise ValueError("Fileobj must implement write")
        extra = _extra(ExtraArgs, _DOWNLOAD)
        if isinstance(Fileobj, _File):
            self.download_file(Bucket, Key, Fileobj.name, ExtraArgs, Callback, Config)
            return
        # Asking for the size first turns a missing key into a 404 of HeadObject.
        head = self.head_object(Bucket=Bucket, Key=Key, **extra)
        self._fetch({"Bucket": Bucket, "Key": Key, **extra}, head, Fileobj, Callback, Config)

    def _fetch(self, source, head, Fileobj, Callback, Config):
        config = Config or _TRANSFER_CONFIG
        done = Callback or (lambda amount: None)
        size, step = head["ContentLength"], config.multipart_chunksize
        if size < config.multipart_threshold:
            content = self.get_object(**source)["Body"].read()
            Fileobj.write(content)
            done(len(content))
            return
        for start in range(0, size, step):
            # Like s3transfer, fails if somebody else writes the object meanwhile.
            last = "" if start + step >= size else start + step - 1
            part = self.get_object(**source, Range=f"bytes={start}-{last}", IfMatch=head["ETag"])
            content = part["Body"].read()
            Fileobj.write(content)
            done(len(content))

    def upload_file(self, Filename, Bucket, Key, ExtraArgs=None, Callback=None, Config=None):
        if not isinstance(Filename, str) and not hasattr(Filename, "__fspath__"):
            raise ValueError("Filename must be a string or a path-like object")
        extra = _extra(ExtraArgs, _UPLOAD)
        if _is_temporary(Filename) or not _granted and os.path.isfile(Filename):
            try:
                with io.open(Filename, "rb") as file:
                    self.upload_fileobj(file, Bucket, Key, ExtraArgs, Callback, Config)
            except ClientError as error:
                raise S3UploadFailedError(f"Failed to upload {Filename} to {Bucket}/{Key}: {error}")
            return
        try:
            _file_transfer("upload_file", _file_params(Filename, Bucket, Key, extra, Config))
        except ClientError as error:
            raise S3UploadFailedError(f"Failed to upload {Filename} to {Bucket}/{Key}: {error}")

    def download_file(self, Bucket, Key, Filename, ExtraArgs=None, Callback=None, Config=None):
        if not isinstance(Filename, str) and not hasattr(Filename, "__fspath__"):
            raise ValueError("Filename must be a string or a path-like object")
        extra = _extra(ExtraArgs, _DOWNLOAD)
        head = self.head_object(Bucket=Bucket, Key=Key, **extra)
        if _is_temporary(Filename):
            # Like s3transfer, leaves a file with that name as it was until it has everything.
            target = os.fspath(Filename)
            part = f"{target}.{_requests:08X}"
            try:
                with io.open(part, "wb") as file:
                    self._fetch({"Bucket": Bucket, "Key": Key, **extra}, head, file, Callback, Config)
                os.replace(part, target)
            except BaseException:
                if os.path.exists(part):
                    os.remove(part)
                raise
            return
        _file_transfer("download_file", _file_params(Filename, Bucket, Key, extra, Config))

    def copy(self, CopySource, Bucket, Key, ExtraArgs=None, Callback=None, SourceClient=None, Config=None):
        if not isinstance(CopySource, dict):
            raise TypeError(
                'Expecting dictionary formatted: {"Bucket": bucket_name, "Key": key} '
                f"but got {CopySource} or type {type(CopySource)}."
            )
        extra = _extra(ExtraArgs, _COPY)
        config = Config or _TRANSFER_CONFIG
        done = Callback or (lambda amount: None)
        # Like s3transfer, asks for the size first.
        source = {"Bucket": CopySource.get("Bucket"), **CopySource}
        source.update((_SOURCE_ARGS[name], value) for name, value in extra.items() if name in _SOURCE_ARGS)
        size = (SourceClient or self).head_object(**source)["ContentLength"]
        target = {"Bucket": Bucket, "Key": Key}
        if size < config.multipart_threshold:
            self.copy_object(CopySource=CopySource, **target, **extra)
            done(size)
            return
        step = _part_size(config, size)

        def send(upload):
            for number, start in enumerate(range(0, size, step), 1):
                last = min(start + step, size) - 1
                result = self.upload_part_copy(
                    **upload, CopySource=CopySource, PartNumber=number,
                    CopySourceRange=f"bytes={start}-{last}", **_only(extra, _COPY_PART_ARGS),
                )
                yield number, result["CopyPartResult"]
                done(last + 1 - start)

        left_out = [name for name in _COPY_PART_ARGS if name.startswith("CopySource")]
        directives = ("MetadataDirective", "TaggingDirective", "AnnotationDirective")
        _in_parts(self, target, extra, (*left_out, *directives), send)


# boto3 adds plain functions to the class, so errors contain their plain names.
for _name in ("upload_fileobj", "download_fileobj", "upload_file", "download_file", "copy"):
    getattr(_Transfers, _name).__qualname__ = _name
