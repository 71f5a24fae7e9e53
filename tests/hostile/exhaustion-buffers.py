# Asks for buffers of gigabytes (bytearray, array, BytesIO, memoryview, urandom): each is refused with an exception.
refused = []
for attempt in ["bytearray(2**31 - 1)", "bytes(2**31 - 1)", "__import__('array').array('d', [0]) * 2**29", "__import__('io').BytesIO().seek(2**62)", "__import__('os').urandom(2**31 - 1)", "__import__('secrets').token_bytes(2**31 - 1)", "__import__('random').randbytes(2**31 - 1)", "list(memoryview(bytes(10)).cast('B')) * 2**29", "[None] * (2**29)", "(0,) * 2**29"]:
    try:
        refused.append([attempt, type(eval(attempt)).__name__])
    except Exception as e:
        refused.append(type(e).__name__)
return refused
