#!/bin/sh
# From data to figures: models/train/contextual/run.sh DATA EVALUATION WORK [SEED] [MINUTES]. Needs python3 with torch and numpy; nothing of it ships.
# EVALUATION/ir holds the collections to measure with; nothing that shares a text with EVALUATION is trained on.
set -eu
data=$1 eval=$2 work=$3 seed=${4:-1} minutes=${5:-75}
here=$(dirname "$0")
mkdir -p "$work"
node "$here/../../../scripts/bun.mjs" models/train/contextual/write-numbers.ts --data "$data" --eval "$eval" --measure "$eval/ir" --out "$work/data"
python3 "$here/train.py" --data "$work/data" --out "$work/main" --seed "$seed" --minutes "$minutes"
python3 "$here/judge.py" --data "$work/data" --out "$work/judged.json" --halves AB static "$work"/main/*.pt
