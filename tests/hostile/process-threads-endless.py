# Starts a thread that never ends, to have it work on after the program: the program's fuel pays for it.
import threading
def work():
    while True:
        pass
threading.Thread(target=work, daemon=True).start()
return "away"
