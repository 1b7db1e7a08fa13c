"""The precisions that a caption gives to speed and quality of its table."""

from __future__ import annotations

from msgspec.structs import replace

from ....rules.language import lexicon
from ....rules.language.reading import read
from .precisions import precision_of
from .roles import VALUES, Role


def with_caption_precisions(roles: list[Role], caption: str) -> list[Role]:
    """Return the roles with the precisions that a caption gives to quality and speed: "accuracy is that of FP32"."""
    quality, speed = _named("quality_is", caption), _named("speed_is", caption)
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


def _named(concept: str, caption: str) -> str:
    """Return the precision that a caption gives to what a concept speaks of: "accuracy is that of FP32"."""
    words, fillers = read(caption, "caption"), lexicon.words("columns", "before_a_format")
    for item in words.mentions(concept):
        behind = next((token for token in words.within(item.end, len(caption)) if token.low not in fillers), None)
        named = (name for name in words.all_names if name.kind == "format")
        for name in named:
            if behind is not None and name.start <= behind.start < name.end:
                return precision_of(name.text)
    return ""
