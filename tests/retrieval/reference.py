"""Records embeddings that the Rust ones are compared with: tests/retrieval/embeddings.json.

    python tests/retrieval/reference.py FOLDER > tests/retrieval/embeddings.json

FOLDER has all-MiniLM-L6-v2. This is the model written out a second time, in numpy from the
BERT paper and Hugging Face's modeling_bert.py, with a tokenizer of its own (BERT's basic
and WordPiece tokenizers): sentence-transformers itself needs PyTorch, a download of
gigabytes. It shares no code with what it checks.
"""

import json
import math
import sys
import unicodedata
from pathlib import Path

import numpy

SENTENCES = [
    "How can I help you? please rename a file for me",
    "What is the name of your bucket? zoology-bucket",
    "Delete sea_animals/otter.txt from zoology-bucket.",
    "list my buckets",
    "Wie heißt der Bucket? Er heißt „Übersicht“, naïve café",
    "yes",
    "",
    "   tabs\tand\nlines, and an unknown 漢字 and \u200b zero width \U0001f9a6",
    "antidisestablishmentarianism " * 3 + "x" * 120,
    "Copy every object whose key begins with logs/2024/05/ to the bucket archive. " * 30,
]
MAX_TOKENS = 256


def tensors(path):
    """The tensors of a safetensors file."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    found = {}
    for name, about in header.items():
        start, end = (8 + length + offset for offset in about["data_offsets"])
        kind = {"F32": "<f4", "I64": "<i8"}[about["dtype"]]
        found[name] = numpy.frombuffer(data[start:end], kind).reshape(about["shape"])
    return found


def is_punctuation(char):
    return (33 <= ord(char) <= 126 and not char.isalnum()) or unicodedata.category(char)[0] == "P"


def words(text):
    """BERT's basic tokenizer, uncased."""
    clean = []
    for char in text:
        if char in "\t\n\r" or unicodedata.category(char) == "Zs":
            clean.append(" ")
        elif char not in "\0\ufffd" and unicodedata.category(char)[0] != "C":
            clean.append(f" {char} " if 0x4E00 <= ord(char) <= 0x9FFF else char)
    plain = unicodedata.normalize("NFD", "".join(clean))
    plain = "".join(c for c in plain if unicodedata.category(c) != "Mn").lower()
    spaced = "".join(f" {c} " if is_punctuation(c) else c for c in plain)
    return spaced.split()


def pieces(word, vocabulary):
    """WordPiece: the longest known piece first."""
    found, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                found.append(vocabulary[piece])
                start = end
                break
        else:
            return [vocabulary["[UNK]"]]
    return found if len(word) <= 100 else [vocabulary["[UNK]"]]


def embed(text, weights, vocabulary, config):
    heads, eps = config["num_attention_heads"], config["layer_norm_eps"]
    ids = [piece for word in words(text) for piece in pieces(word, vocabulary)]
    ids = [vocabulary["[CLS]"], *ids[: MAX_TOKENS - 2], vocabulary["[SEP]"]]

    def get(name):
        return weights[name].astype(numpy.float64)

    def linear(x, name):
        return x @ get(f"{name}.weight").T + get(f"{name}.bias")

    def norm(x, name):
        mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        x = (x - mean) / numpy.sqrt(variance + eps)
        return x * get(f"{name}.weight") + get(f"{name}.bias")

    def split(x):
        return x.reshape(len(ids), heads, -1).transpose(1, 0, 2)

    x = get("embeddings.word_embeddings.weight")[ids]
    x = x + get("embeddings.position_embeddings.weight")[: len(ids)]
    x = x + get("embeddings.token_type_embeddings.weight")[0]
    x = norm(x, "embeddings.LayerNorm")
    erf = numpy.vectorize(math.erf)
    for layer in range(config["num_hidden_layers"]):
        here = f"encoder.layer.{layer}"
        query, key, value = (
            split(linear(x, f"{here}.attention.self.{part}")) for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        scores = numpy.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        mixed = (scores @ value).transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(x + linear(mixed, f"{here}.attention.output.dense"), f"{here}.attention.output.LayerNorm")
        inner = linear(x, f"{here}.intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        x = norm(x + linear(inner, f"{here}.output.dense"), f"{here}.output.LayerNorm")
    mean = x.mean(0)
    return mean / numpy.linalg.norm(mean)


def main():
    folder = Path(sys.argv[1])
    weights = tensors(folder / "model.safetensors")
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    vocabulary = tokenizer["model"]["vocab"]
    rows = []
    for text in SENTENCES:
        vector = embed(text, weights, vocabulary, config)
        rows.append({"text": text, "vector": [round(float(x), 6) for x in vector]})
    print("[\n" + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]")


if __name__ == "__main__":
    main()
