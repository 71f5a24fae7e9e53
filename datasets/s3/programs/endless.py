for key in ["land_animals/mammals/bat.txt", "sea_animals/orca.txt"]:
    print(key, s3.head_object(Bucket="zoology-bucket", Key=key)["ContentLength"])

while True:  # the box ends what does not end
    pass
