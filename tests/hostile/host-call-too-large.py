# Sends seventy megabytes in one call and goes on: the call ends the program.
try:
    s3.put_object(Bucket="zoo", Key="big", Body=bytes(70_000_000))
except BaseException:
    return "went on"
