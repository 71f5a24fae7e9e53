# Runs bytecode of its own making, with jumps, names and stacks that are not there: refused, or the interpreter gives up.
def f(a=1):
    b = a
    return b
ran = 0
for code in [b"\xff" * 64, b"\x00" * 64, bytes(range(256)), b"", b"\x01", bytes([100, 255] * 8), bytes([131, 255] * 8)]:
    try:
        f.__code__ = f.__code__.replace(co_code=code)
        f()
    except Exception:
        pass
    ran += 1
return ran
