"""Q03, initialisation-over-cap: A run whose clock starts later than the suite's cap on initialisation allows."""

from dlaudit.rules.bases import base
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.patches import both
from support.suite_results import events

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


def test_the_open_division_may_initialise_longer(training):
    late = events("result_0", line5={"time_ms": 1744012941000 - 2 * 3600 * 1000})
    assert training("Q03", late) == (VIOLATION, UNDERMINES)
    both_open = {"claims": {"retinanet": {"division": "open", "suite_result": {"division": "open"}}}}
    assert training("Q03", both(late, both_open)) == (PASS, None)


def test_a_log_without_initialisation(training):
    assert training("Q03", events("result_3", line5=None)) == (NOT_SHOWN, None)


def test_an_initialisation_ends_at_its_stop(training):
    start = base("suite-training")["arms"]["retinanet"]["runs"]["result_0"]["events"]["23"]["time_ms"]
    begun = start - 30 * 60 * 1000 - 11_000

    def stopped(seconds_before):
        stop = {"time_ms": start - seconds_before * 1000, "key": "init_stop"}
        return events("result_0", line5={"time_ms": begun}, line22=stop)

    assert training("Q03", stopped(15)) == (PASS, None)
    assert training("Q03", stopped(5)) == (VIOLATION, UNDERMINES)
    # what follows the stop for longer is initialisation, too
    assert training("Q03", stopped(90)) == (VIOLATION, UNDERMINES)
    unknown = {"claims": {"retinanet": {"suite_result": {"round": None}}}}
    assert training("Q03", both(stopped(5), unknown)) == (VIOLATION, UNDERMINES)
