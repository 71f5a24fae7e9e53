# Imports every native module by name, past the import of the box, and calls what sounds like a way out: nothing does anything.
import sys, importlib
got, calls = [], {"system": ("id",), "open": ("/etc/passwd", 0), "fork": (), "socket": (), "create_dynamic": (None,), "exec_dynamic": (None,), "load_dynamic": ("x", "/lib/x.so"), "dlopen": ("libc.so.6",), "getenv": ("PATH",), "environ": None, "popen": ("id",), "kill": (1, 9), "read": (0, 9), "write": (1, b"x")}
for name in list(sys.builtin_module_names):
    try:
        module = importlib.import_module(name)
    except Exception:
        continue
    for attribute, arguments in calls.items():
        value = getattr(module, attribute, None)
        if value is None or (name in ("builtins", "_io", "io") and attribute == "open"):
            continue
        try:
            result = value(*arguments) if arguments is not None else value
            got.append([name, attribute, type(result).__name__])
        except Exception as e:
            pass
return [len(sys.builtin_module_names) > 20, [g for g in got if g[2] not in ("NoneType", "dict")]]
