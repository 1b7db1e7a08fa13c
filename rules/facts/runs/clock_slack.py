"""How far apart two stamps of one log may lie although they mean one moment."""

from __future__ import annotations

from ...trace import Logged


def slack_ms(run: Logged, one_s: float = 1.0, ranks_s: float = 5.0) -> float:
    """Return the slack in milliseconds: that between ranks where the log is not known to be of one process."""
    return 1000 * (one_s if run.run.processes == 1 else ranks_s)
