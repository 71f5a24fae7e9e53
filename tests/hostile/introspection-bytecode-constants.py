# Takes constants, names and cells away from under the code that needs them: refused, or the interpreter gives up.
import types
def f(a, b=2):
    c = a + b
    return (lambda: c + 1000)(), "constant", len([c])
ran = []
for change in [{"co_consts": ()}, {"co_names": ()}, {"co_varnames": ()}, {"co_freevars": ("x", "y")}, {"co_cellvars": ()}, {"co_argcount": 200}, {"co_nlocals": 0}, {"co_stacksize": 0}, {"co_kwonlyargcount": 99}, {"co_flags": 0xffffffff}]:
    try:
        g = types.FunctionType(f.__code__.replace(**change), globals())
        ran.append(repr(g(1))[:40])
    except Exception as e:
        ran.append(type(e).__name__)
return len(ran)
