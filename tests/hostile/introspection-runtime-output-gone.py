# Puts something else in the place of the output: what was printed before is kept, and the result stands.
import _runtime
print("kept?")
_runtime._output = 5
return "printed"
