"""Results of one folder are judged each by itself, and together only where a rule asks for the folder."""

import shutil
from pathlib import Path

import pytest
from dlaudit.audit.lint.apart import cases_apart, judge_apart
from dlaudit.audit.lint.collect import collect
from dlaudit.audit.lint.judged import judged
from dlaudit.audit.lint.lint import Settings
from dlaudit.rules.book import entries
from msgspec.structs import replace

REPORT = Path(__file__).parent / "fixtures" / "mlperf-training" / "folder" / "report_example"
RESULTS = 34


@pytest.fixture
def many(tmp_path):
    """A folder with many results of one system."""
    folder = Path(shutil.copytree(REPORT, tmp_path / "submission"))
    for number in range(RESULTS - 1):
        shutil.copytree(
            folder / "results" / "box_8xh100" / "retinanet", folder / "results" / "box_8xh100" / f"b{number}"
        )
    return folder


def found_in(folder):
    (found,) = collect([str(folder)])
    return found


def test_each_result_sees_its_own_arm_and_the_folder_beside_it(many):
    found = found_in(many)
    case = judged(found, Settings()).case
    cases = cases_apart(case, found.draft.apart)
    assert len(cases) == RESULTS
    for name, own in cases.items():
        assert tuple(own.submission.arms) == tuple(own.submission.claims) == (name,)
        assert own.whole is case
        assert own.runs(own.submission.claims[name])[0].trace is case.traces[name, "result_0"]
    assert len(case.submission.arms) == RESULTS


def test_processes_judge_as_one_does(many):
    found = found_in(many)
    one, two = judged(found, Settings()), judged(found, replace(Settings(), jobs=2))
    assert one.report == two.report
    assert len(one.report.claims) == RESULTS


def test_claims_that_are_not_apart_are_judged_as_ever(many):
    found = found_in(many)
    case = judged(found, Settings()).case
    names = tuple(case.submission.claims)[:2]
    cases = cases_apart(case, {names[0]: (names[0],)})
    results = judge_apart(case, cases, entries(), names, 1)
    assert {result.claim for result in results} == {None, *names}
    assert [result.claim for result in results if result.code == "R11"] == list(names)
