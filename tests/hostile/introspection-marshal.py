# Loads malformed code and values by marshal: refused, or the interpreter gives up; the host stands.
import marshal
kinds = set()
good = marshal.dumps(compile("a = [1, 'x', (2.5, None)]", "f", "exec"))
for position in range(len(good)):
    for flip in (0x01, 0x80, 0xff):
        text = bytearray(good)
        text[position] ^= flip
        try:
            marshal.loads(bytes(text))
            kinds.add("loaded")
        except Exception as e:
            kinds.add(type(e).__name__)
return len(kinds) > 0
