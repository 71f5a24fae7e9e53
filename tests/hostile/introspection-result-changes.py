# Returns what grows while it is read, by another thread and by finalizers: it is read as it is.
import threading
out = [1, 2]
class Grow:
    def __del__(self):
        out.extend(range(1000))
threading.Thread(target=lambda: out.append(3)).start()
grow = Grow()
return out
