# Builds code objects by hand with types.CodeType: refused, or harmless.
import types
refused = set()
for arguments in [(), (0,) * 18, (1, 0, 0, 1, 10, 67, b"\xff" * 9, (), (), (), "f", "f", "f", 1, b"", b"", (), ()), (2**31,) * 18, (-1, 0, 0, 0, 0, 0, b"", (), (), (), "", "", "", 0, b"", b"")]:
    try:
        exec(types.CodeType(*arguments))
        refused.add("ran")
    except Exception as e:
        refused.add(type(e).__name__)
return sorted(refused)
