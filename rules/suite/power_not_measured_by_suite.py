"""Q29: performance per watt from a power that the suite did not measure."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.energy import Energy, MeterReadings, MeterSession
from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.words import Words
from ..facts.suite.words import apart, around, main_words
from ..language.answers import Mention
from ..language.printed import short
from ..language.reading import Reading, read
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, NotShown, Violation
from ..registry import Threshold, rule
from ..tables import mlperf


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    printed: float = Threshold(0.01, "share between a log and what its meter prints of it", "judgement")
    contradictory: float = Threshold(
        0.01, "share of readings whose power is not that of voltage and current", "judgement"
    )
    repeat: float = Threshold(120, "readings in a row that are alike", "judgement: mains voltage moves")
    copied: float = Threshold(60, "readings that two logs share in stretches", "judgement")


def contradictions(energy: Energy, thresholds: Thresholds) -> Iterator[Violation]:
    """Yield what contradicts that the suite measured this power in this run.

    Args:
        energy: the energy of an arm.
        thresholds: those of the rule.
    """
    if energy.readings is not None:
        yield from _of_readings(energy.readings, thresholds)
    if energy.session is not None:
        yield from _of_session(energy.session)
        yield from _printed(energy.session, energy.readings, thresholds)


def _of_readings(readings: MeterReadings, thresholds: Thresholds) -> Iterator[Violation]:
    if readings.copied is not None and readings.copied >= thresholds.copied:
        message = (
            f"{readings.copied} readings of the run stand in the log of the run that set the meter's range, or earlier "
            "in their own"
        )
        yield Violation("b", REFUTES, C3, message, readings.place("copied"))
    if readings.longest_repeat is not None and readings.longest_repeat >= thresholds.repeat:
        message = f"{readings.longest_repeat} readings in a row are alike in power, voltage and current"
        yield Violation("c", UNDERMINES, C3, message, readings.place("longest_repeat"))
    wrong = readings.contradictory
    if wrong and readings.count and wrong > thresholds.contradictory * readings.count:
        message = (
            f"in {wrong} of {readings.count} readings the power is neither the product of voltage, current and power "
            "factor nor the sum of its channels"
        )
        yield Violation("c", UNDERMINES, C3, message, readings.place("contradictory"))


def _of_session(session: MeterSession) -> Iterator[Violation]:
    if len(session.identities) > 1:
        message = f"the power is that of another run: {' beside '.join(session.identities)}"
        at = session.place("identities")
        yield Violation("b", REFUTES, C3, message, at, session.identities[0], session.identities[1])
    for name, file in session.files.items():
        if file.found is not None and file.found != file.recorded:
            message = f"{name} is not the file that the session recorded"
            yield Violation("c", UNDERMINES, C3, message, file.at, file.recorded, file.found)
    if session.in_phase is False:
        message = "the run or its readings do not lie in the phase of the session that they are said to be of"
        yield Violation("c", UNDERMINES, C3, message, session.place("in_phase"))
    if session.debug:
        message = "the session was run in debug mode, which is for trying the tool out"
        yield Violation("c", UNDERMINES, C3, message, session.place("debug"))


def _printed(session: MeterSession, readings: MeterReadings | None, thresholds: Thresholds) -> Iterator[Violation]:
    """Compare a power log with what the meter's own program printed of it."""
    if readings is None:
        return
    for name, unit, printed, found in (
        ("mean_power_w", "W on average", session.printed_mean_power_w, readings.mean_power_w),
        ("count", "readings", session.printed_readings, readings.count),
    ):
        if printed is not None and found is not None and abs(found - printed) > thresholds.printed * printed:
            message = f"the power log holds {short(found)} {unit}, the meter's program printed {short(printed)}"
            yield Violation("c", UNDERMINES, C3, message, readings.place(name), short(printed), short(found))


ITEM = "records of the power measurement"
RECORDS = """\
performance/run_1/spl.txt
performance/ranging/spl.txt
performance/power/client.json
performance/power/server.json
performance/power/ptd_logs.txt
"""
PROVIDE = """\
arms:
  server:
    energy: {boundary: node, method: meter, mean_power_w: 6512, source: "wall meter of the suite's power workflow"}
"""


