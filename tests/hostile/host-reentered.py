# Calls the host from within the writing of a call: each call gets its own answer.
import _host
class datetime:
    def timestamp(self):
        inner.append(len(_host.call("list_buckets", {})["Buckets"]))
        return 0.0
inner = []
answer = _host.call("get_object", {"Bucket": "zoo", "Key": "bear.txt", "IfModifiedSince": datetime()})
return [inner, bytes(answer["Body"]).decode()]
