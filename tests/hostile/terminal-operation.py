# Calls an operation whose name has escape sequences, which the record of calls shows: a terminal gets none of them.
import _host
_host.call("\x1b[2Jlist_buckets\r\x07", {})
