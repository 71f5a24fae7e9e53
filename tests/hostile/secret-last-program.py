# Looks for what the program before it left (source, output, errors, names): there is only its own.
import _runtime, sys, builtins
left = [name for name in ("last_type", "last_value", "last_traceback", "last_exc") if hasattr(sys, name)]
return [left, _runtime._source.startswith("# Looks for"), len(vars(_runtime._output)), hasattr(builtins, "_")]
