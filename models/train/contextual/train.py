"""
Trains the contextual encoder with pairs: `python3 train.py --data FOLDER --out FOLDER [--minutes 75] [--seed 1] …`. The rate falls
to nothing over the minutes, and the weights that are kept are a running mean. What is kept is measured by judge.py.
"""

import argparse
import copy
import json
import os
import time
import zlib

import numpy as np
import torch

import data
from model import Encoder

p = argparse.ArgumentParser()
p.add_argument("--data", required=True)
p.add_argument("--out", required=True)
p.add_argument("--minutes", type=float, default=75)
p.add_argument("--seed", type=int, default=1)
p.add_argument("--batch", type=int, default=384)
p.add_argument("--pool", type=int, default=4, help="strangers are the nearest of so many times the batch")
p.add_argument("--hard", type=float, default=0.5, help="share of a batch that is gathered; the rest is drawn by chance")
p.add_argument("--raw", type=float, default=0.4, help="share of the steps with pairs made of running text")
p.add_argument("--heads", type=int, default=16, help="answers around which a batch is gathered")
p.add_argument("--words", type=int, default=64, help="words after which a text is cut")
p.add_argument("--hidden", type=int, default=256)
p.add_argument("--wider", type=int, default=256, help="numbers of a vector beside those of the static model")
p.add_argument("--blocks", type=int, default=2)
p.add_argument("--rate", type=float, default=1.5e-3)
p.add_argument("--row-rate", type=float, default=2e-3, help="of the static rows, which stay as they are at 0")
p.add_argument("--temperature", type=float, default=0.05)
p.add_argument("--dropped", type=float, default=0.3, help="share of the words on both sides that one side loses")
p.add_argument("--no-add", action="store_true", help="the layers say how much a word counts and add nothing")
p.add_argument("--mean-steps", type=float, default=50, help="steps over which the kept weights are a mean")
p.add_argument("--start", help="a file to go on from; the optimizer begins anew")
p.add_argument("--every", type=float, default=12.5, help="minutes between files")
p.add_argument("--core", type=int, help="train on this core, at idle priority")
args = p.parse_args()

torch.set_num_threads(1)
torch.manual_seed(args.seed)
rng = np.random.default_rng(args.seed if args.start is None else [args.seed, zlib.crc32(args.start.encode())])
os.makedirs(args.out, exist_ok=True)
log_file = open(f"{args.out}/log.txt", "a")


def log(line):
    print(line, flush=True)
    log_file.write(line + "\n")
    log_file.flush()


log(json.dumps(vars(args)))
vectors, own = data.words(args.data)
sources = data.sources(args.data, log)
raws = data.raw_sources(args.data, log) if args.raw > 0 else []
shape = json.load(open(f"{args.data}/table.json"))
model = Encoder(hidden=args.hidden, blocks=args.blocks, words=shape["words"] if args.row_rate > 0 else 0, adds=not args.no_add, wider=args.wider)
layers = [v for k, v in model.named_parameters() if k != "moved"]
began_at = 0
if args.start is not None:
    found = torch.load(args.start)
    model.load_state_dict(found["model"])
    began_at = found["step"]
