"""What sort of event a logged key is: an option, an identity, a mark, or something that training brought about.

The outcome keys are those that differ between honest runs of one published result although no option differs.
"""

from __future__ import annotations

from ...caching import remembered

IDENTITY = frozenset({"seed", "instance", "instance_id", "run_set_random_seed"})
TRAIN = frozenset({"block_start", "block_stop", "epoch_start", "epoch_stop", "train_epoch", "train_loop"})
EVAL = frozenset(
    {"eval_start", "eval_stop", "eval_accuracy", "eval_error", "eval_loss", "eval_result", "eval_iteration_accuracy"}
)
MARKS = frozenset(
    {
        *("cache_clear", "status", "run_clear_caches", "run_final", "run_start", "run_stop"),
        *("printed_begin", "printed_seconds", "printed_ap"),
    }
)
BESIDE_STOP = "run_stop.value"
"""The number that a log writes into its stop beside the status, as an event of its own."""
OUTCOMES = frozenset(
    {
        *("tracked_stats", "train_loss", "train_accuracy", "throughput", "tflops_per_sec_per_gpu", "trained_samples"),
        *("checkpoint", "train_checkpoint", "data_file", "weights_initialization", "target_accuracy_reached"),
        *("epoch_num", "epoch_count", "first_epoch_num", "opt_step", "power", "system_power", BESIDE_STOP),
    }
)
READINGS = ("current_", "actual_")
"""Keys of what a run read while it trained, not what it was told."""
COUNTED_LATE = frozenset({"train_samples", "eval_samples"})
"""Sizes of the data sets when logged before the start, counters of what was consumed after it."""
EVAL_OPTIONS = ("eval_target", "eval_size", "eval_samples", "eval_batch", "eval_interval", "eval_hp", "eval_freq")


def kind_of(key: str, *, started: bool = False, counted: bool = False) -> str:
    """Return option, identity, mark, train, eval or stat.

    Args:
        key: the logged key.
        started: whether the run's clock had started when it was logged.
        counted: whether a counter of samples, steps or epochs stands with it.
    """
    kind = _of_key(key)
    if kind == "late":
        return "stat" if started else "option"
    if kind == "option" and started and counted and not key.startswith("opt_"):
        return "stat"
    return kind


@remembered(4096)
def _of_key(key: str) -> str:
    if key in COUNTED_LATE:
        return "late"
    if key in IDENTITY or key.startswith("submission_") or key.endswith("_seed"):
        return "identity"
    if key in TRAIN:
        return "train"
    if key in EVAL:
        return "eval"
    if key in MARKS or key.endswith(("_start", "_stop")):
        return "mark"
    if key in OUTCOMES or key.startswith(READINGS) or (key.startswith("eval_") and not key.startswith(EVAL_OPTIONS)):
        return "stat"
    return "option"
