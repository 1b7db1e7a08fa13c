"""What the meter costs per step: in a plain loop, and by the callbacks of the trainers that are installed.

Run it as `python -P benchmarks/meter_overhead.py [REPETITIONS]`. In one process, in turns: a loop over batches without
and with the meter, and the calls that a callback makes for one step of a model whose forward pass does nothing. The
least of the repetitions is printed. The budget is 20 microseconds a step.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

import torch

BUDGET_US = 20.0
STEPS = 2000
REQUEST = {
    "kind": "throughput",
    "options": {},
    "seed": 1,
    "device": "cpu",
    "throughput": {"warmup": 0, "iterations": 1 << 30},
}
os.environ["DLAUDIT_REQUEST"] = json.dumps(REQUEST)
BATCH = {"input_ids": torch.ones(8, 16, dtype=torch.int64), "attention_mask": torch.ones(8, 16, dtype=torch.int64)}


class Empty(torch.nn.Module):
    """A model whose forward pass does nothing."""

    def forward(self, **_inputs: torch.Tensor) -> None:
        """Do nothing."""


def batches() -> list[dict[str, torch.Tensor]]:
    """Return the batches of a loop."""
    return [BATCH] * STEPS


def bare() -> None:
    """Run the loop alone."""
    for _ in batches():
        pass


def metered() -> None:
    """Run the loop with the meter."""
    from dlaudit.runners.meter.meter import study

    meter = study()
    for _ in meter.steps(batches()):
        pass


def calls() -> None:
    """Call the model alone, as a trainer does."""
    model = Empty()
    for batch in batches():
        model(**batch)


def hugging_face() -> None:
    """Call what the Trainer calls for a step."""
    from dlaudit.runners.adapters.hugging_face import StudyCallback

    model, callback = Empty(), StudyCallback()
    control = SimpleNamespace(should_evaluate=False, should_save=False, should_training_stop=False)
    callback.on_train_begin(None, None, control, model=model)
    for batch in batches():
        model(**batch)
        callback.on_step_end(None, None, control)


def lightning() -> None:
    """Call what Lightning calls for a step."""
    from dlaudit.runners.adapters.lightning import StudyCallback

    model, callback = Empty(), StudyCallback()
    trainer = SimpleNamespace(global_step=0, optimizers=[], should_stop=False)
    callback.on_train_start(trainer, model)
    for number, batch in enumerate(batches()):
        model(**batch)
        trainer.global_step += 1
        callback.on_train_batch_end(trainer, model, None, batch, number)


def cost_us(run: Callable[[], None]) -> float:
    """Return the time of a loop in microseconds a step."""
    began = time.perf_counter()
    run()
    return (time.perf_counter() - began) / STEPS * 1e6


def main() -> int:
    """Print the table; return 1 where the budget is broken."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    torch.set_num_threads(1)
    pairs = {"plain loop": (bare, metered)}
    pairs |= {"Hugging Face Trainer": (calls, hugging_face)} if importlib.util.find_spec("transformers") else {}
    pairs |= {"Lightning": (calls, lightning)} if importlib.util.find_spec("lightning") else {}
    taken: dict[Callable[[], None], list[float]] = {}
    for _ in range(repetitions):
        for run in dict.fromkeys(run for pair in pairs.values() for run in pair):
            taken.setdefault(run, []).append(cost_us(run))
    worst = 0.0
    print(f"{'adapter':<22} {'microseconds a step':>20}")
    for name, (without, run) in pairs.items():
        added = min(taken[run]) - min(taken[without])
        worst = max(worst, added)
        print(f"{name:<22} {added:>20.1f}")
    print(f"budget {BUDGET_US:g}: {'kept' if worst <= BUDGET_US else 'BROKEN'}")
    return 0 if worst <= BUDGET_US else 1


if __name__ == "__main__":
    sys.exit(main())
