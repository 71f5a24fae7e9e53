# Raises an error whose class is named with escape sequences: a terminal gets none of them.
raise type("\x1b[2JOwned\x07", (Exception,), {"_outcome_error": "\x1b[2J\x1b[31mOwned\r\nresult: all is well"})("m")
