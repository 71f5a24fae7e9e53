# Passes objects named datetime whose timestamp lies, is no number, or calls the host: a time, or an exception.
import _host
class datetime:
    def __init__(self, value): self.value = value
    def timestamp(self): return self.value() if callable(self.value) else self.value
told = []
for value in [float("nan"), float("inf"), -float("inf"), 1e300, -1e300, 10**400, "0", None, 2**63, lambda: _host.call("list_buckets", {}), lambda: 1 / 0]:
    try:
        _host.call("get_object", {"Bucket": "zoo", "Key": "bear.txt", "IfModifiedSince": datetime(value)})
        told.append("answered")
    except Exception as e:
        told.append(getattr(e, "code", type(e).__name__))
return told
