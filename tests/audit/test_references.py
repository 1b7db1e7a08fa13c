"""Names that lead nowhere are told together with all other mistakes, and say what was meant."""

import json

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch


@pytest.fixture
def lint(tmp_path, monkeypatch, capsys):
    """Return a function that lints `training-pair` with a patch, and returns the exit code and what is printed."""
    monkeypatch.chdir(tmp_path)

    def linted(patch, name="training-pair"):
        (tmp_path / "s.json").write_text(json.dumps(merge_patch(base(name), patch)))
        return run(["lint", "s.json"]), capsys.readouterr().out

    return linted


def test_a_misspelt_metric_is_an_error(lint):
    code, out = lint({"claims": {"rate": {"measured": {"arm": "a", "metric": "rte"}}}}, "rate")
    assert code == 2
    assert "(/claims/rate/measured/metric): there is no metric 'rte'; did you mean 'rate'?" in out


def test_they_are_told_with_the_mistakes_of_form(lint):
    patch = {"claims": {"rate": {"scope": "stp", "value": "1,200 ms", "measured": {"arm": "b", "metric": "rate"}}}}
    code, out = lint(patch, "rate")
    assert code == 2
    assert "there is no arm 'b'" in out
    assert "did you mean 'step'?" in out
    assert "'1,200 ms' does not have the right form; write \"1200\" with `unit" in out


def test_a_column_of_a_row_is_a_column_of_its_table(lint):
    table = {"columns": {"rate": {"quantity": "rate", "unit": "images/s"}}, "rows": {"r": {"values": {"rat": "3"}}}}
    code, out = lint({"tables": {"t": table}}, "rate")
    assert code == 2
    assert "there is no column 'rat'; did you mean 'rate'?" in out


def test_allowed_names_are_never_cut(lint):
    _, out = lint({"claims": {"rate": {"wibble": 1, "quantity": "wobble"}}}, "rate")
    assert "…" not in out
    assert "reference_runs" in out
    _, out = lint({"arms": {"a": {"options": {"wibble": 1}}}}, "rate")
    assert "put it under 'extra', or remove it" in out


def test_many_are_told_in_part(lint):
    claim = base("rate")["claims"]["rate"] | {"measured": {"arm": "nosuch", "metric": "rate"}}
    code, out = lint({"claims": {f"c{number}": claim for number in range(2000)}}, "rate")
    assert code == 2
    assert "more than 100 names lead nowhere" in out
