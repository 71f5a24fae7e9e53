archive = "zoology-archive"
for o in s3.list_objects(Bucket="zoology-bucket", Prefix="sea_animals/")["Contents"]:
    source = {"Bucket": "zoology-bucket", "Key": o["Key"]}
    s3.copy_object(Bucket=archive, Key=o["Key"], CopySource=source)
    s3.delete_object(**source)
return [o["Key"] for o in s3.list_objects(Bucket=archive)["Contents"]]
