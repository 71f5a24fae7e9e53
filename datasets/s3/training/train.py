"""Trains a LoRA adapter on dialogues of `dialog2api dataset export --format trained`.

    dialog2api dataset generate lessons --count 3000
    dialog2api dataset export lessons --format trained -o lessons.jsonl
    dialog2api dataset export datasets/s3 --format trained -o s3.jsonl
    python train.py lessons.jsonl s3.jsonl s3.jsonl --base MODEL.gguf --out adapter
    dialog2api chat --model local:qwen2.5-coder-0.5b --adapter adapter/adapter.gguf

Runs on a CPU or a GPU. The folder given by --out gets the adapter as a GGUF file for
llama.cpp, `loss.csv`, and a checkpoint from which the same command goes on where it was
stopped. The same seed visits the lessons in the same order.
"""

import argparse
import csv
import json
import math
import os
import sys
import time
from pathlib import Path

import adapter_file
import gguf
import torch
from peft import LoraConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
from peft.helpers import disable_input_dtype_casting
from transformers import AutoModelForCausalLM, AutoTokenizer

LAYERS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
COLUMNS = ["step", "lessons", "tokens", "loss", "rate", "seconds", "held_out"]
# A step asks for the same large buffers as the step before. glibc gives them back to the
# system in between by default, which costs a third of the time on a CPU. With large
# pages, filling new memory takes less than half of the time.
MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": str(2**32),
    "MALLOC_TRIM_THRESHOLD_": str(2**33),
    "MALLOC_TOP_PAD_": str(2**30),
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
}
NOT_LEARNED = -100


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lessons", type=Path, nargs="+", help="files of dialogues, one a line; a file that is named twice counts twice")
    parser.add_argument("--held-out", type=Path, nargs="+", default=[], help="dialogues that are not learned; their loss is measured with each checkpoint")
    parser.add_argument("--base", required=True, type=Path, help="a GGUF file, or a folder of Hugging Face")
    parser.add_argument("--start", type=Path, help="an adapter (GGUF) of the same rank to go on from")
    parser.add_argument("--out", required=True, type=Path, help="the folder for the adapter")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--steps", type=int, help="stop after so many steps, to go on later")
    parser.add_argument("--batch", type=int, default=4, help="lessons a step")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--rate", type=float, default=3e-4, help="the highest learning rate")
    parser.add_argument("--longest", type=int, default=1536, help="tokens; longer lessons are left out")
    parser.add_argument("--pack", type=int, default=0, help="join lessons of a file with the same system message up to so many tokens, so that it is read once")
    parser.add_argument("--save-every", type=int, default=25, help="steps between checkpoints")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--int8", action="store_true", help="multiply with the base model in 8 bits, for CPUs with VNNI")
    return parser.parse_args()


def keep_memory():
    """Starts the script again with settings of glibc, which reads them at the start alone."""
    if sys.platform == "linux" and "MALLOC_TOP_PAD_" not in os.environ:
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | MEMORY)


def source(base):
    """What `from_pretrained` wants for the base model."""
    if base.suffix == ".gguf":
        return str(base.parent), {"gguf_file": base.name}
    return str(base), {}


def encoded(tokenizer, messages):
    """A chat as tokens, and what is to be learned of it: the assistant's messages alone."""
    tokens, labels = [], []
    for message in messages:
        head = tokenizer.encode(f"<|im_start|>{message['role']}\n", add_special_tokens=False)
        body = tokenizer.encode(message["content"] + "<|im_end|>", add_special_tokens=False)
        tail = tokenizer.encode("\n", add_special_tokens=False)
        learned = body if message["role"] == "assistant" else [NOT_LEARNED] * len(body)
        tokens += head + body + tail
        labels += [NOT_LEARNED] * len(head) + learned + [NOT_LEARNED] * len(tail)
    return tokens, labels


def read(paths, tokenizer, longest, pack):
    """The lessons that are short enough, in packs of at most `pack` tokens."""
    packs, count, left_out = [], 0, 0
    for path in paths:
        before = None
        for line in filter(None, path.read_text(encoding="utf-8").split("\n")):
            messages = json.loads(line)["messages"]
            lesson = encoded(tokenizer, messages)
            if len(lesson[0]) > longest:
                left_out += 1
                continue
            count += 1
            rest = encoded(tokenizer, messages[1:]) if messages[0] == before else None
            if rest and len(packs[-1][0]) + len(rest[0]) <= pack:
                packs[-1] = tuple(one + more for one, more in zip(packs[-1], rest))
            else:
                packs.append(lesson)
            before = messages[0]
    print(f"{count} lessons in {len(packs)} packs, {left_out} left out because they are too long")
    return packs


