"""What functions of `os` give: tuples whose items have names."""


class _Fields(tuple):
    """A tuple whose items have names, as CPython's structseq."""

    def __new__(cls, values, more=None):
        values = tuple(values)
        made = super().__new__(cls, values[:len(cls._names)])
        made.__dict__.update(zip(cls._names, values))
        made.__dict__.update(zip(cls._more, values[len(cls._names):]))
        made.__dict__.update(more or {})
        return made

    def __repr__(self):
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._names)
        return f"os.{type(self).__name__}({fields})"

    _names, _more = (), ()


class stat_result(_Fields):
    _names = (
        "st_mode", "st_ino", "st_dev", "st_nlink", "st_uid", "st_gid", "st_size",
        "st_atime", "st_mtime", "st_ctime",
    )
    n_fields, n_sequence_fields, n_unnamed_fields = 19, 10, 3


class terminal_size(_Fields):
    _names = ("columns", "lines")


class uname_result(_Fields):
    _names = ("sysname", "nodename", "release", "version", "machine")


class times_result(_Fields):
    _names = ("user", "system", "children_user", "children_system", "elapsed")


class statvfs_result(_Fields):
    _names = (
        "f_bsize", "f_frsize", "f_blocks", "f_bfree", "f_bavail", "f_files", "f_ffree",
        "f_favail", "f_flag", "f_namemax",
    )


class sched_param(_Fields):
    _names = ("sched_priority",)


for _class in (stat_result, terminal_size, uname_result, times_result, statvfs_result, sched_param):
    _class.__module__ = "os"
