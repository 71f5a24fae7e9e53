"""`select` of a world without sockets: there is only the time to wait for."""

import time

error = OSError
POLLIN, POLLPRI, POLLOUT, POLLERR, POLLHUP, POLLNVAL = 1, 2, 4, 8, 16, 32


def select(rlist, wlist, xlist, timeout=None, /):
    if rlist or wlist or xlist or timeout is None:
        raise OSError(1, "programs have no sockets and no pipes to wait for")
    time.sleep(timeout)
    return [], [], []
