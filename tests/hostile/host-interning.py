# Has the host answer with a hundred thousand different names, which the interpreter keeps: they go with the program.
# Writes.
for n in range(300):
    s3.put_object(Bucket="zoo", Key="k", Body=b"", Metadata={f"name-{n}": "x"})
    s3.head_object(Bucket="zoo", Key="k")
return "done"
