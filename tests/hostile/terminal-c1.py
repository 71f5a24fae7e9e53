# Uses the control characters of eight bits, which some terminals obey: they are made visible.
return "".join(chr(c) for c in range(0x7f, 0xa0))
