# Stacks a hundred thousand iterators on top of each other and asks the last: an exception, or the stack's limit.
import itertools
it = iter([1])
for n in range(100_000):
    it = itertools.chain(it)
return next(it)
