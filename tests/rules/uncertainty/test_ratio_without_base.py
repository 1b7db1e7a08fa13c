"""S13, ratio-without-base: A ratio whose base has no absolute value or no definition."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("base", "outcome"),
    [
        ({"arm": None, "metric": None, "value": "28910", "definition": "one device"}, PASS),
        ({"arm": None, "metric": None, "value": "28910", "definition": None}, NOT_SHOWN),
        ({"arm": None, "metric": None, "definition": "one device"}, NOT_SHOWN),
    ],
)
def test_base_of_a_ratio(judged, base, outcome):
    assert judged("training-pair", "S13", "speedup", {"claims": {"speedup": {"base": base}}}).outcome is outcome


def test_a_labelled_row_with_a_number_is_a_base(judged):
    table = {
        "columns": {"rate": {"quantity": "rate", "unit": "tokens/s"}},
        "rows": {"a": {"label": "one device", "values": {"rate": "28910"}}, "b": {"values": {"rate": "41300"}}},
        "base_row": "a",
    }
    claim = {"base": None, "measured": None, "row": {"table": "t", "row": "b"}}
    assert (
        judged("training-pair", "S13", "speedup", {"claims": {"speedup": claim}, "tables": {"t": table}}).outcome
        is PASS
    )


def release(**patch):
    """A ratio over a table of models, each with its old and its new time."""
    unit = {"quantity": "latency", "unit": "ms", "statistic": "median"}
    columns = {"old": unit, "new": unit, "gain": {"quantity": "latency", "unit": "x"}, **patch.pop("columns", {})}
    rows = {
        "a": {"label": "ResNet-50", "values": {"old": "1.412", "new": "1.171", "gain": "1.21"}},
        "b": {"label": "ViT-B/16", "values": {"old": "3.853", "new": "3.568", "gain": "1.08"}},
    }
    rows["b"]["values"] |= patch.pop("values", {})
    base = {"arm": None, "metric": None, "value": None, "definition": "the release before, model by model"}
    claim = {"quantity": "latency", "scope": "request", "mode": "inference", "measured": None}
    claim |= {"base": base, "row": {"table": "models"}, **patch}
    return {"claims": {"speedup": claim}, "tables": {"models": {"columns": columns, "rows": rows}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        ({"columns": {"old": {"quantity": "latency", "unit": "%"}}}, NOT_SHOWN),
        ({"columns": {"old": {"quantity": "energy", "unit": "ms"}}}, NOT_SHOWN),
        ({"values": {"old": None}}, NOT_SHOWN),
        ({"row": None}, NOT_SHOWN),
        ({"base": None}, NOT_SHOWN),
    ],
)
def test_the_base_of_a_ratio_over_a_table_is_its_other_column(judged, patch, outcome):
    value = release(**patch)
    if value["tables"]["models"]["rows"]["b"]["values"]["old"] is None:
        del value["tables"]["models"]["rows"]["b"]["values"]["old"]
    assert judged("training-pair", "S13", "speedup", value).outcome is outcome
