"""Results of one folder are judged each by itself, and together only where a rule asks for the folder."""

import shutil
from pathlib import Path

import pytest
from dlaudit.audit.importers.report_file import LIMIT_BYTES
from dlaudit.audit.importers.team import Team
from dlaudit.audit.lint.apart import cases_apart, judge_apart
from dlaudit.audit.lint.collect import collect
from dlaudit.audit.lint.judged import judged
from dlaudit.audit.lint.lint import Settings
from dlaudit.rules.book import entries
from dlaudit.schemas.errors import UserError
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
    results, _ = judge_apart(case, cases, entries(), names, 1)
    assert {result.claim for result in results} == {None, *names}
    assert [result.claim for result in results if result.code == "R11"] == list(names)


def test_processes_that_read_the_logs_judge_them_where_they_are(many):
    one = judged(found_in(many), Settings())
    (read,) = collect([str(many)], jobs=2)
    two = judged(read, replace(Settings(), jobs=2))
    assert read.draft.team is not None
    assert one.report == two.report
    assert one.decisions == two.decisions


def test_a_log_that_another_process_keeps_is_read_again_where_it_is_asked_for(many):
    here, (elsewhere,) = found_in(many), collect([str(many)], jobs=2)
    assert dict(here.draft.traces) == dict(elsewhere.draft.traces)
    assert elsewhere.draft.traces.get(("box_8xh100.b0", "result_none")) is None


def test_a_log_that_cannot_be_read_is_one_error_whoever_reads_it(many):
    # a file of this size is refused before it is read
    with (many / "results" / "box_8xh100" / "b3" / "result_0.txt").open("r+b") as log:
        log.truncate(LIMIT_BYTES + 1)
    for jobs in (1, 2):
        with pytest.raises(UserError, match="larger than") as refused:
            collect([str(many)], jobs=jobs)
        assert refused.value.where.endswith("b3/result_0.txt")


def test_shares_are_of_one_size_and_hold_everything_once():
    team = Team(3)
    sizes = {f"r{number}": 10 + number % 7 for number in range(50)}
    shares = team.shares(sizes)
    assert sorted(name for share in shares for name in share) == sorted(sizes)
    loads = [sum(sizes[name] for name in share) for share in shares]
    assert max(loads) - min(loads) <= max(sizes.values())
    team.close()
