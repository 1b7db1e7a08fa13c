"""Logs of training: what one rule leaves to another."""

from support.answers import found
from support.training_logs import CLAIM, EVENTS, START, STOP, of_run


def test_a_stop_written_last_with_the_time_of_the_first_passing_checkpoint_is_honest(judged):
    """Training runs on beyond it, and its checkpoints are evaluated after all of it."""
    later = {
        "83": {"time_ms": START + 600_000},
        "84": None,
        "85": {"time_ms": STOP + 60_000, "key": "eval_start", "epoch": 6},
        "88": {"time_ms": STOP + 90_000},
        "89": {"time_ms": STOP + 91_000},
        "86": {"time_ms": STOP + 30_000, "key": "epoch_start", "epoch": 6},
        "87": {"time_ms": STOP + 50_000, "key": "epoch_stop", "epoch": 7},
        "90": {"time_ms": EVENTS["79"]["time_ms"] + 500},
    }
    for code in ("F39", "F40"):
        assert found(judged("suite-training", code, CLAIM, of_run(later))) == "pass"
