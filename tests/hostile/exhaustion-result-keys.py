# Returns a dict whose keys are huge, doubled and of every kind: too large.
return {("k" * 100_000) + str(n): None for n in range(100)}
