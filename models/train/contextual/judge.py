"""
What the vectors of checkpoints find: `python3 judge.py --data FOLDER --out FILE --halves A static main/0.pt main/120.pt …`. While choosing
only half A is asked for; `--halves AB` at the end writes both and says what each half chooses and what the other half says of it.
"""

import argparse
import json
import os
import time

import torch

import data
import measure
from model import Encoder

p = argparse.ArgumentParser()
p.add_argument("--data", required=True)
p.add_argument("--out", required=True)
p.add_argument("--halves", default="A")
p.add_argument("checkpoints", nargs="+")
args = p.parse_args()
torch.set_num_threads(1)
vectors, own = data.words(args.data)
sources = data.sources(args.data)
known = json.load(open(args.out)) if os.path.exists(args.out) else {}


def load(path):
    kept = torch.load(path)
    a = kept["args"]
    model = Encoder(hidden=a["hidden"], blocks=a["blocks"], words=int(own.max()) + 1 if a["row_rate"] > 0 else 0, adds=not a["no_add"], wider=a["wider"])
    model.load_state_dict(kept["model"])
    return model.eval()


def mean(found, names, column=0):
    return sum(found[n][column] for n in names) / len(names)


for path in args.checkpoints:
    model = None if path == "static" else load(path)
    found = known.setdefault(path, {})
    if "dev" not in found:
        found["dev"] = measure.held_back(model, vectors, own, sources)
    print(f"{path}: held-back pairs MRR {found['dev'][0]:.4f}, loss {found['dev'][1]:.4f}", flush=True)
    for name in [n for half in args.halves for n in measure.HALVES[half] if n not in found]:
        c = json.load(open(f"{args.data}/sets/{name}.json"))
        at = time.process_time()
        texts = measure.encode(model, vectors, own, [r["paragraphs"] for r in c["texts"]])
        took = time.process_time() - at
        queries = measure.encode(model, vectors, own, [r["paragraphs"] for r in c["queries"]])
        found[name] = [*measure.quality(c["queries"], c["texts"], queries, texts), len(c["texts"]) / took]
        json.dump(known, open(args.out, "w"))
        print(f"{path} {name} {found[name][0]:.2f} {found[name][1]:.2f}, {found[name][2]:.0f} texts/s of processor time", flush=True)
    for half in args.halves:
        names = [n for n in measure.HALVES[half] if n in measure.SEVEN]
        print(f"{path}: mean nDCG@10 of half {half} {mean(found, names):.2f}", flush=True)
if args.halves == "AB":
    halves = {h: [n for n in measure.HALVES[h] if n in measure.SEVEN] for h in "AB"}
    judged = {}
    for choose, judge in ("AB", "BA"):
        best = max(args.checkpoints, key=lambda path: mean(known[path], halves[choose]))
        print(f"half {choose} chooses {best}: {mean(known[best], halves[choose]):.2f}; the other half {mean(known[best], halves[judge]):.2f}")
        judged |= {n: known[best][n] for n in measure.HALVES[judge]}
    seven = [n for n in judged if n in measure.SEVEN]
    print(f"held out, mean of seven: nDCG@10 {mean(judged, seven):.2f} (static {mean(known['static'], seven):.2f})" if "static" in known else "")
    chats = ["msc-persona", "qmsum", "friendsqa"]
    print(f"held out, recall@10 of chats: {mean(judged, chats, 1):.2f}" + (f" (static {mean(known['static'], chats, 1):.2f})" if "static" in known else ""))
