"""M16, versions-missing: A measured number without the versions of the software that produced it."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import answer
from support.conditions import arm, both_arms

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("software", "missing"),
    [
        ({"driver": None}, "driver"),
        ({"runtime": None, "framework": None, "language": None}, "framework, runtime, language"),
        ({"driver": "unknown"}, "driver"),
        ({"driver": "N/A"}, "driver"),
        ({"language": None, "tool": None}, ""),
        ({"driver": {"not_applicable": "the device has none"}}, ""),
    ],
)
def test_versions(judged, software, missing):
    result = judged("rate", "M16", "rate", arm(software=software))
    assert answer(result) is (NOT_SHOWN if missing else PASS)
    assert missing in (result.branch.message if missing else "")
    assert not missing or result.branch.item == "versions"


def test_a_processor_has_neither_driver_nor_runtime(judged):
    patch = arm(software={"driver": None, "runtime": None}) | {"systems": {"node": {"device_kind": "processor"}}}
    assert answer(judged("rate", "M16", "rate", patch)) is PASS


def test_the_versions_of_the_base_count_as_well(judged):
    assert answer(judged("training-pair", "M16", "speedup", both_arms(plain={"software": None}))) is NOT_SHOWN
