# Looks for paths of the machine that built or runs it, in modules, code and settings: none is there.
import sys, types
found = set()
for name, module in list(sys.modules.items()):
    for attribute in ("__file__", "__path__", "__cached__"):
        value = getattr(module, attribute, None)
        if value:
            found.add(str(value)[:100])
    for value in list(vars(module).values()) if isinstance(module, types.ModuleType) else []:
        code = getattr(value, "__code__", None)
        if hasattr(code, "co_filename"):
            found.add(code.co_filename)
settings = [getattr(sys, name, None) for name in ("executable", "prefix", "base_prefix", "exec_prefix", "path", "platlibdir")]
return [sorted(text for text in found if "/" in text and not text.startswith("<")), settings]
