"""Which modules of the standard library the sandbox has not, and why."""

_NETWORK = "programs have no network; what they reach, they reach by their client"
_TERMINAL = "programs have no terminal"
_SYSTEM = "programs have no operating system below them"
_NATIVE = "its native part is not in the sandbox"

# In place of "No module named 'x'", which says less than a program's author needs.
ABSENT = {
    "ctypes": _NATIVE, "cProfile": _NATIVE, "curses": _TERMINAL,
    "faulthandler": _SYSTEM, "fcntl": _SYSTEM, "grp": _SYSTEM, "mmap": _SYSTEM, "msvcrt": _SYSTEM,
    "nt": _SYSTEM, "pty": _TERMINAL, "pwd": _SYSTEM, "readline": _TERMINAL, "resource": _SYSTEM,
    "sqlite3": "SQLite is native code that the sandbox has not; lists, dicts and sorted() do its work here",
    "dbm": _NATIVE, "ssl": _NETWORK, "syslog": _SYSTEM, "termios": _TERMINAL, "tkinter": "programs have no screen",
    "turtle": "programs have no screen", "turtledemo": "programs have no screen", "idlelib": "programs have no screen",
    "tracemalloc": _NATIVE, "tty": _TERMINAL, "winreg": _SYSTEM, "winsound": _SYSTEM,
}