def batch_of(lessons, step, args):
    """The lessons of a step: each epoch has an order of its own, which the seed determines."""
    batch = []
    for number in range(step * args.batch, (step + 1) * args.batch):
        epoch, place = divmod(number, len(lessons))
        if epoch >= args.epochs:
            break
        chance = torch.Generator().manual_seed(args.seed * 1_000_003 + epoch)
        order = torch.randperm(len(lessons), generator=chance)
        batch.append(lessons[order[place]])
    return batch


def rate_at(step, steps, highest):
    """Rises for a twentieth of the steps, then falls along a cosine to a tenth."""
    rise = max(1, steps // 20)
    if step < rise:
        return highest * (step + 1) / rise
    share = (step - rise) / max(1, steps - rise)
    return highest * (0.55 + 0.45 * math.cos(math.pi * share))


class Head:
    """The output layer, which does not change."""

    def __init__(self, weight):
        self.weight, self.dtype = weight, weight.dtype

    def ahead(self, rows):
        return rows @ self.weight.T

    def back(self, gradient):
        return gradient.to(self.dtype) @ self.weight


class Loss(torch.autograd.Function):
    """The summed cross-entropy of the head, and its gradient, a few rows at a time.

    The head has a quarter of the model's weights and 150,000 outputs: all rows at once take
    gigabytes, and lessons of all lengths leave holes of all sizes in the memory.
    """

    ROWS = 2048 if torch.cuda.is_available() else 64

    @staticmethod
    def forward(context, states, head, wanted):
        total, gradient = 0.0, torch.empty_like(states)
        for start in range(0, len(wanted), Loss.ROWS):
            rows, right = states[start : start + Loss.ROWS], wanted[start : start + Loss.ROWS, None]
            logs = torch.log_softmax(head.ahead(rows).float(), dim=-1)
            total -= logs.gather(1, right).sum()
            chances = logs.exp_().scatter_add_(1, right, torch.full_like(right, -1, dtype=logs.dtype))
            gradient[start : start + Loss.ROWS] = head.back(chances)
        context.save_for_backward(gradient)
        return total

    @staticmethod
    def backward(context, scale):
        (gradient,) = context.saved_tensors
        return gradient * scale, None, None


def loss_of(model, head, lessons, device, bf16):
    """The summed loss of what is to be learned of some lessons, which are read side by side."""
    longest = max(len(tokens) for tokens, _ in lessons)

    # Nothing is masked: a token never sees the padding, which comes after it.
    def padded(rows, value):
        return torch.tensor([row + [value] * (longest - len(row)) for row in rows], device=device)

    wanted = padded([labels for _, labels in lessons], NOT_LEARNED)[:, 1:]
    places = wanted != NOT_LEARNED
    with torch.autocast(device, dtype=torch.bfloat16, enabled=bf16):
        body = model.get_base_model().model
        states = body(input_ids=padded([tokens for tokens, _ in lessons], 0)).last_hidden_state[:, :-1]
    return Loss.apply(states[places].to(head.dtype), head, wanted[places])


def read_together(lessons, device):
    """A GPU reads the lessons of a step at once. A CPU would only compute their padding."""
    return [lessons] if device == "cuda" else [[lesson] for lesson in lessons]


def learned(lessons):
    """How many tokens of these lessons are to be learned."""
    return sum(label != NOT_LEARNED for _, labels in lessons for label in labels[1:])


def learn(model, head, optimizer, batch, device, bf16):
    """One step. The loss is a mean over all learned tokens of the batch, whatever their lesson."""
    total, count = 0.0, learned(batch)
    for lessons in read_together(batch, device):
        loss = loss_of(model, head, lessons, device, bf16)
        (loss / count).backward()
        total += loss.item()
    torch.nn.utils.clip_grad_norm_([it for it in model.parameters() if it.requires_grad], 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return total / count


def measured(model, head, lessons, device, bf16):
    """The mean loss of lessons that are not learned."""
    with torch.no_grad():
        total = sum(loss_of(model, head, [lesson], device, bf16).item() for lesson in lessons)
    return total / learned(lessons)


class EightBits(torch.nn.Linear):
    """A layer of the base model in 8 bits."""

    @classmethod
    def of(cls, layer):
        eight = cls(layer.in_features, layer.out_features, bias=layer.bias is not None, device="meta")
        eight.matrix = EightBitMatrix(layer.weight)
        # PEFT asks the weights for their type and device, never for what is in them.
        eight.weight, eight.bias = torch.nn.Parameter(layer.weight.new_empty(0)), layer.bias
        return eight

    def forward(self, rows):
        result = EightBitProduct.apply(rows, self.matrix)
        return result if self.bias is None else result + self.bias


class EightBitMatrix:
    """Frozen weights in 8 bits, as in SwitchBack (Wortsman et al., 2023).

    Each row of an input or of a gradient has a scale of its own, and so has each row of the
    weights, which are kept twice: once for the way forward, once transposed for the way back.
    As the output layer, they give a gradient with a cosine of 0.99 to that in 16 bits.
    """

    dtype = torch.bfloat16

    def __init__(self, weight):
        self.rows, self.columns = packed(weight), packed(weight.T)

    def ahead(self, rows):
        return product(rows, *self.rows)

    def back(self, gradient):
        return product(gradient, *self.columns)


class EightBitProduct(torch.autograd.Function):
    @staticmethod
    def forward(context, rows, matrix):
        context.matrix = matrix
        return matrix.ahead(rows)

    @staticmethod
    def backward(context, gradient):
        return context.matrix.back(gradient), None


def packed(weight):
    """The rows of a matrix in 8 bits, in oneDNN's order, and their scales."""
    scales = weight.detach().float().abs().amax(dim=1).clamp_min(1e-12) / 127
    whole = (weight.detach().float() / scales[:, None]).round().to(torch.int8).contiguous()
    zeros = torch.zeros(len(whole), dtype=torch.int64)
    return torch.ops.onednn.qlinear_prepack(whole, None), scales, zeros


def product(rows, weight, scales, zeros):
    """The rows multiplied with a packed matrix."""
    flat = rows.reshape(-1, rows.shape[-1]).to(torch.bfloat16)
    largest = flat.abs().amax(dim=1, keepdim=True).clamp_min(1e-30) / 127
    # A sum in bfloat16 would round 129 to 128. A scale that was rounded down makes 128 of 127.
    whole = (flat / largest).round_().clamp_(-127, 127).to(torch.int8).view(torch.uint8).bitwise_xor_(128)
    exact = torch.ops.onednn.qlinear_pointwise(
        whole, 1.0, 128, weight, scales, zeros, None, 1.0, 0, torch.bfloat16, "none", [], ""
    )
    return exact.mul_(largest).reshape(*rows.shape[:-1], -1)


def in_eight_bits(base, device):
    """Replaces the layers that an adapter changes by ones that multiply in 8 bits."""
    # Without these instructions 8 bits are slower, and sums may overflow.
    if device != "cpu" or not (torch.cpu._is_avx512_bf16_supported() and torch.cpu._is_vnni_supported()):
        raise SystemExit("--int8 needs a CPU with AVX-512 BF16 and VNNI: leave it out")
    for module in list(base.modules()):
        for name, layer in list(module.named_children()):
            if name in LAYERS:
                setattr(module, name, EightBits.of(layer))


def has_bf16(device):
    """Whether the device computes with bfloat16, which is twice as fast where it does."""
    return device == "cuda" or torch.cpu._is_avx512_bf16_supported()


def save(path, model, optimizer, step, settings):
    """Writes a checkpoint. A run that is killed meanwhile keeps the one before."""
    beside = path.with_suffix(".new")
    state = {"adapter": get_peft_model_state_dict(model), "optimizer": optimizer.state_dict(), "step": step, "settings": settings}
    torch.save(state, beside)
    os.replace(beside, path)


def resume(path, model, optimizer, settings):
    """The step to go on with."""
    if not path.exists():
        return 0
    state = torch.load(path, map_location="cpu", weights_only=True)
    if state["settings"] != settings:
        raise SystemExit(f"{path} was trained with other settings: {state['settings']}; name another folder")
    set_peft_model_state_dict(model, state["adapter"])
    optimizer.load_state_dict(state["optimizer"])
    return state["step"]


def rows_until(path, step):
    """The rows of the loss curve that belong to the checkpoint."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if int(row["step"]) <= step]


def names_for_llama(model):
    """The name that llama.cpp has for each tensor of the adapter, in the order of our names."""
    known = {name: number for number, name in gguf.MODEL_ARCH_NAMES.items()}
    names = gguf.get_tensor_name_map(known[model.config.model_type], model.config.num_hidden_layers)
    for name in sorted(get_peft_model_state_dict(model)):
        layer, side = name.removeprefix("base_model.model.").removesuffix(".weight").rsplit(".lora_", 1)
        target = names.get_name(layer)
        if target is None:
            raise SystemExit(f"llama.cpp has no name for {layer}")
        yield name, f"{target}.weight.lora_{side.lower()}"


def start_from(path, model):
    """Gives the adapter the weights of an earlier one."""
    tensors = {tensor.name: tensor.data for tensor in gguf.GGUFReader(str(path)).tensors}
    weights = {name: torch.tensor(tensors[target]).float() for name, target in names_for_llama(model)}
    set_peft_model_state_dict(model, weights)


def export(path, model, rank, alpha):
    """Writes the adapter as llama.cpp reads it."""
    weights = get_peft_model_state_dict(model)
    matrices = ((target, weights[name].detach().cpu().numpy()) for name, target in names_for_llama(model))
    adapter_file.write(path, model.config.model_type, alpha, matrices)
    print(f"{path}: rank {rank}, {path.stat().st_size / 1e6:.1f} MB")


def main():
    args = arguments()
    keep_memory()
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    where, options = source(args.base)
    tokenizer = AutoTokenizer.from_pretrained(where, **options)
    bf16 = has_bf16(device)
    # Lessons are short: attention by plain products is faster than PyTorch's on a CPU. Of packs, its
    # products would fill the memory.
    attention = "sdpa" if device == "cuda" or args.pack else "eager"
    base = AutoModelForCausalLM.from_pretrained(where, dtype=torch.float32, attn_implementation=attention, **options)
    base.to(device, dtype=torch.bfloat16 if bf16 else torch.float32)
    if args.int8:
        in_eight_bits(base, device)
    head = (EightBitMatrix if args.int8 else Head)(base.lm_head.weight)
    alpha = 2 * args.rank
    # Without dropout a step depends on its lessons alone, so a resumed run learns the same.
    model = get_peft_model(base, LoraConfig(r=args.rank, lora_alpha=alpha, lora_dropout=0.0, target_modules=LAYERS))
    model.print_trainable_parameters()
    if args.start:
        start_from(args.start, model)
    optimizer = torch.optim.AdamW([it for it in model.parameters() if it.requires_grad], lr=args.rate)
    lessons = read(args.lessons, tokenizer, args.longest, args.pack)
    held_out = read(args.held_out, tokenizer, args.longest, args.pack) if args.held_out else []
    if not lessons:
        raise SystemExit(f"there is no lesson of at most {args.longest} tokens")

    args.out.mkdir(parents=True, exist_ok=True)
    checkpoint, curve = args.out / "checkpoint.pt", args.out / "loss.csv"
    settings = {name: getattr(args, name) for name in ["epochs", "batch", "rank", "rate", "longest", "seed"]} | {"lessons": len(lessons), "start": str(args.start)}
    if args.int8:
        settings["int8"] = True
    if args.pack:
        settings["pack"] = args.pack
    steps = math.ceil(len(lessons) * args.epochs / args.batch)
    first = resume(checkpoint, model, optimizer, settings)
    last = min(steps, args.steps or steps)
    rows = rows_until(curve, first)
    seconds = float(rows[-1]["seconds"]) if rows else 0.0
    tokens = int(rows[-1]["tokens"]) if rows else 0
    # The adapter's products are in bfloat16 anyway where the device has it.
    with disable_input_dtype_casting(model, active=bf16), open(curve, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(rows)
        for step in range(first, last):
            start = time.monotonic()
            rate = rate_at(step, steps, args.rate)
            for group in optimizer.param_groups:
                group["lr"] = rate
            batch = batch_of(lessons, step, args)
            loss = learn(model, head, optimizer, batch, device, bf16)
            seconds += time.monotonic() - start
            tokens += sum(len(lesson) for lesson, _ in batch)
            seen = min((step + 1) * args.batch, len(lessons) * args.epochs)
            print(f"step {step + 1} of {steps}: loss {loss:.4f}, {tokens / seconds:.0f} tokens a second", flush=True)
            is_kept, apart = (step + 1) % args.save_every == 0 or step + 1 == last, ""
            if is_kept and held_out:
                apart = f"{measured(model, head, held_out, device, bf16):.4f}"
                print(f"loss of what is not learned: {apart}", flush=True)
            table.writerow(dict(zip(COLUMNS, [step + 1, seen, tokens, f"{loss:.4f}", f"{rate:.2e}", f"{seconds:.1f}", apart])))
            file.flush()
            if is_kept:
                save(checkpoint, model, optimizer, step + 1, settings)
    export(args.out / "adapter.gguf", model, args.rank, alpha)


if __name__ == "__main__":
    main()
