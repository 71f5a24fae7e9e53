# Ends the process at once: only its own program ends.
import os
os._exit(0)
