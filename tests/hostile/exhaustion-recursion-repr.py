# Shows, compares, hashes and copies what is nested a hundred thousand deep: an exception each time, or the stack's own limit ends the program.
import copy
deep = []
for n in range(100_000):
    deep = [deep]
told = []
for way in (repr, copy.deepcopy, lambda x: x == copy.copy(x), lambda x: hash(tuple(x)), lambda x: __import__("json").dumps(x), lambda x: __import__("pickle").dumps(x)):
    try:
        way(deep)
        told.append("done")
    except Exception as e:
        told.append(type(e).__name__)
return told
