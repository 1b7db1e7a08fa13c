"""M18, arms-differ-in-environment."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer
from support.conditions import both_arms

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN
DRIVER = {"software": {"driver": "470.82.01"}}


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        (DRIVER, None, ("a", UNDERMINES)),
        ({"software": {"driver": "550.54.15 "}}, None, PASS),
        ({"software": {"driver": None}}, None, NOT_SHOWN),
        (DRIVER, {"treatment": ["driver"]}, PASS),
        (DRIVER, {"said": [{"topic": "environment_differs", "quote": "an older driver"}]}, ("b", CAVEAT)),
        ({"environment": {"power_limit_w": 300}}, None, ("a", UNDERMINES)),
        ({"environment": {"power_limit_w": 399.62}}, None, PASS),  # as read back
        ({"environment": {"power_limit_w": 300}}, {"treatment": ["power_limit"]}, PASS),
        ({"environment": {"clocks": {"policy": "logged"}}}, None, ("a", UNDERMINES)),
        ({"environment": {"clocks": {"low_mhz": 1200, "high_mhz": 1200}}}, None, ("a", UNDERMINES)),
        ({"environment": {"clocks": None}}, None, NOT_SHOWN),
        ({"environment": {"host": "node-18"}}, None, ("a", UNDERMINES)),
        ({"environment": {"host": "a node of the same kind"}}, None, NOT_SHOWN),  # other words, perhaps one host
        ({"environment": {"host": None}}, None, NOT_SHOWN),
        ({"software": {"container": "registry.example.org/lm@sha256:77aa"}}, None, ("a", UNDERMINES)),
        ({"software": {"container": "registry.example.org/lm@sha256:77aa"}}, {"treatment": ["framework"]}, PASS),
        (DRIVER | {"environment": {"host": None}}, None, ("a", UNDERMINES)),  # nothing missing hides it
    ],
)
def test_environments_of_two_arms(judged, plain, claim, expected):
    assert answer(judged("training-pair", "M18", "speedup", both_arms(plain=plain, claim=claim))) == expected


def test_arms_of_one_boot_share_their_host(judged):
    boots = {f"{kind}{index}": {"boot_id": "76cb"} for kind in "ts" for index in range(1, 6)}
    unnamed = {"environment": {"host": None}, "trials": boots}
    assert answer(judged("training-pair", "M18", "speedup", both_arms(unnamed, unnamed))) is PASS
    other = {**unnamed, "trials": {**boots, "t1": {"boot_id": "99aa"}}}
    assert answer(judged("training-pair", "M18", "speedup", both_arms(unnamed, other))) is NOT_SHOWN


def test_without_the_other_arm_nothing_is_shown(judged):
    result = judged("training-pair", "M18", "speedup", {"claims": {"speedup": {"base": {"arm": "nowhere"}}}})
    assert answer(result) is NOT_SHOWN
    assert result.branch.item == "equal environment of the arms"


def test_another_device_brings_its_own_clocks_and_driver(judged):
    theirs = {
        "software": {"driver": "6.10.5"},
        "environment": {"host": "node-40", "power_limit_w": 750, "clocks": {"low_mhz": 2100, "high_mhz": 2100}},
    }
    patch = {"systems": {"theirs": {"device": "MI300X"}}, "arms": {"theirs": theirs}}
    assert answer(judged("comparison", "M18", "speedup", patch)) is PASS
    same_device = {"arms": {"theirs": theirs}}
    assert answer(judged("comparison", "M18", "speedup", same_device)) == ("a", UNDERMINES)


def test_more_nodes_are_other_hosts(judged):
    assert answer(judged("strong-scaling", "M18", "speedup")) is PASS


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"treatment": ["pipeline"]}, ("c", UNDERMINES)),
        ({"treatment": ["pipeline"], "statement": "1.5x faster on an A100 than on a V100."}, PASS),
        ({"treatment": ["hardware"]}, PASS),
        ({"treatment": ["pipeline"], "attribution": "system"}, PASS),
        ({"treatment": []}, NOT_SHOWN),
    ],
)
def test_variants_of_one_author_on_two_models_of_device_compare_devices(judged, claim, expected):
    old = {"name": "an older node", "device": "V100-SXM2-16GB"}
    patch = {"systems": {"old": old}, "arms": {"plain": {"system": "old"}}, "claims": {"speedup": claim}}
    assert answer(judged("training-pair", "M18", "speedup", patch)) == expected


QUALITY = {"quantity": "accuracy", "metric": "loss", "unit": "nat", "value": "0.01"}


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ({"environment": {"power_limit_w": 300, "host": "node-18", "clocks": None}}, PASS),
        (DRIVER, ("a", UNDERMINES)),
    ],
)
def test_a_quality_feels_no_clock(judged, plain, expected):
    assert answer(judged("training-pair", "M18", "speedup", both_arms(plain=plain, claim=QUALITY))) == expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ({"attribution": "system"}, PASS),
        ({"treatment": ["hardware"]}, PASS),
        ({"treatment": ["optimizer"], "attribution": "method"}, ("a", UNDERMINES)),
    ],
)
def test_the_whole_system_may_be_the_treatment(judged, claim, expected):
    patch = {"claims": {"speedup": claim}, "arms": {"theirs": {"environment": {"power_limit_w": 300}}}}
    assert answer(judged("comparison", "M18", "speedup", patch)) == expected


def test_hosts_that_do_not_apply_are_none(judged):
    hosts = {"environment": {"host": {"not_applicable": "one machine in the house"}}}
    assert answer(judged("training-pair", "M18", "speedup", both_arms(hosts, hosts))) is PASS


ENGINES = {"claims": {"speedup": {"attribution": "system", "treatment": ["engine"]}}}


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        ({"system": "theirs", "environment": {"power_limit_w": 300}}, PASS),
        ({"system": "ours", "environment": {"power_limit_w": 300}}, ("a", UNDERMINES)),
        ({"system": "ours", "environment": {"clocks": {"low_mhz": 1200, "high_mhz": 1200}}}, ("a", UNDERMINES)),
        ({"system": "ours", "environment": {"host": "node-99"}}, ("a", UNDERMINES)),
        ({"system": "ours", "environment": {"host": "node-21"}, "software": {"driver": "560.1.2"}}, PASS),
        ({"system": "ours", "environment": {"host": "node-21"}}, PASS),
    ],
)
def test_engines_on_one_machine_share_its_settings(judged, theirs, expected):
    ours = {"environment": {"host": "node-21"}}
    patch = {**ENGINES, "arms": {"theirs": theirs, "ours": ours}}
    assert answer(judged("serving-comparison", "M18", "speedup", patch)) == expected
