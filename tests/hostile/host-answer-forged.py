# Puts a call of its own in the host's place, which answers what it likes: it deceives itself, and no such call is recorded.
import _host
_host.call = lambda operation, params: {"Buckets": [{"Name": "forged"}]}
own = _host.call("list_buckets", {})
return [own["Buckets"][0]["Name"], [b["Name"] for b in s3.list_buckets()["Buckets"]]]
