# Makes its calls go on after the limit of what they move, in except and in finally: it is ended at the call that broke it.
# Writes.
try:
    while True:
        s3.put_object(Bucket="zoo", Key="big", Body=b"x" * 30_000_000)
finally:
    s3.put_object(Bucket="zoo", Key="after the limit", Body=b"x")
