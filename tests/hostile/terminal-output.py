# Prints escape sequences, on both streams: a terminal gets none of them.
import sys
print("\x1b[2J\x1b]0;owned\x07\x1b[8mhidden\x1b[0m\rover")
print("\x1b[3J\x1bc", file=sys.stderr)
return "printed"
