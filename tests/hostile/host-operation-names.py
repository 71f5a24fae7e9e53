# Calls the host with names that are no operations (empty, NUL, another case, a path, a megabyte, no text): each is refused.
import _host
told = set()
for name in ["", "\0", "list_buckets\0", "LIST_BUCKETS", " list_buckets", "list_buckets\n", "../list_buckets", "__class__", "listbuckets", "list_buckets;", "ListBuckets", "\u217cist_buckets", "x" * 1_000_000, "\udc80", "%s%n", "call", "fork", "state"]:
    try:
        told.add(repr(_host.call(name, {})))
    except Exception as e:
        told.add(type(e).__name__)
return sorted(told)
