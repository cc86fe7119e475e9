"""
What a checkpoint gains over fusion on collections: python3 models/train/rerank/measure.py --eval FOLDER --vectors FOLDER --model FOLDER
--steps N,N [--questions N] writes the scores of all fifty for each question, so that choosing shares costs nothing afterwards.
"""

import argparse
import json

import numpy as np
import torch

from data import SHOWN, Rarities, batch_of, evidence, load, load_vectors
from model import Reranker

SHARES = (0, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5)
TEXT_WORDS = 200


def scores_of(model, c, questions, rarities, at_once=8):
    """The new scores of the fifty of each question; −100 where there is none."""
    scores = np.full((len(questions), SHOWN), -100, dtype=np.float32)
    with torch.no_grad():
        for start in range(0, len(questions), at_once):
            part = questions[start : start + at_once]
            places = np.where(c.candidates[part] >= 0, np.arange(SHOWN), -1)
            batch = batch_of(c, part, places, 64, TEXT_WORDS, rarities)
            found = model(torch.from_numpy(batch["q"]), torch.from_numpy(batch["d"]), torch.from_numpy(batch["rarity"])).numpy()
            scores[start : start + len(part)] = np.where(batch["real"], found, -100)
    return scores


def qualities(c, questions, scores, shares=SHARES):
    """nDCG@10 in per cent for each share: fusion's log-odds plus the share of the new score."""
    base = np.where(c.candidates[questions] >= 0, evidence(c.scores[questions]), -100)
    return [100 * float(np.mean([c.ndcg(np.argsort(-(base[i] + share * scores[i]), kind="stable"), q) for i, q in enumerate(questions)])) for share in shares]


def measured(model, c, questions, rarities):
    return [round(x, 1) for x in qualities(c, questions, scores_of(model, c, questions, rarities), (0, 0.2, 0.5, 1))]


def sample(c, most):
    """The same questions each time."""
    every = np.random.default_rng(7).permutation(len(c.ideals))
    return every[:most] if most > 0 else every


def main():
    parser = argparse.ArgumentParser()
    for name in ("eval", "vectors", "model"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--steps", required=True)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    torch.set_num_threads(1)
    number_of, vectors, weights = load_vectors(args.vectors)
    settings = json.load(open(f"{args.model}/settings.json"))
    model = Reranker(torch.from_numpy(vectors), torch.from_numpy(weights), torch.from_numpy(np.load(f"{args.model}/commons.npy")), settings["size"], plain=settings.get("plain", False))
    model.eval()
    rarities = Rarities(TEXT_WORDS)
    for step in args.steps.split(","):
        model.load_state_dict(torch.load(f"{args.model}/step-{step}.pt"), strict=False)
        found = {}
        for c in load(args.eval, number_of):
            if args.only and c.name not in args.only.split(","):
                continue
            questions = sample(c, args.questions)
            scores = scores_of(model, c, questions, rarities)
            found[c.name] = [round(x, 3) for x in qualities(c, questions, scores)]
            np.save(f"{args.model}/scores-{step}-{c.name}.npy", scores)
        json.dump({"shares": SHARES, "questions": args.questions, "ndcg": found}, open(f"{args.model}/measured-{step}.json", "w"))
        print(f"step {step}: measured", flush=True)


if __name__ == "__main__":
    main()
