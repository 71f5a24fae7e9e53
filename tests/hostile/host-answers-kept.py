# Keeps the answers to large reads until its memory is full: its own memory ends, and the host's does not grow.
# Writes.
s3.put_object(Bucket="zoo", Key="big", Body=b"x" * 20_000_000)
kept = []
for n in range(20):
    kept.append(s3.get_object(Bucket="zoo", Key="big")["Body"].read())
return len(kept)
