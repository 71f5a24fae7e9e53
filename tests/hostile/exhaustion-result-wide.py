# Returns ten million numbers: too large.
return [0] * 10_000_000
