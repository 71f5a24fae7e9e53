# Has pickles call what the program could not name: they name the same things.
import pickle
refused = []
for text in [b"cos\nsystem\n(S'id'\ntR.", b"cposix\nsystem\n(S'id'\ntR.", b"csubprocess\nPopen\n(S'id'\ntR.", b"c__builtin__\nopen\n(S'/etc/passwd'\ntR.", b"cbuiltins\neval\n(S'open(\"/etc/passwd\")'\ntR.",
             b"(dp0\n", b"\x80\x05\x8d\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\xff.", b"." * 100, b"(" * 100_000 + b"."]:
    try:
        refused.append(repr(pickle.loads(text)))
    except Exception as e:
        refused.append(type(e).__name__)
return refused
