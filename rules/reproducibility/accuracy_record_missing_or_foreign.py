"""R13: an accuracy that no record shows, or whose record scored other outputs."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.runs import AccuracyRecord
from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case
from ..facts.runs.files import digests
from ..fields import field_of
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..trace import Logged

ITEM = "accuracy record"
PROVIDE = """\
arms:
  offline:
    runs:
      accuracy:
        role: accuracy
        record:
          file: {name: results/server/resnet/Offline/accuracy/accuracy.txt}
          metrics: {accuracy: "76.234"}
          named_sha256: "digest that the record names"
          outputs_sha256: "digest of mlperf_log_accuracy.json"
          outputs: whole
"""


@rule(
    "R13",
    "accuracy-record-missing-or-foreign",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(pair)",
    origin="MEAS, ML",
)
def accuracy_record_missing_or_foreign(claim: Claim, case: Case) -> Iterator[Branch]:
    """An accuracy run without the record of its scoring, or with the record of other outputs.

    ## What it does
    Looks in the accuracy runs behind a claim for the record that the scoring wrote: its metric, and the digest of the
    outputs that it scored, which is compared with that of the outputs handed in. Outputs that were truncated for
    handing in have another digest than the whole file, which the record names: nothing is compared then.

    ## Why it misleads
    A performance run says nothing of accuracy. A record of other outputs says nothing of this run.

    ## Branches
    - (a) undermines, C3: the digest that the record names is not that of the outputs, which were handed in whole.
    - not shown: the accuracy run, its record or the record's metric is missing. Required (accuracy record) of results
      of an inference suite, from the reviewer profile on; not of quoted, verified entries.
    - not shown: the outputs were withheld or are empty, or one of the two digests is missing.
    - not shown: another run of the folder, with a log of its own, scored outputs of the very same digest.
    - not applicable: no harness here writes such a record.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"accuracy": {"record": {"named_sha256": "ab72c333fb51632176cb3cba80240d6c"}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, where the record names the digest of the outputs.

    ## How to fix
    Score the outputs again, and hand in the record with them.

    ## References
    Published inference results; the suite asks for the digest in accuracy.txt.
    """
    runs = [run for run in case.runs(claim) if run.role == "accuracy"]
    if not runs:
        if field_of("suite", claim, case) != "inference":
            yield Inapplicable("no harness here writes an accuracy record")
            return
        yield NotShown("no accuracy run of the result was handed in", claim.at, ITEM, PROVIDE)
    for run in runs:
        yield from _record(run, run.run.record)
        yield from _scored_twice(run, case.whole or case)


@fact
def _by_outputs(case: Case) -> dict[str, tuple[Logged, ...]]:
    """Return the accuracy runs of a folder by the digest of the outputs that their records name."""
    found: dict[str, list[Logged]] = {}
    for name in case.submission.arms:
        side = case.own(name)
        for run in case.runs_of(side) if side is not None else ():
            record = run.run.record
            if run.role == "accuracy" and record is not None and record.named_sha256:
                found.setdefault(record.named_sha256.casefold(), []).append(run)
    return {digest: tuple(runs) for digest, runs in found.items() if len(runs) > 1}


def _scored_twice(run: Logged, case: Case) -> Iterator[NotShown]:
    """Yield outputs that stand with two runs whose logs differ; one run may serve several scenarios."""
    record = run.run.record
    named = record.named_sha256.casefold() if record is not None and record.named_sha256 else ""
    own = digests(run)
    for other in _by_outputs(case).get(named, ()):
        if record is not None and own and digests(other) and not set(own) & set(digests(other)):
            what = f"the outputs scored for {run.name} are byte for byte those of {other.name}, a run of its own"
            related = (Related(other.place("record"), "the same outputs"),)
            yield NotShown(f"{what}: of which they are", record.at, "", PROVIDE, related, question=True)
            return


def _record(run: Logged, record: AccuracyRecord | None) -> Iterator[Branch]:
    if record is None or not record.metrics:
        what = "no record of its scoring" if record is None else "a record without a metric"
        yield NotShown(f"the accuracy run {run.name} has {what}", run.place("record"), ITEM, PROVIDE)
    if record is None:
        return
    if record.outputs == "truncated" and record.metrics and not record.named_sha256:
        what = f"the record of {run.name} names no digest of the outputs that it scored"
        yield NotShown(what, record.at, provide=PROVIDE)
    if record.outputs == "truncated":
        return
    named, scored = record.named_sha256, record.outputs_sha256
    if named and scored and named.casefold() != scored.casefold():
        message = f"the record names the outputs {named[:16]}, those handed in have {scored[:16]}"
        at = record.place("named_sha256")
        yield Violation("a", UNDERMINES, C3, message, at, named, scored)
    elif record.outputs == "withheld" or not named or not scored:
        missing = (
            "the scored outputs were withheld" if record.outputs == "withheld" else "a digest of the outputs is missing"
        )
        yield NotShown(f"{missing}: whether {run.name} was scored is open", record.at, provide=PROVIDE)
