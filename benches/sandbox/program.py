listed = s3.list_objects(Bucket="zoology-bucket", Prefix="land_animals/")
largest = max(listed["Contents"], key=lambda item: item["Size"])["Key"]
head = s3.head_object(Bucket="zoology-bucket", Key=largest)
body = s3.get_object(Bucket="zoology-bucket", Key=largest)["Body"].read()
return {"objects": len(listed["Contents"]), "largest": largest, "same": head["ContentLength"] == len(body)}
