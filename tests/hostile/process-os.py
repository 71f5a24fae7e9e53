# Starts, forks, replaces and kills processes by os: every function refuses.
import os
outcomes = set()
for name, arguments in {
    "system": ("id",), "popen": ("id",), "fork": (), "forkpty": (), "execv": ("/bin/sh", ["sh"]), "execve": ("/bin/sh", ["sh"], {}),
    "execvp": ("sh", ["sh"]), "execl": ("/bin/sh", "sh"), "spawnv": (0, "/bin/sh", ["sh"]), "spawnl": (0, "/bin/sh", "sh"),
    "posix_spawn": ("/bin/sh", ["sh"], {}), "startfile": ("x",), "kill": (1, 9), "killpg": (1, 9), "nice": (19,), "wait": (),
    "setuid": (0,), "setgid": (0,), "setsid": (), "chroot": ("/",), "ptrace": (), "umask": (0,), "sched_setaffinity": (0, {0}),
}.items():
    try:
        outcomes.add(f"{name} gave {getattr(os, name)(*arguments)!r}")
    except (OSError, AttributeError) as e:
        outcomes.add(type(e).__name__)
return sorted(outcomes)
