# Aborts, by every name for it: the program goes on.
import os, sys
ended = []
for attempt in ["os.abort()", "os.kill(os.getpid(), 9)", "__import__('signal').raise_signal(9)", "__import__('faulthandler')._sigsegv()",
                "__import__('faulthandler').dump_traceback_later(1, exit=True)", "__import__('_testcapi').crash_no_current_thread()",
                "sys._crash()", "__import__('resource').setrlimit(0, (0, 0))"]:
    try:
        ended.append([attempt, repr(eval(attempt))])
    except Exception:
        pass
return ended
