# Names its error like a limit, by the attribute that the client uses: it is an error, whatever its name, and counts as one.
class Mine(Exception):
    _outcome_error = "DeadlineExceeded"
raise Mine("the program ran longer than 30s")
