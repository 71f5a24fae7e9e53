"""Writes LoRA adapters as llama.cpp reads them."""

import gguf
import numpy as np


def write(path, model, alpha, matrices):
    """`matrices` are pairs of a name and an array; they are stored in 16 bits."""
    writer = gguf.GGUFWriter(str(path), model)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, float(alpha))
    for name, matrix in matrices:
        writer.add_tensor(name, matrix.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
