# Lifts the limit of recursion and calls itself in native code as well (sort, map, repr, getattr): an exception, or the stack's own limit.
import sys, functools
sys.setrecursionlimit(2**31 - 1)
class A:
    def __getattr__(self, name):
        return sorted([self], key=lambda x: getattr(x, name + "x"))
return A().x
