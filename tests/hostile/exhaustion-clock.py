# Waits for the clock by looking at it: each look moves it, and the fuel ends a wait of hours.
import time
end = time.time() + 3600
while time.time() < end:
    pass
return "waited"
