"""Streams of training batches: real (prepared batch by batch), cached on the device, or synthetic."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ...schemas.errors import UserError
from .interface import Request

KINDS = ("real", "cached_device", "synthetic")


def check_pipeline(workload: str, kind: str, request: Request) -> None:
    """Refuse a pipeline that does not exist or cannot train.

    Raises:
        UserError: the kind is unknown, or a convergence check is to run on synthetic inputs.
    """
    if kind not in KINDS:
        raise UserError(
            f"{workload} has no pipeline {kind}", f"ask for one of {', '.join(KINDS)}", "/workload/pipeline"
        )
    if kind == "synthetic":
        need_real_data(workload, request)


def need_real_data(workload: str, request: Request) -> None:
    """Refuse to train towards a target where nothing real is learnt.

    Raises:
        UserError: the request is a convergence check.
    """
    if request.kind == "convergence":
        raise UserError(
            f"{workload} on synthetic inputs has no held-out data to converge on",
            "use digits-cnn or text-transformer with pipeline real",
            "/workload",
        )


def shuffled(examples: int, batch: int, seed: int) -> Iterator[torch.Tensor]:
    """Yield example numbers, [batch], through seeded permutations of all examples, one after the other without end."""
    generator = torch.Generator().manual_seed(seed)
    left = torch.empty(0, dtype=torch.int64)
    while True:
        while len(left) < batch:
            left = torch.cat([left, torch.randperm(examples, generator=generator)])
        yield left[:batch]
        left = left[batch:]


def normal(shapes: Sequence[Sequence[int]], seed: int) -> list[torch.Tensor]:
    """Return tensors of these shapes from a normal distribution, fp32 on the host, decided by the seed alone."""
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(*shape, generator=generator) for shape in shapes]


def numbers(shape: Sequence[int], below: int, seed: int) -> torch.Tensor:
    """Return uniform numbers from 0 to `below` - 1, int64 on the host, decided by the seed alone."""
    return torch.randint(0, below, tuple(shape), generator=torch.Generator().manual_seed(seed))


def repeated(batch: Any) -> Iterator[Any]:
    """Yield one batch for ever."""
    while True:
        yield batch


def split_record(contents: list[bytes], others: set[bytes] | None = None) -> dict[str, Any]:
    """Return number and digest of a split's examples, and how many of them another split also has.

    Args:
        contents: the bytes of every example, in order; all of one length, so that their joint digest is unambiguous.
        others: contents of the training split.
    """
    record: dict[str, Any] = {
        "examples": len(contents),
        "digest": "sha256:" + hashlib.sha256(b"".join(contents)).hexdigest(),
    }
    if others is not None:
        record["overlap_with_train"] = sum(content in others for content in contents)
    return record


def dataset_id(name: str, splits: dict[str, Any]) -> str:
    """Return a name for a data set and its division: the name and 16 digits of a digest over the splits' digests."""
    digests = "\n".join(f"{split} {record['digest']}" for split, record in sorted(splits.items()))
    return f"{name}@sha256:{hashlib.sha256(digests.encode()).hexdigest()[:16]}"
