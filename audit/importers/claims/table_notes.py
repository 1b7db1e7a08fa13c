"""What the note of a table, and the labels of its arms, say of each side: "H100 FP8, A100 FP16", "(BS=16)", "TP=1".

A note is a footnote, or the text right below a table that says nothing but how its numbers came about. What it says
of one side is told by the name of a device in the same part of a sentence; what it says of no side is of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....rules.language import lexicon
from ....rules.language.names import Name
from ....rules.language.reading import Reading, read
from ....schemas.pattern import Pattern
from ..documents.blocks import Place, Written
from ..draft import Origin
from ..drafting import ArmDraft
from ..tables.devices import one_device_in
from ..tables.precisions import variants_of
from .arms import origin, put_condition
from .context import Surroundings

PARTS = Pattern(r"[,;]|\.(?![0-9])|\band\b")
"""What parts the sides that a sentence tells apart."""
VERSION = Pattern(r"(.*?)[ =]v?([0-9]+(?:\.[0-9]+)+\S*)")
BATCHES = frozenset({"batch_size"})
PARALLEL = "tensor_parallel"
MIXED = "mixed precision"


def notes_of(document: Written, index: int, around: Surroundings) -> Iterator[int]:
    """Yield the notes of a table: the texts right beside it that say only how its numbers were taken."""
    blocks = document.blocks
    for at in (index - 1, index + 1):
        if not 0 <= at < len(blocks) or blocks[at].kind not in {"paragraph", "footnote", "quote", "item"}:
            continue
        leads = at > index and at + 1 < len(blocks) and blocks[at + 1].kind == "table"
        if not leads and at not in around.numbered and _is_note(blocks[at].text):
            yield at


def _is_note(text: str) -> bool:
    sentences = [text[start:end] for start, end in read(text).sentences()]
    return bool(sentences) and all(_tells_how(read(sentence)) for sentence in sentences)


def _tells_how(reading: Reading) -> bool:
    if reading.has("claims.no_setup", affirmed=False):
        return False
    named = any(name.kind in {"format", "device", "library", "framework"} for name in reading.all_names)
    words = {token.low for token in reading.tokens}
    told = named or bool(reading.counts()) or "batch" in words
    taken = lexicon.word_set("make_a_sentence").isdisjoint(words) or (
        not lexicon.word_set("says_run").isdisjoint(words) and not reading.comparisons()
    )
    return reading.has("claims.setup") or (told and taken)


def give_sides(arms: Sequence[ArmDraft], file: str, notes: Sequence[tuple[str, Place]]) -> None:
    """Give the arms of a table what its notes and their own labels say of each."""
    for arm in arms:
        _of_label(arm, notes)
    for text, place in notes:
        where = origin(file, place)
        alone = len(set(variants_of(text))) == 1 or MIXED in variants_of(text)
        for part, names in _sides(text):
            if names or alone:
                _precision(arms, part, names, where)
        _software([arm for arm in arms if "software" not in arm.fields], read(text), where)
        ways = {int(count.value) for count in read(text).counts(PARALLEL)}
        for arm in arms if len(ways) == 1 else ():
            if PARALLEL not in arm.fields.get("options", {}):
                put_condition(arm, PARALLEL, next(iter(ways)), where, {})
    for arm in arms if any(read(text).counts(PARALLEL) for text, _ in notes) else ():
        _one_instance(arm)


def _of_label(arm: ArmDraft, notes: Sequence[tuple[str, Place]]) -> None:
    """Put batch, device and parallelism that a label states."""
    label, options = arm.fields.get("label") or "", arm.fields.get("options", {})
    reading = read(label)
    device = one_device_in(label) or _only_name(reading)
    if device and "system" not in arm.fields:
        put_condition(arm, "device", device, _place(arm), {})
    ways = {int(count.value) for count in reading.counts(PARALLEL)}
    if len(ways) == 1 and PARALLEL not in options:
        put_condition(arm, PARALLEL, ways.pop(), _place(arm), {})
    batches = [count for count in reading.counts() if count.of in BATCHES]
    stated = any("batch" in each.casefold() for each in (*options, *options.get("extra", {})))
    if not batches or stated:
        return
    arm.place(_place(arm), "options")
    if len({count.value for count in batches}) > 1:
        arm.keep("batch size", label[batches[0].start : batches[-1].end], _place(arm))
    elif any(_is_each(read(text)) for text in (label, *(text for text, _ in notes))):
        arm.options(_place(arm), per_device_batch=int(batches[0].value))
    elif arm.fields.get("devices") == 1:
        arm.options(_place(arm), global_batch=int(batches[0].value))
    else:
        arm.keep("batch size", int(batches[0].value), _place(arm))


def _only_name(reading: Reading) -> str:
    """Return the only name of a device, such as has no number: "First-gen Gaudi"."""
    named = {name.text for name in reading.names("device") if not name.host}
    return named.pop() if len(named) == 1 else ""


def _place(arm: ArmDraft) -> Origin:
    held = (arm.draft.origins.get(f"/arms/{arm.key}{field}") for field in ("/label", ""))
    return next((each for each in held if each is not None), Origin(""))


def _is_each(reading: Reading) -> bool:
    """Whether a text calls the batch that of one device: "BS is the batch size per device"."""
    each = ("per device", "per gpu", "per accelerator", "per card", "per chip", "/device", "/gpu")
    low = reading.source.casefold()
    return "batch" in low and any(words in low for words in each)


def _sides(text: str) -> Iterator[tuple[str, tuple[Name, ...]]]:
    """Yield the parts of a note that name a precision, each with the devices that it is said of."""
    for start, end in read(text).sentences():
        waiting: tuple[Name, ...] = ()
        for piece in PARTS.split(text[start:end]):
            part = piece or ""
            reading = read(part)
            waiting = (*waiting, *reading.names("device"))
            if variants_of(part):
                yield part, waiting
                waiting = ()


def _one_instance(arm: ArmDraft) -> None:
    """Put the devices of an arm that serves, where nothing says more than over how many a model is split."""
    ways = arm.fields.get("options", {}).get("tensor_parallel")
    modes = {claim["mode"] for claim in arm.draft.claims.values() if claim.get("measured", {}).get("arm") == arm.key}
    if ways is not None and modes == {"inference"} and "devices" not in arm.fields:
        arm.put(_place(arm), devices=ways)


def _precision(arms: Sequence[ArmDraft], part: str, names: Sequence[Name], where: Origin) -> None:
    formats = variants_of(part)
    named = MIXED if MIXED in formats else formats[0] if len(formats) == 1 else ""
    # where labels name formats, these tell the rows apart: a note of no side is of those that it names
    varied = any(variants_of(arm.fields.get("label") or "") for arm in arms)
    for arm in arms if named else ():
        told = any(_is_of(arm, name.text) for name in names) if names else not varied
        if told and "precision" not in arm.fields.get("options", {}):
            arm.precision(where, compute=named)


def _is_of(arm: ArmDraft, device: str) -> bool:
    """Whether the label of an arm names a device, or one of the family that it is said of: "Gaudi" of "Gaudi2"."""
    wanted = _plain(device)
    return any(_plain(name.text).startswith(wanted) for name in read(arm.fields.get("label") or "").names("device"))


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def _software(arms: Sequence[ArmDraft], reading: Reading, where: Origin) -> None:
    for name in (*reading.names("library"), *reading.names("framework")):
        match = VERSION.fullmatch(name.text)
        if match is not None:
            for arm in arms:
                arm.library(match[1].strip(), match[2].rstrip("."), where)
