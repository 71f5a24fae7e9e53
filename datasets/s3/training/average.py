"""The mean of two LoRA adapters of the same model:

    python average.py FIRST.gguf SECOND.gguf OUT.gguf

What an adapter changes is a product of two matrices for each layer. The mean of two such
products has twice their rank, and its largest singular values are kept. An adapter that was
trained further on other lessons does better on them and forgets some of the earlier ones. The
mean of both often does well on both (Wortsman et al., 2022, "Model soups").
"""

import argparse
from pathlib import Path

import adapter_file
import gguf
import numpy as np


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="the weight of the second, from 0 to 1")
    return parser.parse_args()


class Adapter:
    """The matrices of an adapter, and what it is for."""

    def __init__(self, path):
        try:
            reader = gguf.GGUFReader(str(path))
        except (OSError, ValueError) as error:
            raise SystemExit(f"{path}: {error}")
        if reader.get_field(gguf.Keys.Adapter.LORA_ALPHA) is None:
            raise SystemExit(f"{path}: this is not a LoRA adapter")
        self.matrices = {tensor.name: tensor.data.astype(np.float32) for tensor in reader.tensors}
        self.model = reader.get_field(gguf.Keys.General.ARCHITECTURE).contents()
        self.alpha = reader.get_field(gguf.Keys.Adapter.LORA_ALPHA).contents()
        self.layers = sorted({name.rsplit(".lora_", 1)[0] for name in self.matrices})
        self.rank = len(self.matrices[f"{self.layers[0]}.lora_a"])

    def kind(self):
        """What two adapters must have in common."""
        return self.model, self.alpha, self.rank, self.layers


def mean(first, second, share, layer):
    """The factors of the mean for a layer, in the rank of both."""
    down = np.concatenate([it.matrices[f"{layer}.lora_a"] for it in (first, second)])
    up = [(1 - share) * first.matrices[f"{layer}.lora_b"], share * second.matrices[f"{layer}.lora_b"]]
    # The singular values of up @ down, from factors of twice the rank.
    left, upper = np.linalg.qr(np.concatenate(up, axis=1))
    right, lower = np.linalg.qr(down.T)
    rows, values, columns = np.linalg.svd(upper @ lower.T)
    roots = np.sqrt(values[: first.rank])
    return (columns[: first.rank] * roots[:, None]) @ right.T, left @ rows[:, : first.rank] * roots


def main():
    args = arguments()
    first, second = Adapter(args.first), Adapter(args.second)
    if first.kind() != second.kind():
        raise SystemExit("the two are not adapters of the same model, rank and layers")
    factors = ((layer, mean(first, second, args.share, layer)) for layer in first.layers)
    matrices = ((f"{layer}.lora_{side}", factor) for layer, pair in factors for side, factor in zip("ab", pair))
    adapter_file.write(args.out, first.model, first.alpha, matrices)


main()
