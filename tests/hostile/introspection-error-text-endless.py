# Raises what never ends to be shown: the program's fuel ends it.
class Mine(Exception):
    def __str__(self):
        while True:
            pass
raise Mine()
