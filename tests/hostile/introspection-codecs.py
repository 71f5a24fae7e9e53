# Registers codecs and error handlers that see text on its way to the outcome: they see only the program's own.
import codecs
seen = []
def search(name):
    seen.append(name)
    return codecs.lookup("utf-8")
def handler(error):
    seen.append(type(error).__name__)
    return ("?", error.end)
codecs.register(search)
for name in ("strict", "replace", "ignore", "surrogateescape"):
    codecs.register_error(name, handler)
print("a\udc80b")
raise ValueError("c\udc80d")
