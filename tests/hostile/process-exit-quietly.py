# Ends by SystemExit with a code of 0, as if all had gone well: it is an error of the program.
import sys
sys.exit(0)
