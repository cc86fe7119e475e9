"""Measures an encoder: held-back pairs, and the half of the collections that is asked for. What is judged is not looked at while choosing."""

import json

import numpy as np
import torch

import data

HALVES = {
    "A": ["banking77", "msc-persona", "scifact", "squad-sent", "friendsqa"],
    "B": ["cranfield", "qmsum", "selqa", "cisi", "realmem"],
}
SEVEN = {"banking77", "cranfield", "msc-persona", "qmsum", "scifact", "selqa", "squad-sent"}
WORDS_MAX = 4000
DEV_PAIRS = 128
CANDIDATES = 100


def encode(model, vectors, own, paragraphs_of):
    """Unit vectors of texts, each the sum of its paragraphs by the logarithm of their length."""
    flat, owner, share = [], [], []
    for i, paragraphs in enumerate(paragraphs_of):
        for p in paragraphs:
            flat.append(np.asarray(p[:WORDS_MAX], np.uint32))
            owner.append(i)
            share.append(1 + np.log(len(p)))
    out = torch.zeros(len(flat), vectors.shape[1] if model is None else model.length)
    with torch.no_grad():
        if model is None:
            out = data.static_vectors(vectors, flat)
        else:
            for numbers, pool, mean, which in data.pack(flat):
                out[torch.tensor(which)] = torch.nn.functional.normalize(model(vectors, own, numbers, pool, mean).float(), dim=1)
    summed = torch.zeros(len(paragraphs_of), out.shape[1])
    summed.index_add_(0, torch.tensor(owner), out * torch.tensor(share, dtype=torch.float32).unsqueeze(1))
    return torch.nn.functional.normalize(summed, dim=1)


def quality(queries, texts, found_queries, found_texts):
    """nDCG@10 and recall@10 in per cent."""
    groups = {}
    for i, q in enumerate(queries):
        groups.setdefault(q["group"], []).append(i)
    inside = {}
    for j, t in enumerate(texts):
        inside.setdefault(t["group"], []).append(j)
    gain = recall = 0.0
    for group, members in groups.items():
        places = torch.tensor(inside[group])
        best = nearest(found_queries[members], found_texts[places])
        for line, i in enumerate(members):
            grades = {j: g for j, g in queries[i]["grades"]}
            got = [grades.get(int(places[k]), 0) for k in best[line]]
            ideal = sorted(queries[i]["wanted"], reverse=True)[:10]
            gain += sum(g / np.log2(n + 2) for n, g in enumerate(got)) / sum(g / np.log2(n + 2) for n, g in enumerate(ideal))
            recall += sum(g > 0 for g in got) / len(queries[i]["wanted"])
    return 100 * gain / len(queries), 100 * recall / len(queries)


def nearest(queries, texts):
    """The ten nearest texts. A bf16 product, fast where there are matrix units, finds a hundred, whose order fp32 decides."""
    rough = queries.bfloat16() @ texts.bfloat16().T
    near = rough.topk(min(CANDIDATES, len(texts)), 1).indices
    exact = torch.stack([texts[n] @ q for n, q in zip(near, queries)])
    return near.gather(1, exact.topk(min(10, near.shape[1]), 1).indices)


def held_back(model, vectors, own, sources):
    """Of pairs that were held back, the mean over sources of the mean reciprocal rank, and of the loss."""
    ranks, losses = [], []
    for s in sources:
        held = s.held[:DEV_PAIRS]
        if len(held) < 40:
            continue
        asked, answers = [encode(model, vectors, own, [[s.text(2 * i + side)[:100]] for i in held]) for side in range(2)]
        h = torch.from_numpy(s.answer_hash[held])
        cosines = (asked @ answers.T).masked_fill((h[:, None] == h) & ~torch.eye(len(h), dtype=torch.bool), -2)
        ranks.append((1 / ((cosines > cosines.diagonal().unsqueeze(1)).sum(1) + 1).float()).mean().item())
        losses.append(torch.nn.functional.cross_entropy(cosines / 0.05, torch.arange(len(h))).item())
    return float(np.mean(ranks)), float(np.mean(losses))
