# Gives the host bytes, numbers, objects and nothing as the operation, in raw CBOR as well: each is a TypeError.
import _host
told = []
for name in [b"\x82\x6clist_buckets\xa0", bytearray(b"list_buckets"), 5, None, [], {}, object(), type, Exception]:
    try:
        told.append(repr(_host.call(name, {})))
    except Exception as e:
        told.append(type(e).__name__)
for arguments in [(), ("list_buckets",), ("list_buckets", {}, {}), ("list_buckets", {}, b"raw")]:
    try:
        told.append(repr(_host.call(*arguments)))
    except Exception as e:
        told.append(type(e).__name__)
return sorted(set(told))
