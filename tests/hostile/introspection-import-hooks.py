# Puts itself in the way of imports (meta_path, path_hooks, sys.modules, reload): it meets only its own, and the next program none of it.
import sys, importlib, os
class Finder:
    def find_spec(self, name, path=None, target=None):
        return None
sys.meta_path.insert(0, Finder())
sys.path_hooks.insert(0, lambda path: Finder())
sys.modules["json"] = sys.modules["_host"] = sys.modules["boto3"] = type(sys)("mine")
failures = []
for module in (os, sys.modules["_runtime"], sys.modules["_client"]):
    try:
        importlib.reload(module)
        failures.append(f"{module.__name__} was loaded again")
    except Exception as e:
        failures.append(type(e).__name__)
return [failures, len(s3.list_buckets()["Buckets"])]
