# Calls the host from within the writing of a call from within the writing of a call: Python's recursion ends it.
import _host
class datetime:
    def timestamp(self):
        return _host.call("list_objects", {"Bucket": self})
_host.call("list_objects", {"Bucket": datetime()})
