# What CPython runs the program against: as little as the program needs.
import io
import json

OBJECTS = {
    "land_animals/mammals/bat.txt": 1551,
    "land_animals/mammals/deer.txt": 402,
    "land_animals/mammals/pika.txt": 878,
    "land_animals/pinniped.txt": 1204,
    "land_animals/primate.txt": 2310,
}


class S3:
    def list_objects(self, Bucket, Prefix):
        return {"Contents": [{"Key": key, "Size": size} for key, size in OBJECTS.items()]}

    def head_object(self, Bucket, Key):
        return {"ContentLength": OBJECTS[Key]}

    def get_object(self, Bucket, Key):
        return {"Body": io.BytesIO(b"x" * OBJECTS[Key])}


s3 = S3()
