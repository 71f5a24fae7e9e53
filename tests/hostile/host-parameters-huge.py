# Gives the host keys, names, prefixes and lists of megabytes: each is refused in a sentence.
told = []
for attempt in [lambda: s3.get_object(Bucket="zoo", Key="k" * 10**7), lambda: s3.get_object(Bucket="z" * 10**7, Key="k"),
                lambda: s3.put_object(Bucket="zoo", Key="k", Body=b"", Metadata={"m" * 10**6: "x"}),
                lambda: s3.put_object(Bucket="zoo", Key="k", Body=b"", Tagging="t=" + "x" * 10**6), lambda: s3.delete_objects(Bucket="zoo", Delete={"Objects": [{"Key": "k" * 1000}] * 1001}),
                lambda: s3.copy_object(Bucket="zoo", Key="k", CopySource="zoo/" + "k" * 10**6), lambda: s3.create_bucket(Bucket="b" * 10**6)]:
    try:
        told.append(repr(attempt())[:60])
    except Exception as e:
        told.append(getattr(e, "_outcome_error", type(e).__name__))
return told
