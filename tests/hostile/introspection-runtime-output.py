# Lifts the limit of the output in the runtime's own module: the host cuts it once more.
import _runtime
_runtime._output.left = 10**12
print("x" * 1_000_000)
_runtime.printed = lambda: ("y" * 10**6, False)
return "printed"
