# Replaces getattr, isinstance, type and str by functions that lie about every object: the outcome stays the program's.
import builtins
builtins.getattr = lambda *a: "Forged"
builtins.isinstance = lambda *a: True
builtins.str = lambda *a: "forged"
builtins.len = lambda *a: 0
builtins.type = lambda *a: int
raise KeyError("real")
