"""The meter as a callback of the Hugging Face Trainer: `Trainer(..., callbacks=[StudyCallback()])`.

A step is one optimizer step, whatever micro-batches it takes, from the end of the one before it; the Trainer's own
work between steps, its logging and its checkpoints are part of it. Evaluations are timed apart.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from transformers import TrainerCallback

from ..meter.libraries import of_loader, of_sizes
from ..meter.meter import Meter, study
from ..meter.work import WorkUnit
from .forward import Counted

PREFIX = "eval_"


class StudyCallback(TrainerCallback):  # type: ignore[misc]
    """Times the steps of a Trainer under `dlaudit run`; started otherwise it does nothing.

    Args:
        options: effective options that only the program knows.
        work_unit: what a rate counts: samples, or the tokens that the attention mask leaves in.
        split: what the evaluation data are.
    """

    def __init__(
        self, options: Mapping[str, Any] | None = None, work_unit: WorkUnit = "samples", split: str = "validation"
    ) -> None:
        self._options, self._unit, self._split = options, work_unit, split
        self._meter: Meter | None = None
        self._counted: Counted | None = None
        self._evaluating_since: float | None = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Begin the first step."""
        model = kwargs["model"]
        self._meter = study(options=self._options, work_unit=self._unit, model=model, optimizer=kwargs.get("optimizer"))
        self._meter.note(of_loader(kwargs.get("train_dataloader")) | of_arguments(args))
        self._counted = Counted(model, self._meter)
        self._meter.resume()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """End a step, and the training with the last planned one."""
        if self._meter is None:
            return
        self._meter.end_step()
        self._evaluates_next(control)
        if self._meter.over:
            control.should_training_stop = True
            control.should_evaluate = control.should_save = False

    def on_epoch_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Stop the clock where an evaluation follows."""
        self._evaluates_next(control)

    def _evaluates_next(self, control: Any) -> None:
        if self._meter is not None and control.should_evaluate and self._evaluating_since is None:
            self._meter.pause()
            self._evaluating_since = time.perf_counter()

    def on_evaluate(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Take an evaluation, and go on."""
        if self._meter is None or self._evaluating_since is None:
            return
        duration_s = time.perf_counter() - self._evaluating_since
        data: Any = getattr(kwargs.get("eval_dataloader"), "dataset", None)
        examples = len(data) if hasattr(data, "__len__") else 0
        metrics = {
            name.removeprefix(PREFIX): value
            for name, value in kwargs.get("metrics", {}).items()
            if name.startswith(PREFIX) and isinstance(value, int | float) and not name.endswith(("_second", "_runtime"))
        }
        self._meter.take_evaluation(metrics, examples, self._split, duration_s)
        self._evaluating_since = None
        if self._meter.over:
            control.should_training_stop = True
        self._meter.resume()

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Report what was measured."""
        if self._meter is not None and self._counted is not None:
            self._counted.close()
            self._meter.finish()


def of_arguments(args: Any) -> dict[str, Any]:
    """Return what `TrainingArguments` say of an option set; the rest shows in the model and the loader."""
    return {
        "loss_scaling": "dynamic" if args.fp16 else "none",
        "activation_checkpointing": bool(args.gradient_checkpointing),
        "sharding": "fsdp" if args.fsdp else "none",
        **of_sizes(args.parallelism_config),
    }
