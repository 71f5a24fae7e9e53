# boto3/s3/transfer.py: the transfers of the client as a class of their own.


class S3Transfer:
    ALLOWED_DOWNLOAD_ARGS, ALLOWED_UPLOAD_ARGS, ALLOWED_COPY_ARGS = _DOWNLOAD, _UPLOAD, _COPY

    def __init__(self, client=None, config=None, osutil=None, manager=None):
        if not client and not manager:
            raise ValueError("Either a boto3.Client or s3transfer.manager.TransferManager must be provided")
        if manager and any((client, config, osutil)):
            raise ValueError(
                "Manager cannot be provided with client, config, nor osutil. "
                "These parameters are mutually exclusive."
            )
        self._client, self._config = client or manager._client, config

    def upload_file(self, filename, bucket, key, callback=None, extra_args=None):
        self._client.upload_file(filename, bucket, key, extra_args, callback, self._config)

    def download_file(self, bucket, key, filename, extra_args=None, callback=None):
        self._client.download_file(bucket, key, filename, extra_args, callback, self._config)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


def _set_stream_logger(name="boto3", level=10, format_string=None):
    import logging

    if format_string is None:
        format_string = "%(asctime)s %(name)s [%(levelname)s] %(message)s"
    logger, handler = logging.getLogger(name), logging.StreamHandler()
    logger.setLevel(level)
    handler.setLevel(level)
    handler.setFormatter(logging.Formatter(format_string))
    logger.addHandler(handler)


S3Transfer.__module__ = "boto3.s3.transfer"
_set_stream_logger.__name__ = "set_stream_logger"
