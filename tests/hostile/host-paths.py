# Names buckets and keys like paths out of a folder: names are refused, and keys are only keys.
# Writes.
told = []
for bucket in ["..", ".", "../zoo", "/etc", "zoo/../vault", "zoo/", "", "~", "C:\\", "con"]:
    try:
        s3.create_bucket(Bucket=bucket)
        told.append(bucket)
    except Exception as e:
        told.append(getattr(e, "_outcome_error", type(e).__name__))
for key in ["../../etc/passwd", "/etc/passwd", "..", ".", "a/../../b", "//", "\\..\\x"]:
    s3.put_object(Bucket="zoo", Key=key, Body=key.encode())
    assert s3.get_object(Bucket="zoo", Key=key)["Body"].read() == key.encode()
return told
