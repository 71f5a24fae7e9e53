# Has the account of its error give nonsense (numbers, nothing, itself): an error with the exception's name is left.
import _runtime
def story(exception):
    return exception
_runtime.describe.__code__ = story.__code__
raise ValueError("real")
