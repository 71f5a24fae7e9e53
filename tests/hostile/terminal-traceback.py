# Has escape sequences in the line that fails and in the function's name, which the traceback shows: a terminal gets none of them.
def f(): raise ValueError("m")  # [31m[2J‮
f.__code__ = f.__code__.replace(co_name="\x1b[2J\x07name")
f()
