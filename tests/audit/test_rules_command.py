"""`dlaudit rules`: the list, the same as JSON, and what of the sources is covered."""

import json

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.commands.rules import grade, in_force
from dlaudit.rules.book import book
from dlaudit.rules.coverage import statements
from dlaudit.rules.registry import FAMILIES, family_of

CODES = {rule.code for rule in book()}


def printed(capsys, *arguments):
    assert run(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_json_holds_every_rule(capsys):
    rules = json.loads(printed(capsys, "--json"))
    assert [rule["code"] for rule in rules] == [rule.code for rule in book()]
    assert all(rule["summary"] and rule["applies"] for rule in rules)
    one = next(rule for rule in rules if rule["code"] == "M04")
    assert one["effect"] == "caveat"
    assert one["thresholds"]["least"]["by_profile"]["gate"] == 30


def test_grades_stand_in_one_column(capsys):
    lines = {line.split()[0]: line for line in printed(capsys).splitlines() if line.startswith("  ")}
    assert len({len(lines[rule.code]) - len(grade(rule)) for rule in in_force()}) == 1
    assert all(lines[rule.code].startswith(f"  {rule.code:<6}{rule.name}  ") for rule in in_force())


def test_json_of_a_family(capsys):
    assert {rule["family"] for rule in json.loads(printed(capsys, "w08", "--json"))} == {"W08"}


def test_coverage_marks_only_rules_that_exist(capsys):
    rows = json.loads(printed(capsys, "--coverage", "--json"))
    assert [row["statement"] for row in rows] == [row.statement for row in statements()]
    for row in rows:
        assert set(row["checked_by"]) <= CODES
        assert not set(row["not_yet_implemented"]) & CODES


def test_coverage_as_text(capsys):
    text = printed(capsys, "--coverage")
    for number in range(1, 13):
        assert f"Twelve ways to fool the masses, way {number}\n" in text
    assert "checked by: W0801" in text
    named = {code for row in statements() for code in row.codes}
    assert f"{len(named & CODES)} of the {len(named)} rules that they name are implemented." in text


def test_every_way_and_every_family_but_the_document_is_named():
    named = {code for row in statements() for code in row.codes}
    assert {family_of(code) for code in named} == set(FAMILIES) - {"I", "D", "X"}
    assert all(len(set(row.codes)) == len(row.codes) > 0 for row in statements())


@pytest.mark.parametrize("arguments", [["Z9"], ["W13", "--coverage"], ["--yaml"]])
def test_bad_usage(arguments, capsys):
    assert run(["rules", *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err
