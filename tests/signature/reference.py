"""The environment signature, written a second time from its description alone.

It shares no code with the crate and needs only the standard library, so that the
published vectors are more than the crate's own output:

    python3 reference.py vectors.json           compares; exit code 1 on a difference
    python3 reference.py --write vectors.json   computes the expected values anew

The description is the documentation of `dialog2api::domain::Signer`.
"""

import hashlib
import json
import sys


def field(tag, content):
    """One field: the tag, the length as eight bytes, big end first, the content."""
    return tag + len(content).to_bytes(8, "big") + content


def content_of(described):
    """The bytes of an object: `{"text": …}` is UTF-8, `{"hex": …}` is itself."""
    (form, value), = described.items()
    return value.encode() if form == "text" else bytes.fromhex(value)


def stream_of(vector):
    """The canonical byte stream."""
    stream = b""
    state = {name.encode(): keys for name, keys in vector["state"].items()}
    for name in sorted(state):
        stream += field(b"b", name)
        keys = {key.encode(): content_of(c) for key, c in state[name].items()}
        for key in sorted(keys):
            stream += field(b"k", key) + field(b"h", hashlib.sha256(keys[key]).digest())
    for outcome in vector["outcomes"]:
        if "error" in outcome:
            # The message is left out.
            outcome = {"error": outcome["error"]["error"]}
        stream += field(b"o", canonical(outcome).encode())
    return stream


def canonical(value):
    """RFC 8785, but for integers that a double does not hold."""
    if isinstance(value, dict):
        # In the order of the names' UTF-16 code units, which is not that of UTF-8.
        pairs = sorted(value.items(), key=lambda pair: pair[0].encode("utf-16-be"))
        return "{%s}" % ",".join(f"{canonical(k)}:{canonical(v)}" for k, v in pairs)
    if isinstance(value, list):
        return "[%s]" % ",".join(map(canonical, value))
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int) and abs(value) > 2**53:
        return str(value)
    return number(float(value))


def number(value):
    """A number as ECMAScript's `Number.prototype.toString` writes it."""
    if value == 0:
        return "0"
    if value < 0:
        return "-" + number(-value)
    # Python and ECMAScript choose the same digits, the shortest that read back.
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    point = len(digits) - len(fraction) + int(exponent or 0)
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{point - 1:+d}"


def expected(vector):
    """What a vector must say about its state and outcomes."""
    stream = stream_of(vector)
    sha256 = hashlib.sha256(stream).hexdigest()
    return {"stream": stream.hex(), "sha256": sha256, "signature": sha256[:8]}


def main(arguments):
    write = arguments[0] == "--write"
    path = arguments[-1]
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    different = 0
    for vector in vectors:
        for name, value in expected(vector).items():
            if write:
                vector[name] = value
            elif vector.get(name) != value:
                different += 1
                print(f"{vector['name']}: {name} is {vector.get(name)}, computed {value}")
    if write:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(vectors, file, indent=1, ensure_ascii=True)
            file.write("\n")
    print(f"{len(vectors)} vectors, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
