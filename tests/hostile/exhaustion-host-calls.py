# Calls the host as often as it can, and catches what would stop it: ended at the limit of calls.
while True:
    try:
        s3.head_object(Bucket="zoo", Key="bear.txt")
    except BaseException:
        pass
