# Returns texts, numbers and containers whose methods lie about what they are: the plain values are what counts.
class Text(str):
    def __str__(self): return "forged"
    def __len__(self): return 10**9
    def encode(self, *a): return b"forged"
class Number(int):
    def __repr__(self): return "forged"
    __str__ = __index__ = __repr__
class Items(list):
    def __iter__(self): return iter(range(10**12))
    def __len__(self): return 10**12
class Pairs(dict):
    def items(self): raise ValueError("no")
    def __iter__(self): return iter(range(10**12))
return Pairs(text=Text("real"), number=Number(7), items=Items([1, 2]))
