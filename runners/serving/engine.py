"""Prefill and decode of the small decoder with a cache of keys and values, batched continuously.

A step admits what waits into free slots, each by a prefill of its prompt, and then decodes one token for every slot in
use: requests join and leave between two steps, and none waits for the others to end. The cache is one block of
[layers, slots, heads, length, head width] for keys and one for values.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

import torch
from torch.nn import functional

from ..workloads.text_transformer import Block, Decoder
from .work import Phase, add_decode, add_prefill


@dataclass(slots=True)
class Sequence:
    """A request inside the engine."""

    prompt: list[int]
    left: int
    """Tokens that are still to come."""
    end: int | None = None
    """Token after which it ends by itself; None, never."""
    slot: int = -1
    at: int = 0
    """Positions in the cache."""
    last: int = 0
    """The token that was generated last."""


@dataclass(slots=True)
class Engine:
    """A decoder that serves several sequences at once."""

    model: Decoder
    slots: int
    waiting: deque[Sequence] = field(default_factory=deque)
    running: list[Sequence] = field(default_factory=list)
    free: list[int] = field(init=False)
    prefilled: Phase = field(default_factory=Phase)
    decoded: Phase = field(default_factory=Phase)
    keys: torch.Tensor = field(init=False)
    values: torch.Tensor = field(init=False)

    def __post_init__(self) -> None:
        """Make the cache."""
        length, width = self.model.positions.shape
        blocks = list(self.model.blocks)
        heads = _block(blocks[0]).heads
        shape = (len(blocks), self.slots, heads, length, width // heads)
        self.keys, self.values = torch.zeros(shape), torch.zeros(shape)
        self.free = list(range(self.slots))

    def add(self, sequence: Sequence) -> None:
        """Queue a request: at most as many tokens as there are positions."""
        self.waiting.append(sequence)

    def drop(self, sequence: Sequence) -> None:
        """Forget a request whose client has gone."""
        sequence.left = 0
        if sequence in self.waiting:
            self.waiting.remove(sequence)

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return not self.waiting and not self.running

    @torch.inference_mode()
    def step(self) -> list[tuple[Sequence, int, bool]]:
        """Make one step; return each new token with its request, and whether that ends."""
        self._leave()
        made = []
        if self.running:
            began = time.perf_counter()
            made = self._decode()
            add_decode(self.decoded, self.model, [one.at for one in made], time.perf_counter() - began)
        while self.waiting and self.free:
            began = time.perf_counter()
            made.append(self._prefill(self.waiting.popleft()))
            add_prefill(self.prefilled, self.model, made[-1].at, time.perf_counter() - began)
        return [(one, one.last, self._count(one)) for one in made]

    def _leave(self) -> None:
        self.free += [one.slot for one in self.running if one.left <= 0]
        self.running = [one for one in self.running if one.left > 0]

    def _count(self, one: Sequence) -> bool:
        one.left = 0 if one.last == one.end else one.left - 1
        return one.left <= 0

    def _prefill(self, one: Sequence) -> Sequence:
        one.slot, one.at = self.free.pop(), len(one.prompt)
        hidden = self.model.words(torch.tensor([one.prompt])) + self.model.positions[: one.at]
        for layer, block in enumerate(map(_block, self.model.blocks)):
            query, key, value = _mixed(block, hidden)
            self.keys[layer, one.slot, :, : one.at] = key[0]
            self.values[layer, one.slot, :, : one.at] = value[0]
            hidden = _after(block, hidden, functional.scaled_dot_product_attention(query, key, value, is_causal=True))
        one.last = int(self.model.head(self.model.norm(hidden[:, -1])).argmax())
        self.running.append(one)
        return one

    def _decode(self) -> list[Sequence]:
        batch = self.running
        slots = torch.tensor([one.slot for one in batch])
        places = torch.tensor([one.at for one in batch])
        most = int(places.max()) + 1
        seen = (torch.arange(most) <= places[:, None])[:, None, None, :]
        hidden = (self.model.words(torch.tensor([one.last for one in batch])) + self.model.positions[places])[:, None]
        for layer, block in enumerate(map(_block, self.model.blocks)):
            query, key, value = _mixed(block, hidden)
            self.keys[layer, slots, :, places] = key[:, :, 0]
            self.values[layer, slots, :, places] = value[:, :, 0]
            keys, values = self.keys[layer, slots, :, :most], self.values[layer, slots, :, :most]
            hidden = _after(block, hidden, functional.scaled_dot_product_attention(query, keys, values, attn_mask=seen))
        scores = self.model.head(self.model.norm(hidden[:, 0]))
        for one, token in zip(batch, scores.argmax(-1).tolist(), strict=True):
            one.last, one.at = token, one.at + 1
        return list(batch)


def _block(module: torch.nn.Module) -> Block:
    assert isinstance(module, Block)
    return module


def _mixed(block: Block, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return queries, keys and values, each [n, heads, length, head width]."""
    count, length, width = hidden.shape
    mixed = block.mix(block.before_attention(hidden)).view(count, length, 3, block.heads, width // block.heads)
    query, key, value = mixed.permute(2, 0, 3, 1, 4)
    return query, key, value


def _after(block: Block, hidden: torch.Tensor, attended: torch.Tensor) -> torch.Tensor:
    count, length, width = hidden.shape
    hidden = hidden + block.out(attended.transpose(1, 2).reshape(count, length, width))
    result: torch.Tensor = hidden + block.perceptron(block.before_perceptron(hidden))
    return result
