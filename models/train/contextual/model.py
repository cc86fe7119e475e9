"""
The contextual encoder: the static model's sum of words, where thin layers say how much each word counts here and what is added to it.
The layers look at three neighbouring words and at the mean of the text. The last matrices start at zero, so that step 0 is the static
model. All large products are bf16; the parameters are kept in fp32.
"""

import math

import torch
from torch import nn

EMPTY_SCALE = 1e-6


class Block(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.near = nn.Parameter(torch.randn(3 * width, hidden) / math.sqrt(3 * width))
        self.far = nn.Parameter(torch.randn(width, hidden) / math.sqrt(width))
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.out = nn.Parameter(torch.randn(hidden, width) * 0.5 / math.sqrt(hidden))

    def forward(self, h, there, mean, line):
        a = h * (torch.rsqrt((h * h).mean(1, keepdim=True) + EMPTY_SCALE) * there)
        edge = torch.zeros_like(a[:1])
        near = torch.cat([torch.cat([edge, a[:-1]]), a, torch.cat([a[1:], edge])], 1)
        far = (mean @ a) @ self.far.bfloat16() + self.bias.bfloat16()
        y = torch.nn.functional.gelu(near @ self.near.bfloat16() + far.index_select(0, line))
        return h + y @ self.out.bfloat16()


class Encoder(nn.Module):
    def __init__(self, width=256, hidden=256, blocks=2, words=0, adds=True, wider=0):
        super().__init__()
        self.length = width + wider
        self.blocks = nn.ModuleList([Block(width, hidden) for _ in range(blocks)])
        self.heaviness = nn.Parameter(torch.randn(width) * 0.1)
        self.blank = nn.Parameter(torch.zeros(width))
        self.gate = nn.Parameter(torch.zeros(width, 1))
        self.gate_bias = nn.Parameter(torch.zeros(1))
        self.added = nn.Parameter(torch.zeros(width, width)) if adds else None
        # Numbers beside those of the static model; at zero no slope would reach them.
        self.wide = nn.Parameter(torch.randn(width, wider) * 0.3 / math.sqrt(width)) if wider > 0 else None
        # What the rows of words with a row of their own have moved by.
        self.moved = nn.Parameter(torch.zeros(words, width)) if words > 0 else None

    def forward(self, vectors, own, numbers, pool, mean):
        """The sums of a chunk's texts, not yet of length one."""
        real = numbers >= 0
        safe = numbers.clamp(min=0)
        x = vectors.index_select(0, safe)
        if self.moved is not None:
            rows = own.index_select(0, safe)
            x = x + nn.functional.embedding(rows.clamp(min=0), self.moved, sparse=True) * (rows >= 0).unsqueeze(1)
        norm = x.norm(dim=1, keepdim=True).clamp(min=1e-6)
        # A place without a word that lies inside a text is one that lost its word in training.
        inside = (mean.sum(0) > 0).unsqueeze(1)
        there = inside.bfloat16()
        line = mean.argmax(0)
        scale = math.sqrt(x.shape[1])
        unit = (x * (real.unsqueeze(1) * scale / norm)).bfloat16()
        h = unit + (norm.log() * real.unsqueeze(1)).bfloat16() * self.heaviness.bfloat16()
        h = h + ((~real).unsqueeze(1) & inside).bfloat16() * self.blank.bfloat16()
        for block in self.blocks:
            h = block(h, there, mean, line)
        a = h * torch.rsqrt((h * h).mean(1, keepdim=True) + EMPTY_SCALE)
        gate = (a @ self.gate.bfloat16() + self.gate_bias.bfloat16()).clamp(-4, 4).exp()
        token = unit * gate
        if self.added is not None:
            token = token + a @ self.added.bfloat16()
        if self.wide is not None:
            token = torch.cat([token, (a @ self.wide.bfloat16()) * gate], 1)
        return pool @ (token * (norm / scale).bfloat16())
