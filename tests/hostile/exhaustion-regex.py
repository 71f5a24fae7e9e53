# Matches a pattern that tries exponentially many ways: the fuel ends it.
import re
return re.match(r"(?:a|a|aa)+$", "a" * 60 + "b")
