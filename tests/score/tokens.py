"""Writes tokens.jsonl: programs with the tokens that Python's own `tokenize` finds in them.

    python3.11 tests/score/tokens.py

Up to 3.11 an f-string is one token there, as in code edit distance; run it with no later
version. A placeholder `?1` is no Python: it is a name for `tokenize`, and put back after.
"""

import io
import json
import pathlib
import re
import sys
import textwrap
import tokenize

assert sys.version_info < (3, 12), "f-strings are several tokens from 3.12 on"

HERE = pathlib.Path(__file__).parent
NAMES = {tokenize.NEWLINE: "\n", tokenize.INDENT: "→", tokenize.DEDENT: "←"}
SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}

HAND = [
    "", "\n\n", "# only a comment", "x=1", "x = 1  # why\n\n# because\ny = 2",
    "return {'a': [1, 2.5e-3, .5, 0x1F, 0xe+1, 1_000, 3j], \"b\": None}",
    "if a<=b!=c and not d:\n    return a**2//3\nelif x := f(y):\n\tpass\nelse:\n  z -= 1; w >>= 2",
    "for i in range(3):\n    for j in i:\n        if j:\n            continue\n    break\nreturn ...",
    "def f(a, *b, c: int = 1, **d) -> str:\n    '''doc\n  string'''\n    return f\"{a!r:>{c}} {{x}}\" f'{d[\"k\"]}'\n\nreturn f(1)",
    "x = (1,\n     2,  # two\n\n     3)\ny = [\n]\nz = a + \\\n    b",
    "s = r'\\d+' b\"x\" rb'\\'' 'it\\'s' \"a#b\" '''a\n'b' \"c\"\n''' u''",
    "    s3.delete_objects(Bucket=?1, Delete={\"Objects\": ?2})",
    "    a = 1\n    if a:\n        b = 2\n    return b",
    "@d\nclass A(B):\n    x: int = 1\n\n    def m(self):\n        yield from self\n\nlambda x: x @ y",
    "größe = 'Grüße 🐘'\nreturn größe",
    "try:\n    f()\nexcept (A, B) as e:\n    raise C() from e\nfinally:\n    pass",
    "with open('x') as f, g() as h:\n    a, *b = c\n    a[1:2, ::3] = -1 if ~x else +2",
    "x = 1if y else 2\nz = 1 .real\nw = 1.__class__",
]


def tokens(code):
    readable = re.sub(r"\?(\d+)", r"PLACEHOLDER_\1", textwrap.dedent(code))
    found = tokenize.generate_tokens(io.StringIO(readable).readline)
    for token in found:
        if token.type not in SKIPPED:
            text = NAMES.get(token.type, token.string)
            yield re.sub(r"^PLACEHOLDER_(\d+)$", r"?\1", text)


def programs():
    yield from HAND
    for path in sorted((HERE / "../../datasets/s3/train").glob("*.xml")):
        text = path.read_text(encoding="utf-8")
        for program in re.findall(r"<program>\n(.*?)</program>", text, re.DOTALL):
            # A placeholder in a string is text, and would be renamed here.
            if not re.search(r"['\"][^'\"\n]*\?\d[^'\"\n]*['\"]", program):
                yield program.rstrip()


def main():
    with open(HERE / "tokens.jsonl", "w", encoding="utf-8") as file:
        for code in dict.fromkeys(programs()):
            file.write(json.dumps([code, list(tokens(code))]) + "\n")


if __name__ == "__main__":
    main()
