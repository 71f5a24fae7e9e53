class StreamingBody:
    """The body of an object as get_object gives it: bytes that are read once."""

    def __init__(self, raw_stream, content_length=None):
        self._data = raw_stream if isinstance(raw_stream, bytes) else raw_stream.read()
        self._at = 0
        self.closed = False

    def read(self, amt=None):
        if self.closed:
            # urllib3 behind the real one: nothing left, no error.
            return b""
        start = self._at
        end = len(self._data) if amt is None or amt < 0 else min(start + amt, len(self._data))
        self._at = end
        return self._data if start == 0 and end == len(self._data) else self._data[start:end]

    read1 = read

    def readinto(self, buffer):
        chunk = self.read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def readline(self, size=-1):
        end = self._data.find(b"\n", self._at) + 1 or len(self._data)
        return self.read(end - self._at if size is None or size < 0 else min(size, end - self._at))

    def readlines(self, hint=None):
        return self.read().splitlines(True)

    def iter_chunks(self, chunk_size=1024):
        while chunk := self.read(chunk_size):
            yield chunk

    def iter_lines(self, chunk_size=1024, keepends=False):
        yield from self.read().splitlines(keepends)

    def __iter__(self):
        return self.iter_chunks()

    def __next__(self):
        if chunk := self.read(1024):
            return chunk
        raise StopIteration

    next = __next__

    def __enter__(self):
        return self

    def __exit__(self, type, value, traceback):
        self.close()

    def tell(self):
        return self._at

    def readable(self):
        return True

    def writable(self):
        return False

    def seekable(self):
        return False

    def flush(self):
        pass

    def close(self):
        self.closed = True

    def set_socket_timeout(self, timeout):
        pass


StreamingBody.__module__ = "botocore.response"


def _bytes_of(body):
    """The content that put_object sends for a Body that passed validation."""
    if isinstance(body, str):
        return body.encode("utf-8")
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    content = body.read()
    return content.encode("utf-8") if isinstance(content, str) else bytes(content)
