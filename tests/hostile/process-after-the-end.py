# Leaves work for later (atexit, finalizers, __del__, hooks): what Python calls at the end is counted, and nothing runs after it.
# Writes.
import atexit, sys, weakref
def write(*args):
    s3.put_object(Bucket="zoo", Key="too late", Body=b"x")
class Late:
    __del__ = write
atexit.register(write)
kept = Late()
weakref.finalize(kept, write)
cycle = [Late()]
cycle.append(cycle)
sys.kept = [kept, cycle]
sys.excepthook = sys.unraisablehook = sys.displayhook = write
return "done"
