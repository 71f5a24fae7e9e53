# Decodes with names of codecs that would load modules or files: there is no such codec.
refused = set()
for name in ["../../etc/passwd", "os", "encodings.os", "/etc/passwd", "mbcs", "oem", "idna", "punycode", "zlib", "a" * 100_000, "\0", "rot13\n", "__init__"]:
    for way in ("decode", "encode"):
        try:
            out = getattr(b"abc" if way == "decode" else "abc", way)(name)
            if out not in ("abc", b"abc", b"abc-"):
                refused.add(repr(out))
        except Exception as e:
            refused.add(type(e).__name__)
return sorted(refused)
