# Ties a traceback into a loop, so that telling it never ends: Python refuses, or the fuel ends it.
try:
    1 / 0
except ZeroDivisionError as e:
    error, step = e, e.__traceback__
    step.tb_next = step
    raise
