"""What importers may write is what the submission's schema has, and a draft keeps what a report states alone."""

import importlib.util
from pathlib import Path

import pytest
from dlaudit.audit.importers.draft import Origin
from dlaudit.audit.importers.drafting import Drafting
from dlaudit.audit.importers.tables.roles import COUNTS, TEXTS
from dlaudit.schemas.options import Options

ROOT = Path(__file__).parents[3]
HERE = Origin("report.json", pointer="/here")


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("importer_fields", ROOT / "tools" / "importer_fields.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_fields_are_those_of_the_schema(tool):
    assert tool.FILE.read_text() == tool.text(), "make types writes it: git add audit/importers/fields.pyi"


def test_columns_of_counts_and_texts_are_options_by_their_names():
    assert {*COUNTS, *TEXTS} - {"nodes"} <= set(Options.__struct_fields__)


def test_what_is_not_stated_leaves_no_trace():
    draft = Drafting("a report")
    arm = draft.arm("a")
    arm.options(HERE, model=None, dataset="")
    arm.put_trial("t1", {"kind": "throughput", "outcome": "completed", "seed": None}, HERE)
    assert draft.arms == {"a": {"trials": {"t1": {"kind": "throughput", "outcome": "completed"}}}}
    assert draft.origins == {"/arms/a/trials/t1": HERE}


def test_each_value_has_its_place():
    draft, there = Drafting("a report"), Origin("report.json", pointer="/there")
    arm = draft.arm("x/y")
    number = arm.put_metric("rate", {"quantity": "rate", "unit": "1", "value": "2"}, HERE, there)
    number.summary(HERE, mean="2")
    number.percentile("99.9", "3", there)
    assert arm.performance["rate"]["summary"] == {"mean": "2", "percentiles": {"99.9": "3"}}
    base = "/arms/x~1y/performance/rate"
    assert draft.origins == {
        base: HERE,
        f"{base}/value": there,
        f"{base}/summary/mean": HERE,
        f"{base}/summary/percentiles/99.9": there,
    }


def test_texts_are_cut_and_free_options_are_single_values():
    draft = Drafting("a report")
    arm = draft.arm("a")
    arm.put(HERE, label="x" * 5000)
    for name, value in {"big": 2**60, "endless": float("inf"), "list": [1], "no": False, "": 1}.items():
        arm.keep(name, value, HERE)
    assert len(arm.fields["label"]) == 4000
    assert arm.fields["options"]["extra"] == {"big": str(2**60), "endless": "inf", "no": False}