kept = copy.deepcopy(model)
optimizer = torch.optim.AdamW(layers, lr=args.rate, betas=(0.9, 0.98), weight_decay=0.01)
squares = torch.full((shape["words"], 1), 1e-8) if args.row_rate > 0 else None
of_pairs, of_raw = (np.array([s.weight for s in found], float) for found in (sources, raws))
weights = np.concatenate([(1 - args.raw) * of_pairs / of_pairs.sum(), args.raw * of_raw / max(of_raw.sum(), 1)])
log(f"{sum(v.numel() for v in layers)} parameters in the layers, {len(vectors)} words")
if args.core is not None:
    os.sched_setaffinity(0, {args.core})
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def gather(answers):
    """Which of a pool are a batch: a part around a few answers, hard to tell from each other, and the rest by chance."""
    near = np.zeros(0, np.int64)
    if args.hard > 0 and len(answers) > args.batch:
        units = data.static_vectors(vectors, answers).bfloat16()
        heads = rng.choice(len(answers), args.heads, replace=False)
        near = (units[heads] @ units.T).float().topk(int(args.batch * args.hard) // args.heads, 1).indices.flatten().unique().numpy()
    rest = rng.permutation(np.setdiff1d(np.arange(len(answers)), near))[: args.batch - len(near)]
    return np.concatenate([near, rest])


def draw():
    """Questions and then answers of one source, which of their words are lost, and which pairs are no strangers."""
    source = (sources + raws)[rng.choice(len(weights), p=weights)]
    pool = rng.choice(source.train, min(args.batch * args.pool, len(source.train)), replace=False)
    pairs = [source.pair(i, args.words, rng) for i in pool]
    batch = gather([a for _, a in pairs])
    pool, pairs = pool[batch], [pairs[i] for i in batch]
    lost = [data.drop_shared(q, a, args.dropped, rng) for q, a in pairs]
    q, a = source.question_hash[pool], source.answer_hash[pool]
    same = (q[:, None] == q) | (a[:, None] == a) | (q[:, None] == a) | (a[:, None] == q)
    np.fill_diagonal(same, False)
    sides = [[pair[side] for pair in found] for found in (pairs, lost) for side in range(2)]
    return sides[0] + sides[1], sides[2] + sides[3], torch.from_numpy(same)


def loss_of(texts, lost, same):
    order, sums, tokens = [], [], 0
    for numbers, pool, mean, which in data.pack(texts, lost):
        sums.append(model(vectors, own, numbers, pool, mean))
        order += which
        tokens += len(numbers)
    units = torch.nn.functional.normalize(torch.cat(sums).float(), dim=1)[torch.tensor(order).argsort()]
    half = len(texts) // 2
    # Of this size the product costs little in fp32, and bf16 would round cosines to a 256th.
    cosines = (units[:half] @ units[half:].T / args.temperature).masked_fill(same, -1e4)
    target = torch.arange(half)
    ce = torch.nn.functional.cross_entropy
    return (ce(cosines, target) + ce(cosines.T, target)) / 2, tokens


def move_rows():
    """Adagrad with one step length a row."""
    slope = model.moved.grad.coalesce()
    touched, part = slope.indices()[0], slope.values()
    squares[touched] += (part * part).mean(1, keepdim=True)
    model.moved[touched] -= args.row_rate * fall() * part / squares[touched].sqrt()


def fall():
    """The rate's share that is left: a straight line to nothing at the end."""
    return max(0.0, 1 - (time.time() - began) / (args.minutes * 60))


def keep(step):
    share = max(1 / step, 1 / args.mean_steps)
    for to, of in zip(kept.parameters(), model.parameters()):
        to.lerp_(of, share)


def save(step, seconds):
    torch.save({"args": vars(args), "step": step, "seconds": seconds, "processor": time.process_time(), "model": kept.state_dict()}, f"{args.out}/{step}.pt")
    log(f"kept {step}.pt after {seconds / 60:.1f} min")


began, processor = time.time(), time.process_time()
step, tokens, lost_sum, last = began_at, 0, 0.0, began
while time.time() - began < args.minutes * 60:
    for part in optimizer.param_groups:
        part["lr"] = args.rate * fall() * min(1.0, (step - began_at + 1) / 100)
    loss, seen = loss_of(*draw())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(layers, 1.0)
    optimizer.step()
    step += 1
    with torch.no_grad():
        if model.moved is not None:
            move_rows()
        keep(step)
    model.zero_grad(set_to_none=True)
    tokens += seen
    lost_sum += loss.item()
    if step % 10 == 0:
        log(f"step {step}: loss {lost_sum / 10:.3f}, {tokens / (time.process_time() - processor):.0f} tokens/s of processor time, {(time.process_time() - processor):.0f} s of {time.time() - began:.0f}")
        lost_sum = 0.0
    if time.time() - last > args.every * 60:
        last = time.time()
        save(step, last - began)
save(step, time.time() - began)
