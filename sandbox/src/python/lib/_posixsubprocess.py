"""Programs cannot start processes."""


def fork_exec(*args):
    raise PermissionError(1, "programs cannot start processes in the sandbox")
