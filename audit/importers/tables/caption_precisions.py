"""The precisions that a caption gives to speed and quality of its table."""

from __future__ import annotations

from msgspec.structs import replace

from ....schemas.pattern import Pattern
from .roles import VALUES, Role, precision_of, variants_of

_FILLING = (
    r"(?:(?:that|those|given|measured|evaluated|reported|taken|computed|run|of|for|from|in|with|on|by|using|the|a|an|"
    r"model|original|unquanti[sz]ed|full|precision|baseline) )*"
)
_QUALITY = Pattern(
    rf"\b(?:accurac(?:y|ies)|quality|top-?1|bleu|f1|map|perplexity) (?:is|are|was|were) {_FILLING}(?P<format>[\w-]+)"
)
_SPEED = Pattern(
    rf"\b(?:speeds?|throughputs?|latenc(?:y|ies)|rates?|times?|performance) (?:is|are|was|were) {_FILLING}"
    r"(?P<format>[\w-]+)"
)


def with_caption_precisions(roles: list[Role], caption: str) -> list[Role]:
    """Return the roles with the precisions that a caption gives to quality and speed: "accuracy is that of FP32"."""
    quality, speed = _named(_QUALITY, caption), _named(_SPEED, caption)
    held = {role.variant for role in roles if role.role in VALUES and role.role != "accuracy" and role.variant}
    speeds = held or ({speed} if speed else set())
    if not quality or not speeds or quality in speeds:
        return roles
    return [
        replace(role, variant=quality if role.role == "accuracy" else speed)
        if role.role in VALUES and not role.variant and (role.role == "accuracy" or not held)
        else role
        for role in roles
    ]


def _named(pattern: Pattern, caption: str) -> str:
    match = pattern.search(caption.casefold())
    return precision_of(match["format"]) if match is not None and variants_of(match["format"]) else ""
