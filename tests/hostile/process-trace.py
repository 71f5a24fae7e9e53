# Traces itself to stay in control after its end: no hook is called, or none does harm.
import sys
seen = []
def trace(frame, event, argument):
    seen.append(event)
    return trace
for install in ("settrace", "setprofile", "setswitchinterval"):
    try:
        getattr(sys, install)(trace if install != "setswitchinterval" else 1e-9)
    except Exception as e:
        seen.append(type(e).__name__)
def f():
    return 1
f()
return len(seen) < 1000
