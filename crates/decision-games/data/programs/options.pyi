def options() -> list:
    """All options: {"name": …, "values": {"food": "pasta", …}}, in some games with the `points` that
    each is worth to you. A decision is the name of one."""
