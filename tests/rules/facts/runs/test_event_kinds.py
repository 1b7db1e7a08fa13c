"""The fact `runs.event_kinds`."""

import pytest
from dlaudit.rules.facts.runs.event_kinds import kind_of


@pytest.mark.parametrize(
    ("key", "started", "counted", "kind"),
    [
        ("global_batch_size", False, False, "option"),
        ("train_samples", False, False, "option"),
        ("train_samples", True, False, "stat"),
        ("learning_rate", True, True, "stat"),
        ("opt_base_learning_rate", True, True, "option"),
        ("seed", False, False, "identity"),
        ("submission_platform", False, False, "identity"),
        ("init_start", False, False, "mark"),
        ("block_start", True, True, "train"),
        ("eval_accuracy", True, True, "eval"),
        ("eval_samples", False, False, "option"),
        ("eval_target", False, False, "option"),
        ("tracked_stats", True, True, "stat"),
    ],
)
def test_kinds(key, started, counted, kind):
    assert kind_of(key, started=started, counted=counted) == kind
