"""What the name of a quality says that it is: a level, or a change of one."""

from __future__ import annotations

import re

from ....schemas.pattern import Pattern

_CHANGE = Pattern(
    r"[δ∆]|\b(?:diff|difference|delta|change(?! detection)|gain|drop|degradation|improvement|reduction|increase|"
    r"decrease|decline|gap|lift|recovery|retention|retained|recovered|preserved)s?\b|\bregressions?(?: \([^()]*\))?$|"
    r"\b(?:vs|versus|relative|rel|compared|normali[sz]ed)\b|"
    r"\b(?:accuracy|acc|quality|bleu|f1|map|miou|auc|top-? ?[15]) loss\b|\bloss (?:in|of) \w",
    re.IGNORECASE,
)


def is_change(name: str) -> bool:
    """Whether a quality is the change, or the share, of another level of it: "Δ top-1", "accuracy drop"."""
    return _CHANGE.search(name.replace("_", " ").replace("-", " ")) is not None
