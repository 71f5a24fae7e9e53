# Takes the kept output away, and leaves something else in its place: what was printed is lost, and the result stands.
import _runtime
print("kept?")
_runtime._output = 5
return "printed"
