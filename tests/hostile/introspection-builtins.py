# Takes builtins away and puts its own there, where the account of its error is made: the name of its error is told all the same.
import builtins
for name in list(vars(builtins)):
    if name not in ("ZeroDivisionError", "setattr", "builtins", "Exception", "__build_class__"):
        try:
            setattr(builtins, name, None)
        except BaseException:
            pass
1 / 0
