"""
Trains the reranker: python3 models/train/rerank/train.py --train FOLDER --vectors FOLDER --out FOLDER [--seed N]. Keeps a checkpoint every
some steps, and prints what questions held back from training gain over the order of their candidates. No evaluation is read here.
"""

import argparse
import json
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from data import Rarities, batch_of, load, load_vectors
from measure import measured
from model import Reranker

SOURCES = {
    "squad-dev": 4, "qamr": 3, "msc": 3, "fairytale": 1.5, "medquad": 1, "qmsum": 2, "wiki-sentence": 3, "wiki-heading": 1.5,
    "crd3": 0.7, "dstc9-faq": 0.4, "digitalgov": 0.5, "powershell": 0.4,
}


def main():
    parser = argparse.ArgumentParser()
    for name in ("train", "vectors", "out"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--every", type=int, default=400)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--texts", type=int, default=12)
    parser.add_argument("--questions", type=int, default=24)
    parser.add_argument("--words", type=int, default=80)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--no-base", type=float, default=0.3)
    parser.add_argument("--plain", action="store_true", help="features alone, nothing about places")
    parser.add_argument("--sources", default="", help="other weights: NAME=NUMBER,…")
    parser.add_argument("--mask", type=float, default=0.1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    random = np.random.default_rng(args.seed)
    os.makedirs(args.out, exist_ok=True)

    number_of, vectors, weights = load_vectors(args.vectors)
    for change in filter(None, args.sources.split(",")):
        SOURCES[change.split("=")[0]] = float(change.split("=")[1])
    train = [c for c in load(args.train, number_of) if c.name in SOURCES]
    commons = common_words(train, len(vectors))
    np.save(f"{args.out}/commons.npy", commons)
    json.dump(vars(args), open(f"{args.out}/settings.json", "w"))
    model = Reranker(torch.from_numpy(vectors), torch.from_numpy(weights), torch.from_numpy(commons), args.size, args.dropout, args.plain)
    print(sum(p.numel() for p in model.parameters()), "numbers to learn", flush=True)
    askable = {}
    for c in train:
        positive = (c.grades > 0).any(1)
        ids = np.flatnonzero(positive & ((c.candidates >= 0).sum(1) >= 4))
        random.shuffle(ids)
        askable[c.name] = ids
        first = (c.grades[ids, 0] > 0).mean() if len(ids) else 0
        print(f"{c.name}: {len(ids)} of {len(c.ideals)} questions have an answer among fifty, {100 * first:.0f} % at the first place", flush=True)
    held = {c.name: ids[: len(ids) // 20] for c, ids in ((c, askable[c.name]) for c in train)}
    rarities, held_rarities = Rarities(args.words), Rarities(200)
    chances = np.array([SOURCES[c.name] for c in train])
    chances /= chances.sum()
    decay = [p for n, p in model.named_parameters() if p.dim() > 1]
    plain = [p for n, p in model.named_parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.02}, {"params": plain, "weight_decay": 0}], lr=args.rate, betas=(0.9, 0.98))
    began, losses, tokens = time.time(), [], 0
    for step in range(args.steps + 1):
        spent = time.time() - began
        done = max(step / args.steps, spent / 60 / args.minutes)
        last = done >= 1 or step == args.steps
        if step % args.every == 0 or last:
            model.eval()
            report(model, train, held, held_rarities, step, spent, losses, tokens)
            torch.save(model.state_dict(), f"{args.out}/step-{step}.pt")
            model.train()
            losses, tokens = [], 0
        if last:
            break
        for group in optimizer.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 100) * max(0.02, 1 - done)
        c = train[random.choice(len(train), p=chances)]
        questions = random.choice(askable[c.name][len(held[c.name]) :], args.questions, replace=False)
        batch = batch_of(c, questions, draw(c, questions, args.texts, random), 32, args.words, rarities)
        loss = loss_of(model, batch, args, random)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        tokens += batch["d"].size


def common_words(collections, count, roles=2000):
    """A number for each of the most frequent words, 0 for all others."""
    counts = np.zeros(count)
    for c in collections:
        np.add.at(counts, c.text_words, 1 / len(c.text_words))
        np.add.at(counts, c.question_words, 1 / len(c.question_words))
    commons = np.zeros(count, dtype=np.int64)
    commons[np.argsort(-counts)[:roles]] = np.arange(1, roles + 1)
    return commons


def draw(c, questions, texts, random):
    """One or two texts that answer, and others: the best ones more often."""
    places = np.full((len(questions), texts), -1)
    for i, q in enumerate(questions):
        answers = np.flatnonzero(c.grades[q] > 0)
        others = np.flatnonzero((c.grades[q] <= 0) & (c.candidates[q] >= 0))
        right = random.choice(answers, min(len(answers), 1 + int(random.random() < 0.3)), replace=False)
        odds = 1 / (others + 5)
        wrong = random.choice(others, min(len(others), texts - len(right)), replace=False, p=odds / odds.sum()) if len(others) else []
        row = np.concatenate([right, wrong]).astype(int)
        places[i, : len(row)] = row
    return places


def loss_of(model, batch, args, random):
    q, d = torch.from_numpy(batch["q"]), torch.from_numpy(batch["d"])
    # Some words of a question are hidden, so that no single one decides.
    if args.mask > 0:
        hidden = torch.from_numpy(random.random(q.shape) < args.mask) & (q > 0)
        hidden[:, 0] = False
        q = q.masked_fill(hidden, 0)
    score = model(q, d, torch.from_numpy(batch["rarity"]))
    with_base = torch.from_numpy((random.random((len(q), 1)) >= args.no_base).astype(np.float32))
    score = score + with_base * F.softplus(model.base) * torch.from_numpy(batch["base"])
    score = score.masked_fill(~torch.from_numpy(batch["real"]), -1e4)
    target = torch.from_numpy(batch["grade"])
    target = target / target.sum(1, keepdim=True).clamp(min=1e-6)
    return -(target * score.log_softmax(1)).sum(1).mean()


def report(model, train, held, rarities, step, spent, losses, tokens):
    line = {"step": step, "seconds": round(spent), "loss": round(float(np.mean(losses)), 4) if losses else None, "base": round(float(F.softplus(model.base)), 3)}
    line["words a second"] = round(tokens / max(1, spent - report.before)) if tokens else None
    line["held"] = {c.name: measured(model, c, held[c.name][:60], rarities) for c in train if c.name in ("squad-dev", "qamr", "msc", "qmsum", "wiki-sentence", "medquad")}
    print(json.dumps(line), flush=True)
    report.before = spent


report.before = 0

if __name__ == "__main__":
    main()
