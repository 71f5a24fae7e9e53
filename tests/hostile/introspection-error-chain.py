# Chains a hundred thousand causes, and itself: the outcome tells the last.
error = None
for n in range(100_000):
    new = ValueError(n)
    new.__cause__ = new.__context__ = error
    error = new
error.__context__ = error
raise error
