"""Saving a model while it trains: every so many steps, into a folder that goes away with the trial."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import torch

from ...schemas.errors import UserError
from .phase import phase
from .training import Trainer


class Checkpoints:
    """Saves model and optimizer, one file that each checkpoint replaces, brought to the disk.

    Args:
        every: steps between two checkpoints; 0 for none.

    Raises:
        UserError: fewer than none.
    """

    def __init__(self, every: int) -> None:
        if every < 0:
            raise UserError("checkpoint_every must be 0 (none) or more", "correct it", "/workload/checkpoint_every")
        self.every, self._steps = every, 0
        self._folder = tempfile.TemporaryDirectory(prefix="dlaudit-") if every else None

    def after_step(self, trainer: Trainer) -> None:
        """Count a step and save where it is the turn of a checkpoint."""
        self._steps += 1
        if self._folder is None or self._steps % self.every:
            return
        with phase("checkpoint") as part:
            part.wrote(_save(trainer, Path(self._folder.name) / "checkpoint.pt"))


def _save(trainer: Trainer, path: Path) -> int:
    """Save a trainer's state and return the bytes written."""
    fresh = path.with_suffix(".new")
    state = {"model": trainer.module.state_dict(), "optimizer": trainer.optimizer.state_dict()}
    with fresh.open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    return path.stat().st_size
