"""
Chooses checkpoint and share on one half of the collections and judges on the other, then the other way round:
python3 models/train/rerank/choose.py FOLDER… with the measured-*.json that measure.py wrote into each. The halves are every other name.
"""

import json
import os
import sys

ALL = ("banking77", "cisi", "cranfield", "friendsqa", "msc-persona", "qmsum", "realmem", "scifact", "selqa", "squad-sent")
HALVES = (ALL[0::2], ALL[1::2])


def settings_of(folders):
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            if not (name.startswith("measured-") and name.endswith(".json")):
                continue
            measured = json.load(open(f"{folder}/{name}"))
            for i, share in enumerate(measured["shares"]):
                yield f"{os.path.basename(folder.rstrip('/'))}/{name[9:-5]} × {share}", {c: row[i] - row[0] for c, row in measured["ndcg"].items()}


def main():
    settings = dict(settings_of(sys.argv[1:]))
    mean = lambda gains, names: sum(gains[c] for c in names) / len(names)
    held_out = {}
    for chosen_on, judged_on in (HALVES, HALVES[::-1]):
        best = max(settings, key=lambda s: mean(settings[s], chosen_on))
        print(f"chosen on {', '.join(chosen_on)}: {best}, {mean(settings[best], chosen_on):+.2f} there, {mean(settings[best], judged_on):+.2f} on the others")
        held_out.update({c: settings[best][c] for c in judged_on})
    for c in ALL:
        print(f"{c:12} {held_out[c]:+.1f}")
    print(f"{'held out':12} {mean(held_out, ALL):+.2f}")


if __name__ == "__main__":
    main()
