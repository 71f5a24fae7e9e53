# Inherits ten thousand times and asks the last class for what none has: an AttributeError, or paid for.
kind = object
for n in range(3_000):
    kind = type("C", (kind,), {})
return hasattr(kind(), "nothing")
