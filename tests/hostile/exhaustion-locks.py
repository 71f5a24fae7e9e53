# Waits for locks, queues and events that nobody releases: an exception, or there is nobody to wait for.
import threading
lock = threading.Lock()
lock.acquire()
lock.acquire()
