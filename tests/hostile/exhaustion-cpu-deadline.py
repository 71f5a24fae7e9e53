# Works for ever on a machine that counts only time: the deadline ends it.
# Deadline: 300 ms.
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
