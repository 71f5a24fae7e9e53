# Raises an error whose text has escape sequences: a terminal gets none of them.
raise ValueError("\x1b[2J\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\ \x1bP+q544e\x1b\\ \x1b[?1049h")
