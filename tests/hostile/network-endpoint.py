# Points the client at another endpoint, with credentials of its own: it stays the client of this world.
import boto3
from botocore.config import Config
names = []
for client in [boto3.client("s3", endpoint_url="http://169.254.169.254", aws_access_key_id="AKIA", aws_secret_access_key="x"),
               boto3.Session(profile_name="other").client("s3", region_name="eu-west-1"),
               boto3.client("s3", config=Config(proxies={"http": "http://localhost:1"}), verify=False)]:
    client.meta.endpoint_url = "http://169.254.169.254"
    names.append([bucket["Name"] for bucket in client.list_buckets()["Buckets"]])
return names
