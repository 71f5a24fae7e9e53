# Makes a hundred thousand classes and functions: they are made, or the fuel or memory ends it.
made = 0
for n in range(20_000):
    exec(f"class C{n}:\n    def f{n}(self): return {n}")
    made += 1
return made
