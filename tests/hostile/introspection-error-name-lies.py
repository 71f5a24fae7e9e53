# Gives its error a name that is no text, too long, or raises when it is asked for: the outcome has a name.
class Mine(Exception):
    @property
    def _outcome_error(self):
        raise RuntimeError("no name")
raise Mine("m")
