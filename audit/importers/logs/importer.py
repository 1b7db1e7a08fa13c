"""Logs of trainings: lines that print numbers by name, of an epoch or a step that grows.

Known by that shape, not by the tool: Megatron, DeepSpeed, torchtitan, fairseq, nanoGPT, Keras, Detectron2, MMEngine,
timm and loops of one's own. A name stands before its number, with `:`, `=` or a space between them; times, levels and
places in the code that a logger puts before a line are passed over, as are colours and the bars that a line replaces.
`Epoch [3][10/500]`, `Train: [2/10][490/1251]`, `iteration 100/ 5000`, `step:10` count the training; a line that counts
nothing is of the epoch and step before it. Lines in the middle of an evaluation (`Test: [10/49]`) are left out: what
they print is of a part of the data.

Qualities become evaluations, with the split that their name, the name before it or the beginning of the line names; a
loss without one is of the training, and so is what stands beside it in lines of single steps, or has a `val_` of its
own. Rates, operations per second, utilisations and times with a unit become raw numbers; a time that only grows is that
since the start. Batch size, sequence length and devices are options where every line prints the same. The last value of
each is claimed, but of what was taken on the training data and of times of a part of a step. A time without a unit and
what has no known name stay out. A text with links, tables or blocks of code is written for readers, and no log.
"""

from __future__ import annotations

from ....schemas.errors import UserError
from ..draft import Draft
from ..drafting import Drafting
from ..interface import Field, Importer
from ..report_file import ReportFile
from .drafts import draft_lines
from .lines import MOST_LINES, lines_of

FIELDS = (
    Field("epoch, step, iteration, [3][10/500]", "trials.t1.evaluations.epoch, step"),
    Field("loss, accuracy, ppl, ... of a step", "trials.t1.evaluations.metrics, split"),
    Field("throughput, TFLOP/s, MFU, ms of a step", "trials.t2.samples, performance, claims", "the last value"),
    Field("a time that only grows", "performance, claims", "scope: training_run"),
    Field("batch size, sequence length, devices", "options, devices", "where every line prints the same"),
    Field("the last quality outside the training data", "quality, claims"),
)
ARM = "run"


def read(file: ReportFile) -> Draft:
    """Return the submission of one log.

    Raises:
        UserError: it is none.
    """
    lines = lines_of(file)
    if not lines:
        raise UserError("no named numbers stand by epoch or step", "give the log as it was printed", file.name)
    draft = Drafting(f"training log {file.short_name}")
    draft_lines(draft.arm(ARM), file, lines)
    if len(file.lines) > MOST_LINES:
        draft.unused.append(
            f"lines from {MOST_LINES + 1:,} on, {len(file.lines) - MOST_LINES:,} of {len(file.lines):,}"
        )
    return draft.done(file)


def recognises(file: ReportFile) -> bool:
    """Whether a file is the log of a training."""
    return bool(lines_of(file))


IMPORTER = Importer(
    name="log",
    title="logs of trainings: Megatron, DeepSpeed, torchtitan, fairseq, Keras, ...",
    doc=__doc__,
    signatures=(),
    fields=FIELDS,
    read=read,
    recognises=recognises,
)
