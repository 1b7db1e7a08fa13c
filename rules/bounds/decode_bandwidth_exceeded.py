"""P04: tokens that come faster than the weights can be read."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.limits import Limit, memory_bandwidth
from ..facts.device.weights import weight_bytes
from ..facts.document.words import words_in
from ..facts.quantities.given import given
from ..facts.quantities.per_second import seconds, work_per_second
from ..language.printed import short, span
from ..language.reading import read
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
claims:
  rate:
    statement: "291 tokens/s, of a bound of 407 tokens/s: 8.22 GB are read for each token, without the input embedding."
"""
MIXED = Decimal("1.5")
"""How much more than the smallest format of its weights a model with scales and tables in another one may take."""
CACHE_BYTES = Decimal(10) ** 9
"""Weights of fewer bytes for each device may lie in caches."""


class Stream(Struct, frozen=True):
    """Tokens per second of one sequence, at least: as stated; `sure` where no other reading is possible."""

    rate: Decimal
    sure: bool
    printed: str
    at: str


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.02, "fraction of the bound", "judgement")
    tables: float = Threshold(0.1, "share of the parameters that a token does not read", "judgement: embedding tables")


@rule(
    "P04",
    "decode-bandwidth-exceeded",
    effect=REFUTES,
    confidence=C3,
    applies="inference and llm and has(bytes)",
    origin="S2, S4",
    thresholds=Thresholds,
)
def decode_bandwidth_exceeded(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """More tokens per second for one sequence than the bandwidth of the memory allows.

    ## What it does
    Each token of a sequence waits for the one before, and for every weight that it uses to be read once. The rate of
    one sequence (at concurrency or batch 1, per user, or 1 / time per output token) is compared with the bandwidth of
    all devices over the bytes of the active parameters. A tenth of the parameters may be tables that are not read.

    ## Why it misleads
    A faster stream reads fewer bytes than it says: other weights, a lower precision, or several tokens at a time.

    ## Branches
    - (a) refutes, C3: more than 2 % above bandwidth x devices / active bytes, where speculation is said to be off.
    - (b) undermines, C3: the same where nothing is said of speculation, the bandwidth is only a published figure, or a
      time per output token may be shared among concurrent requests.
    - not shown: within this bound, but above that of all stated bytes of the active parameters: which of them a token
      does not read decides.
    - not applicable: the rate is not that of one sequence or may count the prompt; active parameters, their format or
      the bandwidth are not stated; speculation is on; or the weights may lie in caches.

    ## Flagged
    On `serving` for claim `latency`:
    ```json
    {"claims": {"latency": {"statement": "A user gets 200 tokens per second.", "value": "200", "unit": "tokens/s/user",
       "quantity": "rate", "statistic": "mean", "measured": {"arm": "server", "metric": "rate"}}},
     "arms": {"server": {"footprint": {"parameters": 8.0e9, "active_parameters": 8.0e9, "bytes_per_parameter": 2},
                         "options": {"quantisation": "none", "sparsity": "none"},
                         "performance": {"rate": {"load": {"speculation": "none", "tokens_counted": "output"}}}}}}
    ```

    ## Accepted
    On `serving` for claim `latency`:
    ```json
    {"claims": {"latency": {"statement": "A user gets 90 tokens per second.", "value": "90", "unit": "tokens/s/user",
       "quantity": "rate", "statistic": "mean", "measured": {"arm": "server", "metric": "rate"}}},
     "arms": {"server": {"footprint": {"parameters": 8.0e9, "active_parameters": 8.0e9, "bytes_per_parameter": 2},
                         "options": {"quantisation": "none", "sparsity": "none"},
                         "performance": {"rate": {"load": {"speculation": "none", "tokens_counted": "output"}}}}}}
    ```

    ## How to fix
    State quantisation, chosen experts and speculation, and which tokens are counted.

    ## References
    Pope and others, Efficiently scaling transformer inference (2022).
    """
    side = case.subject(claim)
    stream = _stream(claim, case, side) if side is not None else None
    if side is None or stream is None:
        yield Inapplicable("the rate is not that of one sequence, or may count the prompt")
        return
    read, limit, devices = weight_bytes(side, active=True), memory_bandwidth(case, side.system), side.devices
    if read is None or limit is None or devices is None:
        yield Inapplicable("active parameters, their format, bandwidth or devices are not stated")
        return
    speculation = _speculation(side)
    if speculation is True or read < CACHE_BYTES * devices:
        yield Inapplicable("several tokens may come at a time, or the weights may lie in caches")
        return
    bound = limit.value * devices / (read * (1 - Decimal(str(thresholds.tables))))
    if stream.rate > bound * (1 + Decimal(str(thresholds.slack))):
        yield _violation(stream, limit, (bound, read), speculation)
        return
    every = _every_byte(side)
    slowest = limit.value * devices / every if every is not None else None
    if slowest is not None and stream.rate > slowest * (1 + Decimal(str(thresholds.slack))):
        message = (
            f"{stream.printed} for one sequence; {short(every or read)} bytes of active weights for each token allow "
            f"{short(slowest)} tokens/s, and which bytes a token does not read is not stated"
        )
        yield NotShown(message, stream.at, provide=PROVIDE)


def _every_byte(side: Side) -> Decimal | None:
    """Return the bytes of the active parameters, tables and scales among them; None where they are not stated.

    Stated bytes of a parameter that are far from the format of the weights hold more than weights.
    """
    footprint, least = side.arm.footprint, weight_bytes(side, active=True)
    if least is None or footprint is None or footprint.active_parameters is None:
        return None
    each = given(footprint.bytes_per_parameter or 0).low
    stated = given(footprint.active_parameters).low * each
    return stated if least < stated <= MIXED * least else least


def _violation(stream: Stream, limit: Limit, numbers: tuple[Decimal, Decimal], speculation: bool | None) -> Violation:
    bound, read = numbers
    sure = limit.reliable and stream.sure and speculation is False
    branch, effect = ("a", REFUTES) if sure else ("b", UNDERMINES)
    message = (
        f"{stream.printed} for one sequence; reading {short(read)} bytes of weights for each token allows at most "
        f"{short(bound)} tokens/s"
    )
    related = (Related(limit.at, f"bandwidth {short(limit.value)} bytes/s {limit.words}"),)
    return Violation(branch, effect, C3, message, stream.at, stream.printed, short(bound), related)


def _stream(claim: Claim, case: Case, side: Side) -> Stream | None:
    metric = case.metric(claim.measured)
    if claim.quantity == "rate" and claim.form == "absolute" and claim.value is not None:
        return _of_rate(claim, side, metric)
    times = metric.token_times if metric is not None else None
    if times is None or times.per_output_token is None or metric is None:
        return None
    unit = seconds(times.unit)
    each = span(times.per_output_token).high
    if unit is None or each <= 0:
        return None
    printed = f"{times.per_output_token} {times.unit} per output token"
    alone = metric.load is not None and metric.load.concurrency == 1
    return Stream(1 / (each * unit), alone, printed, times.place("per_output_token"))


def _of_rate(claim: Claim, side: Side, metric: Metric | None) -> Stream | None:
    unit = (claim.unit or "").strip()
    head, slash, last = unit.rpartition("/")
    per_user = bool(slash) and read(last).has("one_stream")
    work = work_per_second(head if per_user else unit)
    load = metric.load if metric is not None else None
    if work is None or not work.word.startswith("tok") or work.per_device or claim.value is None:
        return None
    counted = load.tokens_counted if load is not None else None
    alone = load is not None and load.concurrency == 1
    batch = side.arm.options.global_batch if side.arm.options is not None else None
    if counted != "output" or not (per_user or alone or (load is None and batch == 1)):
        return None
    value = span(claim.value, claim.qualifier, claim.digits).low
    return Stream(max(value, Decimal(0)) * work.factor, True, f"{claim.value} {unit}", claim.place("value"))


def _speculation(side: Side) -> bool | None:
    """Return whether several tokens are guessed at a time; None where nothing is said."""
    options = side.arm.options
    loads = [metric.load for metric in side.arm.performance.values() if metric.load is not None]
    said = [load.speculation for load in loads if load.speculation is not None]
    if any(text.strip().casefold() != "none" for text in said):
        return True
    if options is not None and words_in(options.decoding, options.model).has("speculation"):
        return True
    return False if said else None
