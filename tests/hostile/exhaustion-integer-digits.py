# Reads and writes integers of a million digits: refused as CPython does, or paid for with fuel.
return int("9" * 1_000_000) % 7
