# Makes its calls go on after the limit of what they move, in except and in finally: it is ended at the call that broke it.
# Writes.
body = bytes(60_000_000)
try:
    while True:
        s3.put_object(Bucket="zoo", Key="big", Body=body)
finally:
    s3.put_object(Bucket="zoo", Key="after the limit", Body=b"x")
