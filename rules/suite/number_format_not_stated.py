"""Q19: a result that does not say in which number formats it was computed."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import described, quoted
from ..language.questions import format_of
from ..language.reading import read
from ..outcome import Branch, Inapplicable, NotShown
from ..registry import rule
from ..tables import mlperf
from ..tables.datasets import plain

ITEM = "number format"
PROVIDE = """\
arms:
  trained:
    options: {precision: {compute: bf16, weights: bf16, accumulate: fp32}}
"""
LOGGED = ("precision", "dtype", "number_format", "data_type")
"""Parts of the keys under which logs carry a number format."""


@rule("Q19", "number-format-not-stated", applies="suite", origin="POL, MEAS, S0")
def number_format_not_stated(claim: Claim, case: Case) -> Iterator[Branch]:
    """A result whose number formats are missing, or a placeholder.

    ## What it does
    Looks for number formats in the options of the arm, in the fields of its description that name data types, and in
    options that the runs log. A notation of weights and activations (W8A8) says it, too.

    ## Why it misleads
    Half the bits are twice the speed. Without the format nobody knows what was compared.

    ## Branches
    - not shown: no format is stated, or what stands there names none. Required (number format) of results of a suite,
      from the reviewer profile on.
    - not applicable: a training round before logs had to name one, or a round that is not stated.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"options": {"precision": null, "quantisation": null},
       "description": {"fields": {"weight_data_types": "UNSET", "input_data_types": "-"}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, with int8 weights and inputs.

    ## How to fix
    State the format of weights, inputs and computation.

    ## References
    MLPerf rules on numerics. Hoefler, Twelve ways to fool the masses, way 7.
    """
    result = quoted(claim)
    vague = _vague(claim, case) if result.part == "inference" else None
    if vague is None and _stated(claim, case):
        return
    if result.part == "training":
        table = mlperf.training().number_formats
        if result.round is None or not mlperf.since(result.round, table.from_round):
            yield Inapplicable(f"rounds before v{table.from_round} do not ask logs for a number format")
            return
    fields = mlperf.inference().system_fields.data_types if result.part == "inference" else ()
    texts = [(name, text) for name in fields if (text := described(claim, case, name)) is not None]
    written = [(name, text) for name, text in texts if not _names_format(text)]
    if written:
        side = case.subject(claim)
        assert side is not None
        assert side.arm.description is not None
        name, text = written[0]
        place = side.arm.description.place("fields", name)
        yield NotShown(f'{name} names no number format: "{text}"', place, ITEM, PROVIDE)
    else:
        yield NotShown("no number format is stated", claim.at, ITEM, PROVIDE)


def _vague(claim: Claim, case: Case) -> str | None:
    """Return a data type of the weights that is written and names no number format; None where all name one."""
    for name in mlperf.inference().system_fields.data_types:
        text = described(claim, case, name)
        if "weight" in name and text is not None and text.strip() and not _names_format(text):
            return name
    return None


def _stated(claim: Claim, case: Case) -> bool:
    side = case.subject(claim)
    if _names_format(claim.statement):
        return True
    if side is None:
        return False
    options = side.arm.options
    if options is not None and (options.precision is not None or _names_format(options.quantisation or "")):
        return True
    names = mlperf.inference().system_fields.data_types
    if any(_names_format(described(claim, case, name) or "") for name in names):
        return True
    logged = [item for run in case.runs_of(side) for item in run.trace.options.items()]
    formats = [values for key, values in logged if any(word in key.casefold() for word in LOGGED)]
    return any(isinstance(value, str) and value for values in formats for value in values)


def _names_format(text: str) -> bool:
    """Whether a text names a number format; that several are mixed names none, and a width alone may be any."""
    words = read(text)
    kind = words.has("kind_of_number")
    found = {format_of(name.text) for name in words.names("format") if kind or not name.text.casefold().endswith("bit")}
    listed = (plain(name) for name in mlperf.training().number_formats.names)
    return bool(found - {None, "mixed"}) or plain(text) in listed
