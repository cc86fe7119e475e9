"""
Finds the candidates of training questions as fusion would, from words (BM25) and vectors that were trained on none of them:
python3 models/train/rerank/train_candidates.py --train FOLDER --vectors FOLDER, after questions.ts and vectors.ts.
"""

import argparse
import json
import os
import time

import numpy as np
import torch

from data import SHOWN, load_vectors

K1, B = 1.2, 0.75
COMMON = 0.3
AFFINITY = 0.25


def bags(words, starts, vectors, weights):
    """Unit vectors of texts: each word once, as heavy as the table says."""
    out = np.zeros((len(starts) - 1, vectors.shape[1]), np.float32)
    for i in range(len(out)):
        found = np.unique(words[starts[i] : starts[i + 1]])
        out[i] = weights[found] @ vectors[found]
    return out / np.maximum(1e-6, np.linalg.norm(out, axis=1, keepdims=True))


def candidates(folder, number_of, vectors, weights):
    read = lambda name, kind=np.int32: np.fromfile(f"{folder}/{name}", dtype=kind)
    words = np.array([number_of[word] for word in json.load(open(f"{folder}/words.json"))], dtype=np.int32)
    d, ds, q, qs = read("textWords"), read("textStarts"), read("questionWords"), read("questionStarts")
    dg, qg, answers, answer_starts = read("textGroups"), read("questionGroups"), read("answers"), read("answerStarts")
    n, lengths = len(ds) - 1, np.diff(ds)
    # One entry for each word of each text, sorted by word.
    texts = np.repeat(np.arange(n), lengths)
    keys, counts = np.unique(d.astype(np.int64) * n + texts, return_counts=True)
    of_word, of_text = keys // n, keys % n
    first = np.searchsorted(of_word, np.arange(len(words) + 1))
    df = np.diff(first)
    idf = np.log(1 + (n - df + 0.5) / (df + 0.5))
    worth = counts * (K1 + 1) / (counts + K1 * (1 - B + B * lengths[of_text] / lengths.mean()))
    d_vec, q_vec = bags(words[d], ds, vectors, weights), bags(words[q], qs, vectors, weights)
    groups = {g: np.flatnonzero(dg == g) for g in np.unique(dg)}
    of_group = {g: torch.from_numpy(d_vec[texts_of]).bfloat16() for g, texts_of in groups.items()}
    asked = torch.from_numpy(q_vec).bfloat16()
    block, nears = 128, {}
    found, scores, grades, ideals = [], [], [], []
    for i in range(len(qs) - 1):
        score, whole = np.zeros(n, np.float32), 1e-6
        for word in np.unique(q[qs[i] : qs[i + 1]]):
            if df[word] > COMMON * n:
                continue
            a, b = first[word], first[word + 1]
            score[of_text[a:b]] += idf[word] * worth[a:b]
            whole += idf[word] * (K1 + 1)
        within = groups[qg[i]]
        if len(groups) > 1:
            near = (of_group[qg[i]] @ asked[i]).float().numpy()
        else:
            if i % block == 0:
                nears = (asked[i : i + block] @ of_group[qg[i]].t()).float().numpy()
            near = nears[i % block]
        mixed = score[within] / whole * 1.5 + AFFINITY * np.clip((near - 0.1) / 0.5, -0.5, 1.5)
        top = np.argpartition(-mixed, min(SHOWN, len(mixed) - 1))[:SHOWN]
        top = top[np.argsort(-mixed[top])]
        right = set(answers[answer_starts[i] : answer_starts[i + 1]].tolist())
        row = within[top]
        pad = SHOWN - len(row)
        found.append(np.pad(row, (0, pad), constant_values=-1))
        scores.append(np.pad(1 / (1 + np.exp(-(6 * mixed[top] - 4))), (0, pad)))
        grades.append(np.pad(np.array([t in right for t in row], np.float32), (0, pad)))
        ideals.append((1 / np.log2(np.arange(2, 2 + min(10, len(right))))).sum())
    np.array(found, np.int32).tofile(f"{folder}/candidates")
    for name, rows in (("scores", scores), ("grades", grades), ("ideals", ideals)):
        np.array(rows, np.float32).tofile(f"{folder}/{name}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("train", "vectors"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()
    number_of, vectors, weights = load_vectors(args.vectors)
    torch.set_num_threads(1)
    for name in sorted(os.listdir(args.train)):
        if os.path.exists(f"{args.train}/{name}/ideals"):
            continue
        began = time.time()
        candidates(f"{args.train}/{name}", number_of, vectors, weights)
        print(f"{name}: {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
