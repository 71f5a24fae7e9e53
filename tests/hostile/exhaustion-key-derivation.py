# Derives keys with 10**9 rounds in native code: the deadline ends it.
# Deadline: 300 ms.
import hashlib
return hashlib.pbkdf2_hmac("sha256", b"x", b"y", 10**9).hex()
