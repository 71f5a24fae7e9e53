# Looks for variables, arguments and users of the host: all is empty.
import os, sys
found = [dict(os.environ), sys.argv, getattr(sys, "orig_argv", None), os.getenv("PATH"), os.getenv("HOME"), os.getenv("AWS_SECRET_ACCESS_KEY"), os.path.expanduser("~"), os.path.expandvars("$HOME")]
for attempt in ["os.getlogin()", "os.getuid()", "os.uname()", "os.environb()", "__import__('getpass').getuser()", "__import__('pwd').getpwuid(0)",
                "__import__('platform').node()", "__import__('platform').uname()", "__import__('site').getsitepackages()", "sys.modules['posix'].environ"]:
    try:
        found.append([attempt, repr(eval(attempt))])
    except Exception:
        pass
return found
