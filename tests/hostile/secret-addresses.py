# Shows addresses of its objects: they lie in its own 32 bits of memory, and are the same in every run.
addresses = [id(object()), id(s3), hash(object()) & 0xffffffff]
text = repr(object()).split("0x")[-1].rstrip(">")
return [max(addresses) < 2**32, int(text, 16) < 2**32]
