"""How long the rules took, the slowest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping


def render(documents: Iterable[Mapping[str, int]], decisions: int) -> str:
    """Return a table of rules by time.

    Args:
        documents: per document, nanoseconds by rule code.
        decisions: how many (rule, claim) pairs were decided.
    """
    times_ns: Counter[str] = Counter()
    for times in documents:
        times_ns.update(times)
    total = sum(times_ns.values()) or 1
    lines = [f"{decisions} decisions, {total / 1e6:.1f} ms in rules"]
    lines += [f"  {code:<6}{spent / 1e6:9.2f} ms {spent / total:6.1%}" for code, spent in times_ns.most_common()]
    return "\n".join(lines) + "\n"