@rule(
    "Q29",
    "power-not-measured-by-suite",
    effect=REFUTES,
    confidence=C3,
    applies="suite and energy",
    origin="POL, S0",
    thresholds=Thresholds,
)
def power_not_measured_by_suite(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """An efficiency in the name of the suite whose power is a rating, a model, or that of a board.

    ## What it does
    Reads where the power comes from: the method and the boundary of the arm's energy, its stated source, and the words
    of the sentence where no method is stated. The suite measures the whole system, in the run that gives the score.

    ## Why it misleads
    A thermal design power is a rating for coolers. Systems draw more, or less, and the rest of the machine on top.

    ## Branches
    - (a) refutes, C3: the power is a TDP, a rating, modelled, of a dummy meter, that of the devices alone, a reading by
      the machine itself where the suite asks for an analyser, or that of another run or result; a caveat for a
      rating or such a reading where the text says that the figure is no metric or result of the suite.
    - (b) refutes, C3: the records of the measurement, of the system's side and of the meter's, or the marks of its
      readings are those of two sessions; or readings of the run stand in the ranging run's log, or twice
      in their own.
    - (c) undermines, C3: a file of the measurement is not the one whose digest the session recorded; the run or its
      readings lie outside the session's phase; the readings differ in number or mean by more than 1 % from what the
      meter's program printed of them; two minutes of readings are alike; in more than 1 % of them the power is not
      the product of voltage, current and power factor, nor the sum of its channels; or the session was one to try the
      tool.
    - not shown: the source of the power is not stated; or of a measurement whose files are handed in, some are not, or
      cannot be read. Required (records of the power measurement) of energies of an inference suite, by a reviewer.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"claims": {"offline": {"quantity": "energy", "unit": "samples/J"}},
     "arms": {"offline": {"energy": {"method": "modelled", "source": "TDP of the boards"}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`:
    ```json
    {"claims": {"offline": {"quantity": "energy", "unit": "samples/J"}},
     "arms": {"offline": {"energy": {"method": "meter", "boundary": "node", "mean_power_w": 6512}}}}
    ```

    ## How to fix
    Use the power that was measured in the run of the result, and hand in the files of the measurement as they were
    written.

    ## References
    MLPerf results messaging guidelines; rules of the suites on power, and the inference suite's check of power logs.
    """
    side = case.subject(claim)
    energy = side.arm.energy if side is not None else None
    words = main_words(claim)
    if energy is not None:
        words = words.and_((energy.place("source"), energy.source))
    measured = energy is not None and energy.method in {"meter", "sampled", "counter"}
    rated = next((found for reading in words for found in _ratings(reading)), None)
    effect = CAVEAT if words.has("suite.disowned", affirmed=False) else REFUTES
    if energy is not None and energy.method == "modelled":
        message = "the power is modelled, not measured"
        yield Violation("a", REFUTES, C3, message, energy.place("method"), "measured", "modelled")
    elif rated is not None and not measured:
        message = f'the power is no measured one: "{rated.text}"'
        at = energy.at if energy is not None else claim.at
        yield Violation("a", effect, C3, message, at, "measured", rated.text)
    elif energy is not None and read(energy.source or "").has("power.dummy"):
        message = f"the power comes from no meter: {energy.source}"
        yield Violation("a", REFUTES, C3, message, energy.place("source"), "measured", "dummy")
    elif energy is not None and energy.boundary == "device" and energy.method is not None:
        message = "the power is that of the devices, not of the system"
        yield Violation("a", REFUTES, C3, message, energy.place("boundary"), "system", "device")
    elif (foreign := _foreign(claim, words)) is not None:
        message = f"the power is that of result {foreign}, not of the result it is set beside"
        at = energy.place("source") if energy is not None and energy.source else claim.place("statement")
        yield Violation("a", REFUTES, C3, message, at, claim.suite_result.id if claim.suite_result else None, foreign)
    elif (proxy := _proxy(claim, words)) is not None:
        message = f'the power is not that of the suite\'s measurement of this result: "{proxy}"'
        at = energy.place("source") if energy is not None and energy.source else claim.place("statement")
        yield Violation("a", effect, C3, message, at, "measured by the suite", proxy)
    elif energy is None or energy.method is None or energy.boundary is None:
        yield NotShown("where the power comes from is not stated", claim.at, provide=PROVIDE)
    if energy is not None:
        yield from contradictions(energy, thresholds)
        if energy.session is not None and energy.session.lacking:
            message = f"of the measurement, not handed in or not readable: {'; '.join(energy.session.lacking)}"
            yield NotShown(message, energy.session.at, ITEM, RECORDS)


def _ratings(reading: Reading) -> Iterator[Mention]:
    """Yield the ratings of power that a text rests on; not one in a column beside that of a measured power."""
    beside = ("power.rating_cell",) if reading.has("power.measured_cell") else ()
    return apart(reading, "power.rating", "power.rating_aside", *beside)


def _proxy(claim: Claim, words: Words) -> str | None:
    """Return the words that say that the power is a reading of the machine itself, or of another run; else None."""
    asks = claim.suite == "inference" and not words.has("power.analyser", affirmed=False)
    concepts = ("power.machine_reading", "other_run") if asks else ("other_run",)
    return next((found.text for _, found in words.mentions(*concepts) if not found.negated), None)


def _foreign(claim: Claim, words: Words) -> str | None:
    """Return the id of another result whose run the power is said to be of, or None."""
    own = claim.suite_result.id if claim.suite_result is not None else None
    for reading in words if own is not None else ():
        said = reading.mentions("power.of_result")
        for name, at in mlperf.ids_in(reading.source) if said else ():
            if name != own and around(said, at) is not None:
                return name
    return None
