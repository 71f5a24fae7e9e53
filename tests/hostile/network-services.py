# Asks other services of the cloud, those with credentials above all: there is only this one.
import boto3
refused = []
for service in ["sts", "iam", "ec2", "lambda", "secretsmanager", "ssm", "kms", "s3control", "S3", "s3 ", ""]:
    try:
        refused.append(repr(boto3.client(service)))
    except Exception as e:
        refused.append(type(e).__name__)
return sorted(set(refused))
