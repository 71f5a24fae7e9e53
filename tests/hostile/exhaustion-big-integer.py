# Computes an integer of a hundred million digits: one instruction of Python, and the deadline ends it.
# Deadline: 300 ms.
return len(str(7 ** (10 ** 8)))
