"""Training curves: AlgoPerf, Lightning, Keras and Weights & Biases tables.

A CSV or TSV file with a column of progress (`epoch`, `step`, `global_step`, `trainer/global_step`, the unnamed index of
a saved Keras history) and columns of metrics: AlgoPerf's `eval_measurements.csv`, Lightning's `metrics.csv`, a Keras
history, an export of Weights & Biases. The rows become the evaluations of one run, so the progress has to grow from row
to row. A table of whole runs, each with its device or its number of epochs, is no curve; a file in which the progress
begins again holds several, and is refused. A heading with `train`, `val` or `test` names the split; in a Keras history
a name without `val_` is of the training data; else the split stays unlabelled. Where an export of Weights & Biases
names several runs (`RUN - METRIC`), each is an arm of its own. The last value of each metric outside the training data
is claimed; a file with training metrics alone makes no claim. A loss that ends at `nan` or `inf` is a run that
diverged: that metric is not claimed, and named as not used. A time of the running process that goes back, as after a
run was taken up again, is not read. Hardware, batch and seed are not there.
"""

from __future__ import annotations

from ....schemas.errors import UserError
from ..draft import Draft
from ..drafting import Drafting
from ..interface import Field, Importer
from ..report_file import ReportFile
from .columns import claim_last, curve_of, draft_curve, restarts

FIELDS = (
    Field("epoch, step, global_step, trainer/global_step, _step, iteration", "trials.t1.evaluations.epoch, step"),
    Field("accumulated_submission_time, _runtime", "trials.t1.evaluations.time_s", "s"),
    Field("loss, accuracy, auc, bleu, ... with train, val, test", "trials.t1.evaluations.metrics, split"),
    Field("train, validation, test/num_examples", "trials.t1.evaluations.examples", "of AlgoPerf"),
    Field("RUN - METRIC", "arms", "of Weights & Biases, beside RUN - METRIC__MIN"),
    Field("the last of each outside the training data", "quality, claims"),
    Field("NAME__MIN, NAME__MAX", "", "of Weights & Biases: not used"),
)


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    draft = Drafting(f"training curve {file.short_name}")
    curve = curve_of(file)
    again = restarts(file, curve) if curve is not None else None
    if again is not None:
        what = f"{again[0]!r} begins again here: this holds the curves of several runs"
        raise UserError(what, "give each run a file of its own", f"{file.name}:{again[1]}")
    if curve is not None and draft_curve(draft, file, curve) is not None:
        claim_last(draft, file, curve, percent=False)
    return draft.done(file)


def recognises(file: ReportFile) -> bool:
    """Whether a file is a table with a column of progress and one of a metric."""
    return file.json is None and file.broken is None and not file.roles.by_heading and curve_of(file) is not None


IMPORTER = Importer(
    name="curve",
    title="training curves: AlgoPerf, Lightning, Keras, Weights & Biases",
    doc=__doc__,
    signatures=(),
    fields=FIELDS,
    read=read,
    recognises=recognises,
)
