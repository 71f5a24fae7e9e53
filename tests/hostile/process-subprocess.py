# Starts processes by the modules that do: none of them can be imported.
import importlib
got = []
for name in ["subprocess", "_posixsubprocess", "multiprocessing", "multiprocessing.pool", "concurrent.futures.process", "pty", "pexpect", "sh", "commands", "popen2", "distutils.spawn", "asyncio.subprocess"]:
    for way in [importlib.import_module, __import__, lambda n: exec(f"import {n}", {"__name__": "elsewhere"})]:
        try:
            way(name)
            got.append(name)
        except Exception:
            pass
return got
