# Repeats a text to two gigabytes at once: refused.
return len("ab" * 2**30)
