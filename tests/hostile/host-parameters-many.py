# Gives the host ten million values in one call: too many for one call.
import _host
_host.call("delete_objects", {"Bucket": "zoo", "Delete": {"Objects": [None] * 1_200_000}})
