"""The model card that the Hugging Face Trainer writes beside its results: hyperparameters and versions of the run."""

from __future__ import annotations

from ....schemas.pattern import Pattern
from ..draft import Drafting, Origin, at
from ..report_file import ReportFile
from ..tables.epochs import TRAINER
from ..tables.grids import grids

WRITTEN = ("generated_from_trainer", "generated automatically according to the information the Trainer")
COUNTS = {
    "train_batch_size": ("options", "per_device_batch"),
    "total_train_batch_size": ("options", "global_batch"),
    "gradient_accumulation_steps": ("options", "accumulation"),
    "num_devices": ("devices",),
    "seed": ("options", "seed"),
}
PACKAGES = frozenset({"transformers", "pytorch", "datasets", "tokenizers", "tensorflow", "peft", "accelerate"})
MOST_LINES = 20_000
_SETTING = Pattern(r"- ([a-z][a-z_]{1,60}): (\S.{0,400})")
_VERSION = Pattern(r"- ([A-Za-z]{2,20}) ([0-9][0-9A-Za-z.+-]{0,40})")
_HEADING = Pattern(r"#{1,6} (.{1,80})")


def is_card(file: ReportFile) -> bool:
    """Whether a file is a card as the Trainer writes it, with no table but that of its evaluations."""
    if file.short_name.casefold() != "readme.md" or not any(words in file.text[:20_000] for words in WRITTEN):
        return False
    return all({cell.text.casefold() for cell in table.header} >= TRAINER for table in grids(file))


def draft_card(draft: Drafting, arm: str, card: ReportFile) -> None:
    """Put the hyperparameters and versions of a card where the results themselves state none."""
    heading = ""
    for number, text in enumerate(card.lines[:MOST_LINES], 1):
        line, where = text[:1000].strip(), Origin(card.name, number, 3)
        if (found := _HEADING.fullmatch(line)) is not None:
            heading = found[1].casefold()
        elif "hyperparameters" in heading and (found := _SETTING.fullmatch(line)) is not None:
            _setting(draft, arm, found[1], found[2].strip(), where)
        elif "versions" in heading and (found := _VERSION.fullmatch(line)) is not None:
            known = found[1].casefold() in PACKAGES
            draft.put(at("arms", arm, "software", "packages", found[1].casefold()), found[2] if known else None, where)


def _setting(draft: Drafting, arm: str, name: str, text: str, where: Origin) -> None:
    held, steps = draft.value["arms"][arm], COUNTS.get(name)
    if steps is None or not (text.isascii() and text.isdigit() and len(text) < 16 and (int(text) or name == "seed")):
        draft.keep(arm, name, text, where)
        return
    for step in steps:
        held = held.get(step, {}) if isinstance(held, dict) else held
    if held == {}:
        draft.put(at("arms", arm, *steps), int(text), where)
