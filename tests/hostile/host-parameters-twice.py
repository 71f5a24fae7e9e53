# Gives one parameter twice, for a policy that reads the first and a world that reads the last: the program ends.
import _host

class Other(str):
    def __hash__(self):
        return 1

    def __eq__(self, other):
        return False

return _host.call("get_object", {"Bucket": "secret", Other("Bucket"): "zoology-bucket", "Key": "notes.txt"})
