"""The model card that the Hugging Face Trainer writes beside its results: hyperparameters and versions of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....schemas.pattern import Pattern
from ..draft import Origin
from ..drafting import ArmDraft
from ..report_file import ReportFile
from ..tables.epochs import TRAINER
from ..tables.in_documents import grids

if TYPE_CHECKING:
    from ..fields import OptionsFields

WRITTEN = ("generated_from_trainer", "generated automatically according to the information the Trainer")
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


def draft_card(arm: ArmDraft, card: ReportFile) -> None:
    """Put the hyperparameters and versions of a card where the results themselves state none."""
    heading = ""
    for number, text in enumerate(card.lines[:MOST_LINES], 1):
        line, where = text[:1000].strip(), Origin(card.name, number, 3)
        if (found := _HEADING.fullmatch(line)) is not None:
            heading = found[1].casefold()
        elif "hyperparameters" in heading and (found := _SETTING.fullmatch(line)) is not None:
            _setting(arm, found[1], found[2].strip(), where)
        elif "versions" in heading and (found := _VERSION.fullmatch(line)) is not None:
            known = found[1].casefold() in PACKAGES
            arm.package(found[1].casefold(), found[2] if known else None, where)


def _setting(arm: ArmDraft, name: str, text: str, where: Origin) -> None:
    """Put a hyperparameter that the results do not state; what is no option of its own is kept as it is printed."""
    options: OptionsFields = {}
    if text.isascii() and text.isdigit() and len(text) < 16 and (int(text) or name == "seed"):
        match name:
            case "train_batch_size":
                options["per_device_batch"] = int(text)
            case "total_train_batch_size":
                options["global_batch"] = int(text)
            case "gradient_accumulation_steps":
                options["accumulation"] = int(text)
            case "seed":
                options["seed"] = int(text)
            case "num_devices":
                arm.put(where, devices=int(text) if "devices" not in arm.fields else None)
                return
    if not options:
        arm.keep(name, text, where)
    elif not options.keys() & arm.fields.get("options", {}).keys():
        arm.options(where, **options)
