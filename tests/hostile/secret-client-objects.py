# Walks everything that the client and its modules reach, for anything that looks like a key or a token: nothing does.
import sys
marks = ["AK" + "IA", "PRIVATE" + " KEY", "hunter" + "2", "secret_" + "access", "session_" + "token"]
seen, todo, kept, found = set(), [s3, sys.modules["_client"], sys.modules["_runtime"], sys.modules["_host"]], [], []
while todo:
    thing = todo.pop()
    if id(thing) in seen:
        continue
    seen.add(id(thing))
    if isinstance(thing, (str, bytes)):
        text = thing if isinstance(thing, str) else thing.decode("latin-1")
        if len(text) < 200 and any(mark in text for mark in marks):
            found.append(text)
    elif isinstance(thing, dict):
        if thing is not sys.modules:
            todo += [*thing.keys(), *thing.values()]
    elif isinstance(thing, (list, tuple, set, frozenset)):
        todo += thing
    elif not isinstance(thing, type(sys)) or thing.__name__ in ("_client", "_runtime", "_host"):
        for name in ("__dict__", "__closure__", "__defaults__", "__func__", "__code__", "co_consts", "cell_contents", "__class__"):
            value = getattr(thing, name, None)
            if value is not None:
                kept.append(dict(value) if name == "__dict__" else value)
                todo.append(kept[-1])
    if len(seen) > 6_000:
        break
return [len(seen) > 1000, sorted(set(found))]
