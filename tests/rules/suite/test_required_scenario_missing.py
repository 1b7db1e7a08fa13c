"""Q17, required-scenario-missing."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.patches import both
from support.suite_results import fields, result

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


def test_required_scenarios(inference):
    assert inference("Q17", {"claims": {"server": None}})[0] is NOT_SHOWN
    assert inference("Q17", {"arms": {"offline": {"description": {"fields": {"system_type": None}}}}})[0] is NOT_SHOWN
    edge = both(
        {"arms": {arm: {"description": {"fields": {"system_type": "edge"}}} for arm in ("offline", "server")}},
        result("server", scenario="SingleStream"),
    )
    # the offline and the multi-stream scenario may be inferred from the single stream
    assert inference("Q17", both(edge, {"claims": {"offline": None}}), "server") == (PASS, None)
    # of a data centre nothing may be inferred, offline from server neither
    assert inference("Q17", {"claims": {"offline": None}}, "server")[0] is NOT_SHOWN


def test_the_scenarios_of_a_folder_count_where_results_are_judged_apart(judged):
    from dlaudit.audit.lint.cases import cases_of
    from dlaudit.rules.bases import base
    from dlaudit.rules.book import by_code
    from dlaudit.rules.case import Case
    from dlaudit.rules.engine import judge
    from dlaudit.schemas.model import to_model
    from dlaudit.schemas.submission import Submission

    whole = Case(to_model(base("suite-inference"), Submission))
    apart = cases_of(whole, ("offline", "server"), {"offline": ("offline",), "server": ("server",)})
    (found,) = judge(apart["offline"], [by_code("Q17")], ["offline"])
    assert found.outcome is PASS


@pytest.mark.parametrize(
    ("kind", "scenario", "round_name", "seen"),
    [
        ("datacenter", "SingleStream", "v5.0", True),
        ("datacenter", "MultiStream", "v4.1", True),
        ("edge", "Server", "v3.0", True),
        ("datacenter,edge", "SingleStream", "v5.0", False),
        ("edge", "SingleStream", "v4.1", False),
        ("datacenter", "Server", "v4.1", False),
        ("datacenter", "SingleStream", "v6.0", False),
        ("datacenter", "MultiStream", "v0.5", False),
        ("", "MultiStream", "v5.0", False),
    ],
)
def test_a_scenario_of_the_other_class(inference, kind, scenario, round_name, seen):
    patch = both(result("offline", scenario=scenario, round=round_name), fields(system_type=kind))
    assert (inference("Q17", patch) == (VIOLATION, CAVEAT)) is seen
