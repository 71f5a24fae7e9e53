# Writes while its error is told, after the program's end: the call is counted and recorded like every other.
# Writes.
class Mine(Exception):
    def __str__(self):
        s3.put_object(Bucket="zoo", Key="while telling", Body=b"x")
        return "told"
raise Mine()
