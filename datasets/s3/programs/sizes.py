# How much each folder of the bucket holds.
sizes = {}
for page in s3.get_paginator("list_objects_v2").paginate(Bucket="zoology-bucket"):
    for entry in page.get("Contents", []):
        folder = entry["Key"].rpartition("/")[0] or "."
        sizes[folder] = sizes.get(folder, 0) + entry["Size"]
return sizes
