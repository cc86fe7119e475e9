"""Reads what write-numbers.ts wrote, draws training pairs, and packs texts into chunks without padding."""

import json
import os
import zlib

import numpy as np
import torch

HELD_BACK = 40
PAIRS_MAX = 150_000
RAW_WORDS_MIN = 24
WEIGHTS = {
    "wiki-a": 4, "wiki-b": 4, "wordnet": 0.5, "wordset": 0.5, "ppdb": 0.1, "squad-dev": 1.5, "qamr": 1.5, "medquad": 1,
    "fairytale": 0.6, "opentrivia": 0.4, "dstc9-faq": 0.5, "msc": 2.5, "msc-dialog": 0.4, "qmsum": 1, "clinc": 0.7,
    "topical-chat": 0.4, "crd3": 0.3, "sgd": 0.2, "tldr": 0.3, "factbook": 0.2, "docs-powershell": 0.4, "docs-digitalgov": 0.4,
    "docs-electron": 0.2, "docs-18f": 0.2,
}
OTHER = 0.08


def words(folder):
    """The static vector of each word of the lexicon; words with a row of their own come with its number, all others with -1."""
    shape = json.load(open(f"{folder}/table.json"))
    table = np.fromfile(f"{folder}/table.f32", np.float32).reshape(-1, shape["dimensions"])
    starts = np.fromfile(f"{folder}/words.starts", np.uint32).astype(np.int64)
    rows = np.fromfile(f"{folder}/words.rows", np.uint32).astype(np.int64)
    weights = np.fromfile(f"{folder}/words.weights", np.float32)
    vectors = torch.nn.functional.embedding_bag(
        torch.from_numpy(rows), torch.from_numpy(table), torch.from_numpy(starts[:-1]), mode="sum", per_sample_weights=torch.from_numpy(weights)
    )
    own = np.where(np.diff(starts) == 1, rows[np.minimum(starts[:-1], len(rows) - 1)], -1)
    own[own >= shape["words"]] = -1
    return vectors, torch.from_numpy(own)


