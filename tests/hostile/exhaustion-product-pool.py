# Has itertools.product keep a gigabyte of pools before it gives a thing: refused, or paid for.
import itertools
return len(list(itertools.product(range(1000), repeat=10**7)))
