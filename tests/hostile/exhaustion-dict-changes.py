# Changes dicts and sets while they are walked and compared: an exception, no crash.
told = []
class Key:
    def __init__(self, d): self.d = d
    def __hash__(self): return 1
    def __eq__(self, other):
        self.d.clear()
        return False
d = {}
for n in range(50):
    try:
        d[Key(d)] = n
    except Exception as e:
        told.append(type(e).__name__)
try:
    for k in d:
        d[object()] = 1
except RuntimeError as e:
    told.append(type(e).__name__)
return told
