# Replaces the class of refusals by one that swallows them or is no exception: the client still hears the refusal, or a SystemError.
import _host
_host.Refusal = int
try:
    s3.get_object(Bucket="zoo", Key="no such key")
    return "swallowed"
except Exception as e:
    return type(e).__name__
