# Puts NUL bytes and line breaks into names, keys, prefixes and headers: refused or kept as they are, none is cut short.
# Writes.
told = []
for attempt in [lambda: s3.list_objects(Bucket="zoo\0"), lambda: s3.create_bucket(Bucket="abc\0def"), lambda: s3.create_bucket(Bucket="abc\ndef"),
                lambda: s3.put_object(Bucket="zoo", Key="k\0", Body=b"1"), lambda: s3.get_object(Bucket="zoo", Key="k"), lambda: s3.get_object(Bucket="zoo", Key="k\0")["Body"].read(),
                lambda: s3.put_object(Bucket="zoo", Key="h", Body=b"", ContentType="a\r\nX-Evil: 1"), lambda: s3.put_object(Bucket="zoo", Key="h", Body=b"", Metadata={"a\r\nb": "c"}),
                lambda: s3.list_objects(Bucket="zoo", Prefix="\0", Delimiter="\0")["Prefix"]]:
    try:
        out = attempt()
        told.append(repr(out) if not isinstance(out, dict) else "taken")
    except Exception as e:
        told.append(getattr(e, "_outcome_error", type(e).__name__))
return told
