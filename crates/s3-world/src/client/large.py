# Objects that are larger than what one call reads: their content comes in parts, as it is read.

_PART = 8 << 20
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_TOTAL = re.compile(r"bytes \d+-\d+/(\d+)")


class _LargeResponse(HTTPResponse):
    """A content that is fetched as it is read, if the object stays what it was."""

    def __init__(self, ask, first, size, limit):
        super().__init__(first)
        self._ask, self._size, self._before, self._limit = ask, size, 0, limit

    def _left(self):
        return self._size - self._before - self._at

    def _more(self):
        """Replaces what was read by the next part; tells whether there was one."""
        self._before += len(self._data)
        self._at, self._data = 0, b""
        if self._before < self._size:
            self._data = self._ask(self._before, min(_PART, self._limit, self._size - self._before))
        return bool(self._data)

    def read(self, amt=None, decode_content=None, cache_content=False):
        if self._closed:
            return b""
        whole = amt is None or isinstance(amt, int) and amt < 0
        if not whole and not isinstance(amt, int):
            raise TypeError(f"argument should be integer or None, not '{type(amt).__name__}'")
        if whole:
            amt = self._left()
        if min(amt, self._left()) > self._limit:
            raise MemoryError(
                f"{self._left()} bytes are left of this object, and at most {self._limit} can be read "
                "at once: read it in pieces, with read(amount), iter_chunks() or iter_lines()"
            )
        pieces, wanted = [], amt
        while wanted and (self._at < len(self._data) or self._more()):
            piece = self._data[self._at:self._at + wanted]
            self._at += len(piece)
            wanted -= len(piece)
            pieces.append(piece)
        if whole or amt and not self._left():
            self._closed = True
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def readline(self, size=-1):
        pieces, left = [], self._limit if size is None or size < 0 else size
        while left and not self._closed and (self._at < len(self._data) or self._more()):
            end = self._data.find(b"\n", self._at) + 1
            pieces.append(self.read(min(left, (end or len(self._data)) - self._at)))
            left -= len(pieces[-1])
            if end:
                break
        return b"".join(pieces)

    def __iter__(self):
        while line := self.readline():
            yield line

    def tell(self):
        return self._before + self._at


def _by_parts(host, params, refusal):
    """The answer of get_object for an object that is too large for one call, without its last
    parts. Raises the refusal if parts do not help."""
    limit = int((refusal.details or {}).get("MaxSizeAllowed", 0))
    wanted = _RANGE.fullmatch(params.get("Range", "bytes=0-"))
    if wanted is None or "PartNumber" in params or not limit:
        raise refusal
    start, last = wanted.groups()
    first = min(_PART, limit)
    asked = {name: value for name, value in params.items() if name != "ChecksumMode"}

    def part(start, length):
        return host("get_object", {**asked, "Range": f"bytes={start}-{start + length - 1}"})

    answer = part(int(start or 0), first if start else 1)
    total = int(_TOTAL.match(answer["ContentRange"])[1])
    if not start:
        start = max(0, total - int(last))
        last, answer = "", part(start, first)
    start = int(start)
    end = min(total, int(last) + 1 if last else total)
    asked["IfMatch"] = answer["ETag"]
    if "VersionId" in answer:
        asked["VersionId"] = answer["VersionId"]

    def more(at, length):
        try:
            return part(start + at, length)["Body"]
        except _Refusal as refused:
            error = _client_error(refused, "GetObject")
        raise error

    answer["ContentLength"] = end - start
    if "Range" not in params:
        del answer["ContentRange"]
    else:
        answer["ContentRange"] = f"bytes {start}-{end - 1}/{total}"
    answer["Body"] = _LargeResponse(more, answer["Body"], end - start, limit)
    return answer
