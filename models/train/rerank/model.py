"""
Scores texts for a question from word vectors: how well each word of the question is met (by itself, by a near word, by a near place in
its surroundings), and what stands around the places that meet it. Large products run in bf16; sums, norms and losses in 32 bits.
"""

import torch
import torch.nn.functional as F
from torch import nn

KERNELS = torch.tensor([0.9, 0.7, 0.5, 0.3, 0.1])
KERNEL_WIDTH = 0.1


def product(x, linear):
    """A linear layer in bf16, 32-bit weights."""
    return F.linear(x.bfloat16(), linear.weight.bfloat16(), None if linear.bias is None else linear.bias.bfloat16())


def around(x, reach, stride=1):
    """Each place with its neighbours side by side."""
    parts = []
    for k in range(-reach, reach + 1):
        s = k * stride
        parts.append(F.pad(x, (0, 0, max(0, -s), max(0, s)))[:, max(0, s) : max(0, s) + x.shape[1]])
    return torch.cat(parts, -1)


class Reranker(nn.Module):
    def __init__(self, vectors, weights, commons, size=64, dropout=0.1, plain=False):
        super().__init__()
        self.register_buffer("vectors", vectors, persistent=False)
        self.register_buffer("weights", weights, persistent=False)
        self.register_buffer("commons", commons, persistent=False)
        given = vectors.shape[1]
        self.plain = plain
        self.near = nn.Linear(given, size, bias=False)
        self.word = nn.Linear(given, size, bias=False)
        self.role = nn.Embedding(int(commons.max()) + 1, size)
        nn.init.normal_(self.role.weight, std=0.02)
        self.norm = nn.LayerNorm(size)
        self.context = nn.Linear(3 * size, size)
        self.context2 = nn.Linear(3 * size, size)
        self.weigh = nn.Linear(size + 3, 16)
        self.weigh2 = nn.Linear(16, 1)
        self.q_pool = nn.Linear(size, size)
        self.own = nn.Linear(size, size)
        self.met = nn.Linear(size, size, bias=False)
        self.joint = nn.Linear(size, size, bias=False)
        self.signs = nn.Linear(5, size, bias=False)
        self.conv = nn.Linear(5 * size, size)
        self.conv2 = nn.Linear(5 * size, size)
        features = 3 + 2 * len(KERNELS) + 3
        self.head = nn.Linear(2 * size + features, 32)
        self.head2 = nn.Linear(32, 1)
        self.few, self.few2 = nn.Linear(features, 16), nn.Linear(16, 1)
        self.linear = nn.Linear(features, 1)
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)
        nn.init.zeros_(self.head2.bias)
        self.base = nn.Parameter(torch.tensor(1.0))
        self.drop = nn.Dropout(dropout)
        self.sharpness = nn.Parameter(torch.tensor(8.0))
        _, _, axes = torch.pca_lowrank(vectors[1:30000], q=size, center=False)
        with torch.no_grad():
            self.near.weight.copy_(axes.t())
            self.word.weight.copy_(axes.t() * 4)

    def words(self, ids):
        """Unit vectors for likeness, and vectors for reading, of each distinct word once."""
        distinct, back = torch.unique(ids, return_inverse=True)
        given = self.vectors[distinct].bfloat16()
        near = F.normalize(product(given, self.near).float(), dim=-1)
        read = self.norm(product(given, self.word).float() + self.role(self.commons[distinct]))
        return F.embedding(back, near), F.embedding(back, read)

    def read(self, x, there):
        """Two layers over three neighbours each, added to the words."""
        mask = there.unsqueeze(-1).bfloat16()
        h = x.bfloat16() * mask
        h = (h + F.relu(product(around(h, 1), self.context))) * mask
        return (h + F.relu(product(around(h, 1), self.context2))) * mask

    def forward(self, q, d, rarity):
        """q: questions × words, d: (questions · shown) × words → questions × shown."""
        asked, pairs = q.shape[0], d.shape[0]
        shown = pairs // asked
        q_there, d_there = q > 0, d > 0
        q_near, q_word = self.words(q)
        d_near, d_word = self.words(d)
        q_read, d_read = self.read(self.drop(q_word), q_there), self.read(self.drop(d_word), d_there)
        weight = self.weights[q]
        informed = torch.cat([q_read.float(), weight.unsqueeze(-1), rarity.unsqueeze(-1), (weight * rarity).unsqueeze(-1)], -1)
        telling = self.weigh2(F.relu(self.weigh(informed))).squeeze(-1) + 2 * rarity
        telling = telling.masked_fill(~q_there, -1e4).softmax(-1)
        subject = (telling.unsqueeze(-1) * q_read.float()).sum(1)

        spread = lambda x: x.repeat_interleave(shown, 0)
        t = spread(telling)
        both = spread(q_there).unsqueeze(2) & d_there.unsqueeze(1)
        same = (spread(q).unsqueeze(2) == d.unsqueeze(1)) & both
        s1 = torch.bmm(spread(q_near.bfloat16()), d_near.bfloat16().transpose(1, 2)).float().masked_fill(~both, -1)
        s2 = torch.bmm(spread(F.normalize(q_read.float(), dim=-1).bfloat16()), F.normalize(d_read.float(), dim=-1).bfloat16().transpose(1, 2)).float()
        s2 = s2.masked_fill(~both, -1)
        same = same.float()
        best1, best2, found = s1.max(2).values, s2.max(2).values, same.max(2).values
        kernels = []
        for s in (s1, s2):
            for mean in KERNELS.tolist():
                amount = (-((s - mean) ** 2) / (2 * KERNEL_WIDTH**2)).exp().sum(2)
                kernels.append((torch.log1p(amount) * t).sum(1))
        length = d_there.sum(1).float()
        features = torch.stack(
            [(t * found).sum(1), (t * best1).sum(1), (t * best2).sum(1), *kernels, torch.log1p(length) / 5, torch.log1p(spread(q_there).sum(1).float()) / 5, found.max(1).values],
            -1,
        )

        if self.plain:
            return (self.linear(features) + self.few2(F.relu(self.few(features)))).view(asked, shown)
        met = torch.bmm((self.sharpness * s2).masked_fill(~both, -1e4).softmax(1).bfloat16().transpose(1, 2), spread(q_read))
        here = (same * t.unsqueeze(2)).sum(1)
        signs = torch.stack([here, same.max(1).values, s1.max(1).values, s2.max(1).values, (s1 * t.unsqueeze(2)).sum(1)], -1)
        topic = product(subject, self.q_pool)
        h = product(d_read, self.own) + product(met, self.met) + product(d_read * spread(topic).unsqueeze(1), self.joint) + product(signs, self.signs)
        h = F.relu(h + spread(topic).unsqueeze(1)) * d_there.unsqueeze(-1).bfloat16()
        h = h + F.relu(product(around(h, 2), self.conv))
        h = h + F.relu(product(around(h, 2, 3), self.conv2))
        top = h.masked_fill(~d_there.unsqueeze(-1), -1e4).max(1).values.float()
        middle = (h.float() * here.unsqueeze(-1)).sum(1) / (here.sum(1, keepdim=True) + 0.1)
        pooled = self.drop(torch.cat([top, middle], -1) / 4)
        score = self.linear(features) + self.head2(F.relu(self.head(torch.cat([pooled, features], -1))))
        return score.view(asked, shown)
