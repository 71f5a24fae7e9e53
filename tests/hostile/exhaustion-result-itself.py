# Returns a dict that contains itself by way of a list: an error of the program.
d = {}
d["d"] = [d]
return d
