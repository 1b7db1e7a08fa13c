"""Results of one folder are judged each by itself, and together only where a rule asks for the folder."""

import shutil
from pathlib import Path

import pytest
from dlaudit.audit.importers.report_file import LIMIT_BYTES
from dlaudit.audit.lint.cases import cases_of
from dlaudit.audit.lint.judge import judge
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.workers import processes
from dlaudit.rules.book import entries
from dlaudit.schemas.errors import UserError

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
    (found,) = read_documents([str(folder)])
    return found


def test_each_result_sees_its_own_arm_and_the_folder_beside_it(many):
    found = found_in(many)
    case = lint(found, Settings()).case
    cases = cases_of(case, case.submission.claims, found.draft.apart)
    assert len(cases) == RESULTS
    for name, own in cases.items():
        assert tuple(own.submission.arms) == tuple(own.submission.claims) == (name,)
        assert own.whole is case
        assert own.runs(own.submission.claims[name])[0].trace is case.traces[name, "result_0"]
    assert len(case.submission.arms) == RESULTS


def test_processes_judge_as_one_does(many):
    found = found_in(many)
    with processes(2) as workers:
        one, two = lint(found, Settings()), lint(found, Settings(), workers)
    assert one.report == two.report
    assert len(one.report.claims) == RESULTS


def test_claims_that_are_not_apart_are_judged_as_ever(many):
    found = found_in(many)
    case = lint(found, Settings()).case
    names = tuple(case.submission.claims)[:2]
    told = judge(case, cases_of(case, names, {names[0]: (names[0],)}), entries()).assessments
    results = [assessment.result for assessment in told]
    assert {result.claim for result in results} == {None, *names}
    assert [result.claim for result in results if result.code == "R11"] == list(names)


def test_processes_that_read_the_logs_judge_them_where_they_are(many):
    one = lint(found_in(many), Settings())
    with processes(2) as workers:
        (read,) = read_documents([str(many)], workers=workers)
        two = lint(read, Settings(), workers)
    assert set(read.draft.keepers.values()) == {0, 1}
    assert one.report == two.report
    assert one.decisions == two.decisions


def test_a_log_that_another_process_keeps_is_read_again_where_it_is_asked_for(many):
    with processes(2) as workers:
        here, (elsewhere,) = found_in(many), read_documents([str(many)], workers=workers)
    assert dict(here.draft.traces) == dict(elsewhere.draft.traces)
    assert elsewhere.draft.traces.get(("box_8xh100.b0", "result_none")) is None


def test_a_log_that_cannot_be_read_is_one_error_whoever_reads_it(many):
    # a file of this size is refused before it is read
    with (many / "results" / "box_8xh100" / "b3" / "result_0.txt").open("r+b") as log:
        log.truncate(LIMIT_BYTES + 1)
    for jobs in (1, 2):
        with processes(jobs) as workers, pytest.raises(UserError, match="larger than") as refused:
            read_documents([str(many)], workers=workers)
        assert refused.value.where.endswith("b3/result_0.txt")
