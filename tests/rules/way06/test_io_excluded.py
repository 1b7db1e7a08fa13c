"""W0601, io-excluded: A number for whole steps or trainings that was taken without reading the data."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome

GIB = 2**30
RUN = {"quantity": "time", "scope": "training_run", "unit": "s", "value": "5000", "statement": "Training takes 5000 s."}


def pipeline(kind, said=None, **fields):
    empty = {"label": None, "data_wait_share": None}
    patch = {"arms": {"a": {"measurement": {"pipeline": {**empty, "kind": kind, **fields}}}}}
    return {**patch, "claims": {"rate": {"said": said or []}}}


def test_real_inputs_pass(judged):
    assert judged("rate", "W0601", "rate", pipeline("real")).outcome is Outcome.PASS


@pytest.mark.parametrize("kind", ["synthetic", "none"])
def test_an_unlabelled_rate_is_undermined(judged, kind):
    result = judged("rate", "W0601", "rate", pipeline(kind, data_wait_share=0.0))
    assert (result.branch.branch, result.branch.effect) == ("b", UNDERMINES)


@pytest.mark.parametrize("scope", ["step", "epoch", "pipeline"])
def test_the_time_of_a_step_counts_as_a_rate(judged, scope):
    patch = pipeline("synthetic")
    patch["claims"]["rate"] |= {"quantity": "time", "scope": scope, "unit": "s", "value": "0.102"}
    found = judged("rate", "W0601", "rate", patch).branch
    assert found.branch == "b"
    assert found.message.endswith("neither a label of the pipeline nor a quotation says so")


@pytest.mark.parametrize(
    "label",
    [
        {"said": [{"topic": "synthetic_input", "quote": "synthetic images"}]},
        {"label": "compute only"},
        {"disclosed": True},
    ],
)
def test_a_label_without_an_end_to_end_number_is_a_caveat(judged, label):
    disclosed = label.pop("disclosed", False) if "disclosed" in label else False
    patch = pipeline("synthetic", **label)
    patch["arms"]["a"]["performance"] = {"end-to-end": None}
    if disclosed:
        patch["disclosures"] = [{"topic": "synthetic_input", "quote": "All inputs are synthetic."}]
    result = judged("rate", "W0601", "rate", patch)
    assert (result.branch.branch, result.branch.effect) == ("c", CAVEAT)


def test_an_end_to_end_number_of_another_arm_of_the_model_counts(judged):
    patch = pipeline("synthetic", label="compute only")
    patch["arms"]["a"]["performance"] = {"end-to-end": None}
    patch["arms"]["real"] = {
        "options": {"model": "ResNet-50"},
        "measurement": {"pipeline": {"kind": "real"}},
        "performance": {"rate": {"quantity": "rate", "unit": "images/s", "value": "2310"}},
    }
    assert judged("rate", "W0601", "rate", patch).outcome is Outcome.PASS
    patch["arms"]["real"]["options"]["model"] = "VGG-16"
    assert judged("rate", "W0601", "rate", patch).branch.branch == "c"


def test_resident_tensors_that_say_so_are_outside(judged):
    assert judged("rate", "W0601", "rate", pipeline("none", label="resident")).outcome is Outcome.NOT_APPLICABLE


def test_parts_are_outside(judged):
    patch = {
        "arms": {"a": {"measurement": {"scope": "layer", "pipeline": {"label": None}}}},
        "claims": {"rate": {"said": []}},
    }
    assert judged("rate", "W0601", "rate", patch).outcome is Outcome.NOT_APPLICABLE
    assert judged("kernel", "W0601", "gemm").outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"dataset_bytes": 80 * GIB}, Outcome.PASS),
        ({"dataset_bytes": 80 * GIB + 1}, Outcome.VIOLATION),
        ({"dataset_bytes": 81 * GIB, "data_wait_share": 0.01}, Outcome.PASS),
        ({"data_wait_share": 0.019}, Outcome.PASS),
        ({"data_wait_share": 0.02}, Outcome.VIOLATION),
        ({}, Outcome.NOT_SHOWN),
    ],
)
def test_a_cache_in_device_memory(judged, fields, outcome):
    result = judged("rate", "W0601", "rate", pipeline("cached_device", **fields))
    assert result.outcome is outcome
    assert (len(result.notes) == 1) == (outcome is Outcome.PASS)


def test_raw_waiting_times_come_before_the_stated_share(judged):
    patch = pipeline("cached_host", data_wait_share=0.001)
    patch["arms"]["a"]["trials"] = {f"t{i}": None for i in range(2, 6)} | {
        "t1": {"samples": {"step_time_s": [0.1, 0.1], "data_wait_s": [0.01, 0.02]}}
    }
    assert judged("rate", "W0601", "rate", patch).branch.branch == "b"


def whole(kind, **fields):
    patch = pipeline(kind, **fields)
    patch["claims"]["rate"] |= RUN
    return patch


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (whole("real"), Outcome.PASS),
        (whole("synthetic", label="synthetic"), Outcome.VIOLATION),
        (whole("none", label="resident"), Outcome.VIOLATION),
        (whole("cached_device"), Outcome.PASS),
        (whole("cached_host", dataset_bytes=512 * GIB), Outcome.PASS),
        (whole("cached_host", dataset_bytes=512 * GIB + 1), Outcome.VIOLATION),
        (whole("cached_host", dataset_bytes=513 * GIB, data_wait_share=0.01), Outcome.PASS),
        (whole("cached_host"), Outcome.NOT_SHOWN),
    ],
)
def test_a_whole_training(judged, patch, outcome):
    result = judged("rate", "W0601", "rate", patch)
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)


def test_a_pipeline_that_is_not_stated_names_the_item(judged):
    result = judged("rate", "W0601", "rate", {"arms": {"a": {"measurement": {"pipeline": None}}}})
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "pipeline")


@pytest.mark.parametrize("label", ["inputs", "see the text", "imagines fictae", "these are not synthetic"])
def test_a_label_has_to_say_that_the_inputs_are_made_up(judged, label):
    assert judged("rate", "W0601", "rate", pipeline("synthetic", label=label)).branch.effect is UNDERMINES


@pytest.mark.parametrize("claim", [{}, {"quantity": "time", "scope": "training_run", "unit": "h", "value": "9"}])
@pytest.mark.parametrize(
    ("gib", "devices", "branch"), [(139, 1, "d"), (139, 2, None), (12, 1, None)], ids=["too large", "two", "fits"]
)
def test_a_cache_larger_than_the_devices(judged, claim, gib, devices, branch):
    patch = pipeline("cached_device", dataset_bytes=gib * GIB)
    patch["claims"] = {"rate": claim}
    patch["arms"]["a"]["devices"] = devices
    result = judged("rate", "W0601", "rate", patch)
    assert getattr(result.branch, "branch", None) == branch, result


def test_the_table_knows_the_memory_of_a_device_whose_size_is_not_stated(judged):
    patch = pipeline("cached_device", dataset_bytes=500 * GIB) | {"systems": {"node": {"device_memory_gib": None}}}
    assert judged("rate", "W0601", "rate", patch).branch.branch == "d"
