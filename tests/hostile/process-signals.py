# Installs handlers and alarms that would outlive it: nothing of them is there or does anything.
got = []
for attempt in ["signal.alarm(1)", "signal.setitimer(signal.ITIMER_REAL, 0.001)", "signal.pause()", "signal.pthread_kill(1, 9)", "signal.siginterrupt(2, True)"]:
    try:
        import signal
        got.append([attempt, repr(eval(attempt))])
    except Exception:
        pass
return got