class Source:
    """Pairs of one source: text 2i is answered by text 2i + 1."""

    def __init__(self, folder, name):
        self.name = name
        self.numbers = np.fromfile(f"{folder}/checkpoints/corpus/{name}.pairs.numbers", np.uint32)
        self.starts = np.fromfile(f"{folder}/checkpoints/corpus/{name}.pairs.starts", np.uint32).astype(np.int64)
        lengths = np.diff(self.starts)
        count = min(len(lengths) // 2, PAIRS_MAX)
        # The text decides which side of the split it is on, so that one answer is never on both.
        self.answer_hash = np.array([self.hash(2 * i + 1) for i in range(count)], np.int64)
        self.question_hash = np.array([self.hash(2 * i) for i in range(count)], np.int64)
        usable = (lengths[0 : 2 * count : 2] > 0) & (lengths[1 : 2 * count : 2] > 0)
        held = self.answer_hash % HELD_BACK == 0
        self.train = np.nonzero(usable & ~held)[0]
        self.held = np.nonzero(usable & held)[0][:400]

    def text(self, at):
        return self.numbers[self.starts[at] : self.starts[at + 1]]

    def pair(self, i, longest, rng):
        return self.text(2 * i)[:longest], self.text(2 * i + 1)[:longest]

    def hash(self, at):
        return zlib.crc32(self.text(at).tobytes())


class Raw:
    """Running text, of which a pair is a few words in a row and the passage around them or beside them."""

    def __init__(self, folder, name):
        self.name = name
        self.numbers = np.fromfile(f"{folder}/checkpoints/corpus/{name}.raw.numbers", np.uint32)
        self.starts = np.fromfile(f"{folder}/checkpoints/corpus/{name}.raw.starts", np.uint32).astype(np.int64)
        self.train = np.nonzero(np.diff(self.starts) >= RAW_WORDS_MIN)[0]
        self.question_hash = self.answer_hash = np.arange(len(self.starts) - 1)
        # A large source has less to tell with each text.
        self.weight = float(np.sqrt(np.diff(self.starts)[self.train].sum()))

    def pair(self, i, longest, rng):
        text = self.numbers[self.starts[i] : self.starts[i + 1]]
        length = min(len(text), longest)
        text = text[(begin := rng.integers(len(text) - length + 1)) : begin + length]
        span = rng.integers(3, min(16, length // 3) + 1)
        at = rng.integers(length - span + 1)
        return text[at : at + span], np.concatenate([text[:at], text[at + span :]]) if rng.random() < 0.5 else text


def raw_sources(folder, log=print):
    files = sorted(f for f in os.listdir(f"{folder}/checkpoints/corpus") if f.endswith(".raw.numbers"))
    found = [s for s in (Raw(folder, f.split(".")[0]) for f in files) if len(s.train) > 2000]
    log(f"{sum(len(s.train) for s in found)} running texts of {len(found)} sources")
    return found


def sources(folder, log=print):
    found = []
    for file in sorted(os.listdir(f"{folder}/checkpoints/corpus")):
        if not file.endswith(".pairs.numbers"):
            continue
        source = Source(folder, file.split(".")[0])
        source.weight = WEIGHTS.get(source.name, OTHER)
        if len(source.train) > 0:
            found.append(source)
    log(f"{sum(len(s.train) for s in found)} pairs of {len(found)} sources")
    return found


def shares(text):
    """What each place of a text counts: the logarithmic weight of its word, shared by the places where the word stands."""
    _, inverse, counts = np.unique(text, return_inverse=True, return_counts=True)
    return ((1 + np.log(counts)) / counts)[inverse].astype(np.float32)


def static_vectors(vectors, texts, chunk=4096):
    """Unit vectors of texts as the static model makes them."""
    out = []
    for i in range(0, len(texts), chunk):
        part = texts[i : i + chunk]
        flat = torch.from_numpy(np.concatenate(part).astype(np.int64))
        weights = torch.from_numpy(np.concatenate([shares(t) for t in part]))
        offsets = torch.from_numpy(np.cumsum([0] + [len(t) for t in part[:-1]]))
        out.append(torch.nn.functional.embedding_bag(flat, vectors, offsets, mode="sum", per_sample_weights=weights))
    return torch.nn.functional.normalize(torch.cat(out), dim=1)


def pack(texts, lost=None, tokens_max=4096):
    """
    Yields chunks of texts, one after the other with an empty place before, between and after them: (numbers, pool, mean, which).
    Empty places have the number -1. `pool` sums a text with the weights of its places, `mean` averages it.
    """
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    group, size = [], 1
    for i in order + [None]:
        length = 0 if i is None else len(texts[i]) + 1
        if group and (i is None or size + length > tokens_max):
            yield packed(texts, lost, group, size)
            group, size = [], 1
        if i is not None:
            group.append(i)
            size += length


def packed(texts, lost, group, size):
    numbers = np.full(size, -1, np.int64)
    pool = np.zeros((len(group), size), np.float32)
    mean = np.zeros((len(group), size), np.float32)
    at = 1
    for line, i in enumerate(group):
        text = texts[i]
        end = at + len(text)
        numbers[at:end] = text
        gone = lost[i] if lost is not None else None
        if gone is not None and gone.any() and not gone.all():
            numbers[at:end][gone] = -1
            pool[line, at:end][~gone] = shares(text[~gone])
        else:
            pool[line, at:end] = shares(text)
        mean[line, at:end] = 1 / len(text)
        at = end + 1
    return torch.from_numpy(numbers), torch.from_numpy(pool).bfloat16(), torch.from_numpy(mean).bfloat16(), group


def drop_shared(question, answer, share, rng):
    """Words on both sides are lost by one side or the other now and then, so that what means the same is learned too."""
    both = np.intersect1d(question, answer)
    if len(both) == 0:
        return None, None
    chance = rng.random(len(both))
    side = rng.random(len(both)) < 0.5
    return np.isin(question, both[(chance < share) & side]), np.isin(answer, both[(chance < share) & ~side])
