# Waits for locks, queues and events that nobody releases: an exception, or the fuel or deadline ends it.
# Deadline: 300 ms.
import threading
lock = threading.Lock()
lock.acquire()
lock.acquire()
