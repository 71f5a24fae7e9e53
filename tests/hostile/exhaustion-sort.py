# Sorts by comparisons that never agree and keys that grow: it ends, or the fuel ends it.
class Never:
    def __lt__(self, other):
        return True
return len(sorted([Never() for _ in range(200_000)]))
