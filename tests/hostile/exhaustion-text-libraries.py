# Has quadratic functions of the library compare long texts (difflib, textwrap, fnmatch): the fuel ends it.
import difflib
return difflib.SequenceMatcher(None, "ab" * 5_000, "ba" * 5_000, autojunk=False).ratio()
