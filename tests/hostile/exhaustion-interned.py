# Has a million attribute names kept for ever: they go with the program.
class A: pass
a = A()
for n in range(300_000):
    setattr(a, f"name{n}", n)
return len(vars(a))
