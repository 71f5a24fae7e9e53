# Fills a dict with a hundred thousand keys of one hash: quadratic, and the fuel ends it.
class Same:
    def __hash__(self):
        return 7
return len({Same(): n for n in range(100_000)})
