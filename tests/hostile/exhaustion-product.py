# Counts through products and permutations that have more members than atoms: the memory or the fuel ends it.
import itertools
return sum(1 for _ in itertools.permutations(range(40)))
