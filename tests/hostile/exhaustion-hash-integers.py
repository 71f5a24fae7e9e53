# Fills a set with integers that collide by construction (multiples of 2**61 - 1): the fuel ends it, or it is done.
step = 2**61 - 1
return len({n * step for n in range(30_000)})
