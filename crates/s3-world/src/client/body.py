import io


class HTTPResponse(io.IOBase):
    """The part of urllib3 that StreamingBody uses: an answer's content, read once."""

    status = 200
    reason = "OK"

    def __init__(self, data):
        self._data = data
        self._at = 0
        self._closed = False

    def __del__(self):
        pass

    def read(self, amt=None, decode_content=None, cache_content=False):
        start, data = self._at, self._data
        if self._closed:
            return b""
        if amt is None or amt < 0:
            self._closed = True
            self._at = len(data)
            return data[start:] if start else data
        if not isinstance(amt, int):
            raise TypeError(f"argument should be integer or None, not '{type(amt).__name__}'")
        chunk = data[start:start + amt]
        self._at = start + len(chunk)
        if self._at == len(data) and amt:
            self._closed = True
        return chunk

    def read1(self, amt=None, decode_content=None):
        return self.read(amt)

    def readinto(self, buffer):
        chunk = self.read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def readline(self, size=-1):
        end = self._data.find(b"\n", self._at) + 1 or len(self._data)
        return self.read(end - self._at if size is None or size < 0 else min(size, end - self._at))

    def stream(self, amt=65536, decode_content=None):
        while not self._closed:
            if chunk := self.read(amt):
                yield chunk

    def __iter__(self):
        lines = self.read().split(b"\n")
        last = lines.pop()
        for line in lines:
            yield line + b"\n"
        if last:
            yield last

    def readlines(self, hint=None):
        return list(self)

    @property
    def data(self):
        return self.read()

    @property
    def closed(self):
        return self._closed

    def readable(self):
        return True

    def tell(self):
        return self._at

    def close(self):
        self._closed = True

    def isclosed(self):
        return self._closed

    def release_conn(self):
        pass


class StreamingBody(io.IOBase):
    """The body of an object in the answer of get_object (botocore/response.py)."""

    _DEFAULT_CHUNK_SIZE = 1024

    def __init__(self, raw_stream, content_length):
        self._raw_stream = raw_stream
        self._content_length = content_length
        self._amount_read = 0

    def __del__(self):
        pass

    def set_socket_timeout(self, timeout):
        pass

    def readable(self):
        try:
            return self._raw_stream.readable()
        except AttributeError:
            return False

    def read(self, amt=None):
        chunk = self._raw_stream.read(amt)
        self._amount_read += len(chunk)
        if amt is None or (not chunk and amt > 0):
            self._verify_content_length()
        return chunk

    def readinto(self, b):
        amount = self._raw_stream.readinto(b)
        self._amount_read += amount
        if amount == 0 and len(b) > 0:
            self._verify_content_length()
        return amount

    def readline(self, size=-1):
        line = self._raw_stream.readline(size)
        self._amount_read += len(line)
        return line

    def readlines(self):
        return self._raw_stream.readlines()

    def __iter__(self):
        return self.iter_chunks(self._DEFAULT_CHUNK_SIZE)

    def __next__(self):
        if chunk := self.read(self._DEFAULT_CHUNK_SIZE):
            return chunk
        raise StopIteration()

    next = __next__

    def __enter__(self):
        return self._raw_stream

    def __exit__(self, type, value, traceback):
        self._raw_stream.close()

    def iter_lines(self, chunk_size=_DEFAULT_CHUNK_SIZE, keepends=False):
        pending = b""
        for chunk in self.iter_chunks(chunk_size):
            lines = (pending + chunk).splitlines(True)
            for line in lines[:-1]:
                yield line.splitlines(keepends)[0]
            pending = lines[-1]
        if pending:
            yield pending.splitlines(keepends)[0]

    def iter_chunks(self, chunk_size=_DEFAULT_CHUNK_SIZE):
        while True:
            chunk = self.read(chunk_size)
            if chunk == b"":
                break
            yield chunk

    def _verify_content_length(self):
        if self._content_length is not None and self._amount_read != int(self._content_length):
            raise _IncompleteReadError(
                actual_bytes=self._amount_read, expected_bytes=int(self._content_length)
            )

    def tell(self):
        return self._raw_stream.tell()

    def close(self):
        self._raw_stream.close()


class StreamingChecksumBody(StreamingBody):
    """The body of an answer with a checksum, which botocore verifies as it is read.

    Here the content comes from memory, so there is nothing to verify."""


def _unsupported(what):
    def refuse(self, *args):
        raise io.UnsupportedOperation(what)

    refuse.__name__ = refuse.__qualname__ = what
    return refuse


for _class in (HTTPResponse, StreamingBody):
    for _name in ("seek", "truncate", "fileno"):
        setattr(_class, _name, _unsupported(_name))
HTTPResponse.__module__ = "urllib3.response"
StreamingBody.__module__ = "botocore.response"
StreamingChecksumBody.__module__ = "botocore.httpchecksum"


def _bytes_of(body):
    """The content that put_object sends for a Body that passed validation."""
    if isinstance(body, str):
        return body.encode("utf-8")
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    # botocore reads a body for a real endpoint in pieces, until a piece is empty.
    pieces = []
    while True:
        piece = body.read(1 << 20)
        if len(piece) == 0:
            break
        if isinstance(piece, str):
            # botocore raises this while it computes the checksum of the body.
            raise TypeError("a bytes-like object is required, not 'str'")
        pieces.append(bytes(piece))
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
