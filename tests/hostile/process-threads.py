# Starts threads that would go on without it: each runs to its end where it is started, or not at all.
import _thread, threading, time
order = []
def work(n):
    order.append(n)
    time.sleep(3600)
    order.append(-n)
made = 0
for n in range(1, 4):
    try:
        threading.Thread(target=work, args=(n,), daemon=True).start()
        made += 1
    except Exception as e:
        order.append(type(e).__name__)
try:
    _thread.start_new_thread(work, (9,))
except Exception as e:
    order.append(type(e).__name__)
return order
