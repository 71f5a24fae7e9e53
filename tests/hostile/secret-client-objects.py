# Walks everything that the client reaches, by attributes, items and globals, for anything that looks like a key or a token: nothing does.
import re, types
seen, todo, found = set(), [s3], []
looks = re.compile(r"AKIA[0-9A-Z]{12}|BEGIN [A-Z ]*PRIVATE KEY|aws_secret|hunter2")
while todo and len(seen) < 20_000:
    thing = todo.pop()
    if id(thing) in seen:
        continue
    seen.add(id(thing))
    if isinstance(thing, (str, bytes)):
        text = thing if isinstance(thing, str) else thing.decode("latin-1")
        if looks.search(text) and thing is not looks.pattern:
            found.append(text[:80])
        continue
    if isinstance(thing, dict):
        todo += [*thing.keys(), *thing.values()]
    elif isinstance(thing, (list, tuple, set, frozenset)):
        todo += thing
    for name in ("__dict__", "__globals__", "__closure__", "__defaults__", "__func__", "__code__", "co_consts", "cell_contents", "__class__", "__mro__", "__self__"):
        try:
            todo.append(getattr(thing, name))
        except Exception:
            pass
return [len(seen) > 1000, found]
