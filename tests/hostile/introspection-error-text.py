# Raises what raises when it is shown: the outcome has no message, and the name.
class Mine(Exception):
    def __str__(self):
        raise self
    __repr__ = __str__
raise Mine()
