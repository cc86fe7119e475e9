#!/bin/sh
# From data to figures: models/train/rerank/run.sh DATA EVALUATION WORK [SEED], whole paths. Needs python3 with torch and numpy; nothing of it ships.
set -eu
data=$1 eval=$2 work=$3 seed=${4:-1}
here=$(dirname "$0")
bun="node $here/../../../scripts/bun.mjs"
export OMP_NUM_THREADS=1

# Vectors that have seen none of the questions: the same training as static-en without their pairs.
mkdir -p "$work/data/pairs"
cp -r "$data/raw" "$data/manifest.json" "$work/data/"
for file in "$data"/pairs/*; do
	case $(basename "$file" .tsv.xz) in
	squad-dev | selqa-dev | qamr | medquad | fairytale | opentrivia | dstc9-faq | msc | msc-dialog | qmsum | clinc | topical-chat | crd3 | sgd | factbook) ;;
	*) cp "$file" "$work/data/pairs/" ;;
	esac
done
$bun models/train/train.ts --data "$work/data" --out "$work/table" --seed "$seed" --eval "$eval" --set steps=700

# Questions with candidates; the evaluation's own come from fusion itself.
$bun models/train/rerank/questions.ts --data "$data" --eval "$eval" --out "$work/train"
$bun models/train/rerank/eval-candidates.ts $(for set in "$eval"/*/; do echo "--eval $set"; done) --out "$work/eval"
$bun models/train/rerank/vectors.ts --table "$work/table/model.bin" --out "$work/vectors" "$work/train" "$work/eval"
python3 "$here/train_candidates.py" --train "$work/train" --vectors "$work/vectors"

train() {
	python3 "$here/train.py" --train "$work/train" --vectors "$work/vectors" --seed "$seed" --out "$work/$1" --minutes 60 --every 500 $2
	python3 "$here/measure.py" --eval "$work/eval" --vectors "$work/vectors" --model "$work/$1" --steps "$3" --questions 100
}
train free "--steps 2000 --no-base 0.3 --dropout 0.1" 500,1000,1500,2000
train residual "--steps 2500 --no-base 0 --dropout 0.25 --sources qamr=1,medquad=0.5" 500,1000,1500,2000,2500
train features "--steps 2000 --no-base 0 --plain --sources qamr=1,medquad=0.5" 500,1000,1500,2000
python3 "$here/choose.py" "$work/free" "$work/residual" "$work/features"
