"""Reads what eval-candidates.ts, questions.ts, train_candidates.py and vectors.ts wrote, and draws batches of it."""

import json
import os

import numpy as np

SHOWN = 50


class Collection:
    """Questions and texts as numbers of words that all collections share, and the best fifty texts of each question."""

    def __init__(self, folder, number_of):
        read = lambda name, kind: np.fromfile(f"{folder}/{name}", dtype=kind)
        self.name = os.path.basename(folder)
        words = np.array([number_of.get(word, 0) for word in json.load(open(f"{folder}/words.json"))], dtype=np.int32)
        self.text_words = words[read("textWords", np.int32)]
        self.text_starts = read("textStarts", np.int32)
        self.question_words = words[read("questionWords", np.int32)]
        self.question_starts = read("questionStarts", np.int32)
        self.candidates = read("candidates", np.int32).reshape(-1, SHOWN)
        self.scores = read("scores", np.float32).reshape(-1, SHOWN)
        self.grades = read("grades", np.float32).reshape(-1, SHOWN)
        self.ideals = read("ideals", np.float32)

    def text(self, i, most):
        start = self.text_starts[i]
        return self.text_words[start : min(self.text_starts[i + 1], start + most)]

    def question(self, i, most):
        start = self.question_starts[i]
        return self.question_words[start : min(self.question_starts[i + 1], start + most)]

    def ndcg(self, order, question):
        """`order` holds places among the fifty, best first."""
        gains = self.grades[question][order[:10]]
        return float((gains / np.log2(np.arange(2, 2 + len(gains)))).sum() / self.ideals[question]) if self.ideals[question] > 0 else 0.0


def evidence(scores):
    """The log-odds of fusion's scores, bounded as core/search/rerank.ts bounds them."""
    bounded = np.clip(scores, 1e-4, 1 - 1e-4)
    return np.log(bounded / (1 - bounded))


def load(folder, number_of):
    names = sorted(name for name in os.listdir(folder) if os.path.exists(f"{folder}/{name}/candidates"))
    return [Collection(f"{folder}/{name}", number_of) for name in names]


def load_vectors(folder):
    words = json.load(open(f"{folder}/words.json"))
    weights = np.fromfile(f"{folder}/weights", dtype=np.float32)
    vectors = np.fromfile(f"{folder}/vectors", dtype=np.float32).reshape(len(words), -1)
    # Number 0 fills up rows.
    number_of = {word: i + 1 for i, word in enumerate(words)}
    return number_of, np.vstack([np.zeros((1, vectors.shape[1]), np.float32), vectors]), np.concatenate([np.zeros(1, np.float32), weights])


def padded(rows, least=1):
    width = max([least] + [len(row) for row in rows])
    filled = np.zeros((len(rows), width), dtype=np.int64)
    for i, row in enumerate(rows):
        filled[i, : len(row)] = row
    return filled


def batch_of(collection, questions, places, question_words, text_words, rarities):
    """`places` says which of the fifty each question shows: an array with a row for each question, -1 for none."""
    asked = [collection.question(q, question_words) for q in questions]
    texts = [collection.text(collection.candidates[q][p], text_words) if p >= 0 else [0] for q, row in zip(questions, places) for p in row]
    shown = np.maximum(places, 0)
    rows = np.asarray(questions)[:, None]
    q = padded(asked, 2)
    rarity = np.zeros(q.shape, dtype=np.float32)
    for i, question in enumerate(questions):
        rarity[i, : len(asked[i])] = rarities(collection, question)[: len(asked[i])]
    return {
        "q": q,
        "d": padded(texts, 4),
        "rarity": rarity,
        "base": evidence(collection.scores[rows, shown]).astype(np.float32),
        "grade": np.where(places >= 0, collection.grades[rows, shown], 0).astype(np.float32),
        "real": places >= 0,
    }


class Rarities:
    """How rare the words of a question are among its own fifty texts, from 0 (in all) to 1 (in none)."""

    def __init__(self, text_words):
        self.known, self.text_words = {}, text_words

    def __call__(self, collection, question):
        key = (collection.name, question)
        if key not in self.known:
            asked = collection.question(question, 64)
            counts = np.zeros(len(asked))
            found = [c for c in collection.candidates[question] if c >= 0]
            for candidate in found:
                counts += np.isin(asked, collection.text(candidate, self.text_words))
            self.known[key] = (np.log((len(found) + 1) / (counts + 0.5)) / np.log((len(found) + 1) / 0.5)).astype(np.float32)
        return self.known[key]
