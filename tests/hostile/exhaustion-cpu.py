# Works for ever, and catches whatever would end it: the fuel ends it all the same.
while True:
    try:
        while True:
            pass
    except BaseException:
        continue
    finally:
        continue
