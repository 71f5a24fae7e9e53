# Makes temporary files and folders: there are none.
got = []
for name in ["TemporaryFile", "NamedTemporaryFile", "TemporaryDirectory", "mkstemp", "mkdtemp", "SpooledTemporaryFile"]:
    try:
        import tempfile
        made = getattr(tempfile, name)()
        if name == "SpooledTemporaryFile":
            made.write(b"x")
            made.rollover()
        got.append([name, repr(made)])
    except Exception as e:
        pass
return got
