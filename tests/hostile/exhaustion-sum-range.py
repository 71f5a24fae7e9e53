# Has a native loop count to 10**15: the fuel ends it.
return sum(range(10**15))
