# Takes the host call out of the client's closure and its globals: it is the call that `_host` has, with the same rights.
import _host
cells = dict(zip(s3.list_buckets.__func__.__code__.co_freevars, s3.list_buckets.__func__.__closure__))
host = cells["host"].cell_contents
names = sorted(name for name in s3.list_buckets.__func__.__globals__ if "key" in name.lower() or "secret" in name.lower())
return [host is _host.call, len(host("list_buckets", {})["Buckets"]), names]
