"""The meter as a callback of Lightning: `Trainer(..., callbacks=[StudyCallback()])`.

A step is one optimizer step, whatever micro-batches it takes, from the end of the one before it; logging and
checkpoints between steps are part of it. Validation is timed apart.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from lightning.pytorch.callbacks import Callback

from ..meter.libraries import of_loader, of_scaler
from ..meter.meter import Meter, study
from ..meter.work import WorkUnit, of_batch


class StudyCallback(Callback):  # type: ignore[misc]
    """Times the steps of a Trainer under `dlaudit run`; started otherwise it does nothing.

    Args:
        options: effective options that only the program knows.
        work_unit: what a rate counts: samples, or the tokens that the attention mask leaves in.
        split: what the validation data are.
    """

    def __init__(
        self, options: Mapping[str, Any] | None = None, work_unit: WorkUnit = "samples", split: str = "validation"
    ) -> None:
        super().__init__()
        self._options, self._unit, self._split = options, work_unit, split
        self._meter: Meter | None = None
        self._steps = 0
        self._validating_since: float | None = None

    def on_train_start(self, trainer: Any, pl_module: Any) -> None:
        """Begin the first step."""
        optimizer = trainer.optimizers[0] if trainer.optimizers else None
        self._meter = study(options=self._options, work_unit=self._unit, model=pl_module, optimizer=optimizer)
        for loader in _loaders(trainer.train_dataloader):
            self._meter.note(of_loader(loader))
        self._meter.note(of_scaler(getattr(trainer.precision_plugin, "scaler", None)))
        self._steps = trainer.global_step
        self._meter.resume()

    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        """Count a micro-batch; end a step where the optimizer made one, and the training with the last planned one."""
        if self._meter is None:
            return
        self._meter.count(of_batch(batch))
        if trainer.global_step > self._steps:
            self._steps = trainer.global_step
            self._meter.end_step()
        if self._meter.over:
            trainer.should_stop = True

    def on_validation_start(self, trainer: Any, pl_module: Any) -> None:
        """Stop the clock."""
        if self._meter is not None:
            self._meter.pause()
            self._validating_since = time.perf_counter()

    def on_validation_end(self, trainer: Any, pl_module: Any) -> None:
        """Take the metrics of the validation, and go on."""
        if self._meter is None or self._validating_since is None:
            return
        duration_s = time.perf_counter() - self._validating_since
        metrics = {name: float(value) for name, value in trainer.callback_metrics.items()}
        examples = sum(_examples(loader) for loader in _loaders(trainer.val_dataloaders))
        self._meter.take_evaluation(metrics, examples, self._split, duration_s)
        if self._meter.over:
            trainer.should_stop = True
        self._meter.resume()

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:
        """Report what was measured."""
        if self._meter is not None:
            self._meter.finish()


def _loaders(loaders: Any) -> list[Any]:
    return list(loaders) if isinstance(loaders, list | tuple) else [loaders]


def _examples(loader: Any) -> int:
    data: Any = getattr(loader, "dataset", None)
    return len(data) if hasattr(data, "__len__") else 0
