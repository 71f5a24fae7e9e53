# Changes the parameters while they are written, by an object whose timestamp is asked for: they are sent as they were, or refused.
import _host
objects = [{"Key": "no such key"}]
class datetime:
    def timestamp(self):
        objects.clear()
        objects.extend([{"Key": "bear.txt"}] * 5)
        params.clear()
        return 0.0
params = {"Bucket": "zoo", "Delete": {"Objects": [datetime(), objects]}}
try:
    return _host.call("delete_objects", params)
except Exception as e:
    return type(e).__name__
