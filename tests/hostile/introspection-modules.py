# Lists the modules that are loaded, for one with a way out: only the host call leads out.
import sys
out = ["socket", "_socket", "subprocess", "_posixsubprocess", "ctypes", "_ctypes", "mmap", "_ssl", "fcntl", "resource", "pwd", "grp", "select", "termios", "pty", "multiprocessing", "asyncio", "signal", "faulthandler", "syslog", "winreg", "nt"]
return sorted(name for name in sys.modules if name in out)
