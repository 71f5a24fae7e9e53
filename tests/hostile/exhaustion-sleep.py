# Sleeps for a century, and waits for times that never come: sleeping takes no time, and the clock goes on.
import time
time.sleep(3_000_000_000)
try:
    time.sleep(1e300)
except Exception as e:
    return [time.time() > 4e9, type(e).__name__]
return time.time() > 4e9
