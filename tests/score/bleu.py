"""Writes bleu.jsonl and bleu-groups.json: pairs of texts with what sacrebleu says of them.

    pip install sacrebleu==2.6.0
    python tests/score/bleu.py

Run again only to change the pairs; the figures are sacrebleu's, with its default settings.
"""

import json
import pathlib
import random

import sacrebleu
from sacrebleu.metrics import BLEU

HERE = pathlib.Path(__file__).parent

HAND = {
    "empty": [
        ("", ""), ("", "Done."), ("Done.", ""), (" ", "Done."), ("\n", "\n"), ("a", "a"),
        ("a b c", "a b c"), ("a b c d", "a b c d"), ("Done.", "Done."), ("!", "?"),
    ],
    "punctuation": [
        ("Hello, world! (again)", "Hello , world ! ( again )"),
        ("It's the owner's bucket.", "It's the owners' bucket."),
        ("a.b.c,d", "a . b . c , d"), ("...", ". . ."), ("..,,..", ".,.,.,"),
        ("wait... what?!", "wait … what ?!"), ('She said "no".', "She said &quot;no&quot;."),
        ("AT&amp;T &lt;b&gt;", "AT&T <b>"), ("&amp;lt; &amp;quot;", "< \""),
        ("a<skipped>b c d e", "ab c d e"), ("well-\nknown facts are here", "wellknown facts are here"),
        ("one\ntwo\nthree\nfour five", "one two three four five"),
        ("path/to/file.txt and C:\\dir", "path / to / file.txt and C : \\ dir"),
        ("x_y ^ z ~ {q} [r] `s` |t|", "x_y ^ z ~ { q } [ r ] ` s ` | t |"),
        ("a--b -- c - d", "a -- b -- c - d"), ("semi;colon: yes*no+maybe=2", "semi ; colon : yes * no + maybe = 2"),
    ],
    "numbers": [
        ("3.14 and 1,000,000.5 bytes", "3.14 and 1,000,000.5 bytes"), ("3. 14 and .5", "3.14 and 0.5"),
        ("1,2,3, 4,5", "1, 2, 3, 4, 5"), ("2024-01-05 to 2024-02-06", "2024 -01 -05 to 2024 -02 -06"),
        ("10% of 5-6 is -0.5", "10 % of 5 - 6 is - 0.5"), ("v1.2.3-rc4.", "v1.2.3 - rc4 ."),
        ("there are 12 objects, 34.", "there are 12 objects , 34 ."), ("٣.٤ and ５,６", "٣ . ٤ and ５ , ６"),
        ("1.000.000,00 €", "1,000,000.00 €"), ("0-1-2-3-4", "0 - 1 - 2 - 3 - 4"),
    ],
    "unicode": [
        ("Der Eimer heißt „Grüße“.", "Der Eimer heißt \"Grüße\"."), ("naïve café", "naïve café"),
        ("cafe\u0301 au lait du jour", "café au lait du jour"), ("ファイルを 三つ 消しました。", "ファイルを 三つ 消しました。"),
        ("删除 了 三 个 文件。", "删除 了 两 个 文件。"), ("🐘 in the 🦓 bucket 🎉", "🐘 in the 🦒 bucket 🎉"),
        ("no\u00a0break\u2003and\u202fthin\u3000wide", "no break and thin wide"),
        ("a\u200bb c\ufeffd e f", "ab cd e f"), ("a\x1cb\x1dc\x1ed\x1fe", "a b c d e"),
        ("line\u2028one\u2029two\x85three four", "line one two three four"), ("İstanbul ISTANBUL istanbul ıstanbul", "istanbul ISTANBUL istanbul ıstanbul"),
        ("tab\tand\x0bvertical\x0cfeed \r\n end", "tab and vertical feed end"), ("שלום, עולם!", "שלום , עולם !"),
        ("Ελλάδα — 3.5 « quotes »", "Ελλάδα – 3.5 «quotes»"),
    ],
    "case": [
        ("THE BUCKET IS EMPTY NOW", "the bucket is empty now"), ("The bucket is empty now.", "the bucket is empty now."),
        ("the the the the the the the", "the cat is on the mat"), ("of the the of the of of", "of the of the of the"),
        ("short", "a much longer reference than the hypothesis is"), ("a much longer hypothesis than the reference is, really", "short"),
        ("trailing blanks stay out   ", "trailing blanks stay out"), ("   leading blanks stay out", "leading blanks stay out"),
        ("What is the name of the bucket?", "What is the name of your bucket?"), ("Are you sure?", "Are you sure you want to delete it?"),
    ],
}

WORDS = (
    "the bucket object objects is are was deleted copied created which name what would you like "
    "to delete copy all of them in region us-east-1 3 12 4,096 1.5 bytes file photo-1.jpg logs/2024/01/05.log "
    "Sorry I cannot do that for your archive done Done Yes no and or but with , . ! ? : ; ( ) - ' \" / é ß 🐘 "
    "It's can't don't \n - key keys list here Here"
).split(" ")


def changed(words, random_):
    """The words with a few dropped, replaced, repeated or moved."""
    words = list(words)
    for _ in range(random_.randrange(0, 1 + len(words) // 2)):
        at = random_.randrange(len(words)) if words else 0
        kind = random_.randrange(4)
        if kind == 0 and words:
            del words[at]
        elif kind == 1 and words:
            words[at] = random_.choice(WORDS)
        elif kind == 2:
            words.insert(at, random_.choice(WORDS))
        elif words:
            words.insert(random_.randrange(len(words)), words.pop(at))
    return words


def pairs():
    """Every pair with the name of its group: 200."""
    for group, texts in HAND.items():
        for hypothesis, reference in texts:
            yield group, hypothesis, reference
    random_ = random.Random(5)
    made = sum(map(len, HAND.values()))
    for index in range(200 - made):
        group = ("short", "long", "mixed")[index % 3]
        length = {"short": (1, 6), "long": (20, 60), "mixed": (1, 40)}[group]
        words = [random_.choice(WORDS) for _ in range(random_.randrange(*length))]
        glue = random_.choice([" ", " ", " ", "", "  "])
        yield group, glue.join(changed(words, random_)), glue.join(words)


def corpus(rows):
    """sacrebleu's corpus BLEU, with its default settings."""
    hypotheses = [row["hypothesis"] for row in rows]
    references = [row["reference"] for row in rows]
    return BLEU().corpus_score(hypotheses, [references]).score


def main():
    tokenize = BLEU().tokenizer
    rows = []
    for group, hypothesis, reference in pairs():
        row = {"group": group, "hypothesis": hypothesis, "reference": reference}
        row["tokens"] = tokenize(hypothesis.rstrip()).split()
        row["bleu"] = corpus([row])
        rows.append(row)
    with open(HERE / "bleu.jsonl", "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")
    groups = {"sacrebleu": sacrebleu.__version__, "groups": {}}
    for group in sorted({row["group"] for row in rows}):
        groups["groups"][group] = corpus([row for row in rows if row["group"] == group])
    groups["groups"]["all"] = corpus(rows)
    groups["groups"]["every third"] = corpus(rows[::3])
    (HERE / "bleu-groups.json").write_text(json.dumps(groups, indent=1) + "\n")


if __name__ == "__main__":
    main()
