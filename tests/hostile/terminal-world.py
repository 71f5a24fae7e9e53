# Puts escape sequences into keys, contents and metadata, and returns the listing: a terminal gets none of them.
# Writes.
s3.put_object(Bucket="zoo", Key="\x1b[2Jkey\r\n", Body=b"\x1b]0;owned\x07", ContentType="text/\x1b[31m")
listed = s3.list_objects(Bucket="zoo")["Contents"]
return [listed[0]["Key"], s3.get_object(Bucket="zoo", Key=listed[0]["Key"])["Body"].read().decode()]
