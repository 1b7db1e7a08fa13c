"""Requested options: which of them a trained workload selects by, and whether all of them took effect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from ...schemas.errors import UserError
from ...schemas.options import Options
from .interface import Request

LABELS = ("name", "logging")
"""Options that are words about a run: they take effect by being written down."""


class Training(msgspec.Struct, frozen=True, kw_only=True):
    """The options by which a trained workload can be told how to run; a workload's defaults fill what is not asked."""

    global_batch: int
    micro_batch: int
    optimizer: Literal["sgd", "adam", "adamw"]
    learning_rate: float
    momentum: float
    weight_decay: float
    dropout: bool
    compile: bool
    ranks: int = 1
    """Processes that share the global batch."""
    loss_scaling: Literal["none", "dynamic"]

    @property
    def accumulation(self) -> int:
        """Forward passes per optimizer step, on each rank."""
        return self.global_batch // (self.micro_batch * self.ranks)


class _Requested(msgspec.Struct, frozen=True, kw_only=True):
    global_batch: int | None = None
    micro_batch: int | None = None
    accumulation: int | None = None
    optimizer: Literal["sgd", "adam", "adamw"] | None = None
    learning_rate: float | None = None
    momentum: float | None = None
    weight_decay: float | None = None
    dropout: bool | None = None
    compile: bool | None = None
    loss_scaling: Literal["none", "dynamic"] | None = None


def training(
    requested: Mapping[str, Any],
    *,
    global_batch: int,
    optimizer: Literal["sgd", "adam", "adamw"],
    learning_rate: float,
    ranks: int = 1,
) -> Training:
    """Return the options of a training step: what was requested over these defaults.

    Momentum and weight decay are 0 unless requested, dropout and compile off, a rank's part one micro-batch; the loss
    is scaled in fp16.

    Raises:
        UserError: a value does not fit, or the batch sizes contradict each other.
    """
    try:
        asked = msgspec.convert(dict(requested), _Requested)
    except msgspec.ValidationError as error:
        raise UserError(f"requested option: {error}", "correct it", "/options") from None
    batch = global_batch if asked.global_batch is None else asked.global_batch
    kind = asked.optimizer or optimizer
    momentum = asked.momentum or 0.0
    if momentum and kind != "sgd":
        raise UserError(f"{kind} takes no momentum", "leave momentum out, or ask for sgd", "/options/momentum")
    rate = learning_rate if asked.learning_rate is None else asked.learning_rate
    decay = asked.weight_decay or 0.0
    if rate < 0 or decay < 0 or not 0 <= momentum < 1:
        raise UserError("learning_rate, weight_decay or momentum is out of range", "correct it", "/options")
    return Training(
        global_batch=batch,
        micro_batch=_micro_batch(_part(batch, ranks), asked),
        ranks=ranks,
        optimizer=kind,
        learning_rate=rate,
        momentum=momentum,
        weight_decay=decay,
        dropout=bool(asked.dropout),
        compile=bool(asked.compile),
        loss_scaling=asked.loss_scaling or ("dynamic" if _is_fp16(requested) else "none"),
    )


def _part(batch: int, ranks: int) -> int:
    """Return what a rank has of a global batch."""
    if batch % ranks:
        todo = "make it a multiple of the ranks"
        raise UserError(f"a global batch of {batch} does not divide over {ranks} ranks", todo, "/options/global_batch")
    return batch // ranks


def _is_fp16(requested: Mapping[str, Any]) -> bool:
    return (requested.get("precision") or {}).get("compute") == "fp16"


def _micro_batch(batch: int, asked: _Requested) -> int:
    accumulation = asked.accumulation
    if accumulation is None:
        accumulation = batch // asked.micro_batch if asked.micro_batch else 1
    if batch < 1 or accumulation < 1 or batch % accumulation:
        raise UserError(
            f"a batch of {batch} samples on a rank does not divide into {accumulation} equal micro-batches",
            "make global_batch = ranks x accumulation x micro_batch",
            "/options",
        )
    if asked.micro_batch is not None and asked.micro_batch * accumulation != batch:
        raise UserError(
            f"micro_batch {asked.micro_batch} x accumulation {accumulation} is not the batch of a rank, {batch}",
            "make global_batch = ranks x accumulation x micro_batch",
            "/options/micro_batch",
        )
    return batch // accumulation


def settle(workload: str, request: Request, effective: Mapping[str, Any]) -> dict[str, Any]:
    """Return the full effective option set, after holding it against the request.

    Args:
        workload: its name, for messages.
        request: what was asked for.
        effective: what the workload says took effect.

    Raises:
        UserError: `effective` is no option set; a requested option is none, is unknown to the workload, or did not
            take effect. All such options are named.
    """
    asked = dict(request.options)
    settled = dict(effective) | {"seed": request.seed} | {key: asked[key] for key in LABELS if key in asked}
    settled["extra"] = dict(asked.get("extra") or {}) | dict(effective.get("extra") or {})
    check_shape(settled, f"{workload}: effective options")
    unknown, differing = [], []
    for key, wanted, found in _leaves({key: value for key, value in asked.items() if key != "extra"}, settled):
        if found is None:
            unknown.append(key)
        elif found != wanted:
            differing.append(f"{key} (asked {wanted!r}, runs with {found!r})")
    if unknown:
        raise UserError(f"{workload} has no option {', '.join(unknown)}", "leave it out", "/options")
    if differing:
        raise UserError(
            f"{workload} cannot change: {', '.join(differing)}",
            "leave it out, or ask for what it runs with",
            "/options",
        )
    return settled


def check_shape(options: Mapping[str, Any], what: str) -> None:
    """Refuse what is no option set.

    Raises:
        UserError: a key is unknown, or a value has the wrong type.
    """
    unknown = sorted(set(options) - (set(Options.__struct_fields__) - {"at"}))
    if unknown:
        raise UserError(f"{what}: there is no option {', '.join(unknown)}", "put it into extra", "/options")
    try:
        msgspec.convert(dict(options), Options)
    except msgspec.ValidationError as error:
        raise UserError(f"{what}: {error}", "correct the value", "/options") from None


def _leaves(asked: Mapping[str, Any], found: Mapping[str, Any], under: str = "") -> list[tuple[str, Any, Any]]:
    pairs: list[tuple[str, Any, Any]] = []
    for key, wanted in asked.items():
        there = found.get(key)
        if isinstance(wanted, Mapping):
            pairs += _leaves(wanted, there if isinstance(there, Mapping) else {}, f"{under}{key}.")
        else:
            pairs.append((under + key, list(wanted) if isinstance(wanted, tuple) else wanted, there))
    return pairs


def dense_defaults() -> dict[str, Any]:
    """Return the options of a dense model trained exactly on one device, which no built-in workload changes."""
    return {
        "weights": "random initialisation",
        "sparsity": "none",
        "quantisation": "none",
        "compression": "none",
        "stochastic_depth": False,
        "attention": "exact",
        "staleness": 0,
        "schedule": "constant",
        "warmup_samples": 0,
        "augmentation": "none",
        "data_parallel": 1,
        "tensor_parallel": 1,
        "pipeline_parallel": 1,
        "context_parallel": 1,
        "expert_parallel": 1,
        "devices": 1,
        "bucketing": "none",
        "overlap": False,
        "activation_checkpointing": False,
        "sharding": "none",
        "offload": "none",
    }
