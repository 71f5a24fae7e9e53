# Runs code that marshal loaded from damaged bytes: whatever it does, it does in its own memory.
import marshal
good = marshal.dumps(compile("def f(x):\n    y = [x, x + 1]\n    return {'a': y}\nr = f(1)", "f", "exec"))
ran = 0
for position in range(0, len(good), 3):
    text = bytearray(good)
    text[position] ^= 0x11
    try:
        exec(marshal.loads(bytes(text)), {})
    except Exception:
        pass
    ran += 1
return ran > 10
