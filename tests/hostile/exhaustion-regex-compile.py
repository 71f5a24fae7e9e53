# Compiles patterns that unfold to billions of steps: refused, or paid for.
import re
return bool(re.compile("(?:" * 50 + "a" + "){100}" * 50).match("a"))
