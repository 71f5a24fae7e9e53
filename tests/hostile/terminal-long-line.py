# Raises an error with one line of a megabyte: what is kept is short.
raise ValueError("A" * 1_000_000)
