"""The numbers of a submission are looked up in its files of results: through the command line, as a gate does it."""

import json
import os

import pytest
from dlaudit.audit.cli import run

RESULTS = [{"release": "1.5", "rate": 4200.3, "n": 100}, {"release": "1.4", "rate": 2000, "n": 100}]
CLAIMS = """\
dlaudit: submission/1
title: "Fast"
claims:
  rate:
    statement: "Training reaches 4200 images/s."
    value: "4200"
    unit: images/s
    quantity: rate
    form: absolute
    scope: step
    purpose: hardware_throughput
    mode: training
    compares: none
    measured: {arm: new, metric: rate}
arms:
  new:
    performance:
      rate: {quantity: rate, value: "VALUE", unit: images/s, n: {unit: iteration, completed: 100}, trials: 5,
        printed_at: PLACE}
"""
LINE = 18
IN_JSON = "{file: bench/results.json, at: /0/rate}"


@pytest.fixture
def lint(tmp_path, monkeypatch, capsys):
    """Return a function that writes claims and a file of results, and lints the claims."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bench").mkdir()

    def linted(results=RESULTS, value="4200.3", place=IN_JSON, *arguments, name="bench/results.json"):
        (tmp_path / "claims.yaml").write_text(CLAIMS.replace("VALUE", value).replace("PLACE", place))
        if results is not None:
            text = results if isinstance(results, str | bytes) else json.dumps(results, indent=1)
            (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        code = run(["lint", "--verbose", "claims.yaml", *arguments])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return linted


def test_a_number_that_stands_there_is_told_with_its_line(lint):
    code, out = lint()
    assert code == 0
    assert "D04" not in out
    assert "note: 4200.3 stands in bench/results.json, line 4" in out


def test_another_number_fails_with_both_places_in_every_format(lint, tmp_path):
    changed = [{**RESULTS[0], "rate": 3900.2}, RESULTS[1]]
    code, out = lint(changed)
    assert code == 1
    assert "claim rate  FAIL: quotation not in source (D04)" in out
    assert "`4200.3` is cited to /0/rate of bench/results.json, which holds 3900.2 there" in " ".join(out.split())
    assert f"--> claims.yaml:{LINE}:37 (/arms/new/performance/rate/value)" in out
    assert "see bench/results.json:4:11: the place that is cited" in out
    code, out = lint(changed, "4200.3", IN_JSON, "--format", "github", "--format", "sarif:verdict.sarif")
    (annotation,) = [line for line in out.split("\n") if "title=D04" in line]
    assert f"file=claims.yaml,line={LINE}" in annotation or f"at claims.yaml:{LINE}" in annotation
    assert "see bench/results.json:4:11" in annotation
    (log,) = json.loads((tmp_path / "verdict.sarif").read_text())["runs"]
    (found,) = [result for result in log["results"] if result["ruleId"] == "D04"]
    places = {_place(place) for place in (*found["locations"], *found["relatedLocations"])}
    assert {("claims.yaml", LINE), ("bench/results.json", 4)} <= places


def _place(location):
    physical = location["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


@pytest.mark.parametrize(
    ("stated", "there", "agree"),
    [
        ("4200", "4200.0", True),
        ("4200.0", "4200", True),
        ("4200", "4200.3", True),
        ("4200.3", "4200.34", True),
        ("4200.34", "4200.3", False),
        ("4200", "4200.6", False),
        ("4200", "4.2e3", True),
        ("4200", '"4200"', True),
        ("4200", '"4200 images/s"', False),
        ("4200", "true", False),
        ("4200", "NaN", False),
        ("4200", "-Infinity", False),
        ("4200", "1e400", False),
        ("4200", "9" * 5000, None),
        ("4200", "[4200]", False),
        ("4200", "null", False),
    ],
)
def test_numbers_agree_within_the_digits_that_the_submission_prints(lint, stated, there, agree):
    _, out = lint(f'[{{"rate": {there}}}]', stated)
    assert ("D04" not in out) is bool(agree)
    assert ("undermines, C3" in out) is (agree is False)


@pytest.mark.parametrize(
    "at", ["/2/rate", "/0/Rate", "/0/rate/0", "/00/rate", "/-/rate", "/rate", "/", f"/{'9' * 900}"]
)
def test_a_place_that_is_not_there_fails(lint, at):
    code, out = lint(place=f'{{file: bench/results.json, at: "{at}"}}')
    assert code == 1
    assert "there is no such place" in out
    assert "(/arms/new/performance/rate/printed_at/at)" in out


def test_the_place_moves_with_the_value_and_not_with_its_line(lint):
    moved = "\n\n" + json.dumps([{"note": "4200.3"}, *RESULTS], indent=3)
    assert "which holds" not in lint(moved)[1]
    assert "no such place" in lint(moved)[1]
    assert "stands in bench/results.json, line" in lint("\n\n" + json.dumps(RESULTS, indent=3))[1]


LINES = "".join(json.dumps(row) + "\n" for row in RESULTS)


@pytest.mark.parametrize("name", ["bench/results.jsonl", "bench/results.log"])
def test_json_lines_are_the_list_of_their_lines(lint, name):
    assert "4200.3 stands in" in lint(LINES, "4200.3", f"{{file: {name}, at: /0/rate}}", name=name)[1]
    _, out = lint(LINES, "4200.3", f"{{file: {name}, at: /1/rate}}", name=name)
    assert "which holds 2000 there" in " ".join(out.split())
    assert f"see {name}:2:" in out
    _, out = lint(LINES, "4200.3", f"{{file: {name}, at: /2/rate}}", name=name)
    assert "there are 2 lines" in out
    _, out = lint(LINES + "{]\n", "4200.3", f"{{file: {name}, at: /2/rate}}", name=name)
    assert f"{name}:3: not readable as JSON" in out


def test_in_other_text_the_number_stands_on_its_line(lint):
    table = "release,rate,n\n1.5,4200.34,100\n1.4,2000,100\n"
    place = "{{file: bench/results.csv, line: {}}}"
    assert (
        "4200.3 stands in bench/results.csv, line 2"
        in lint(table, "4200.3", place.format(2), name="bench/results.csv")[1]
    )
    code, out = lint(table, "4200.3", place.format(3), name="bench/results.csv")
    assert code == 1
    assert "is cited to line 3 of bench/results.csv, which holds 1.4, 2000, 100 there" in " ".join(out.split())
    _, out = lint(table, "4200.3", place.format(9), name="bench/results.csv")
    assert "line 9 of bench/results.csv: it has 4 lines" in " ".join(out.split())
    assert "4200 stands" in lint("It reaches 4,200 images/s.\n", "4200", place.format(1), name="bench/results.csv")[1]


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (None, "no such file"),
        (b"\xff\xfe\x00", "no text in UTF-8"),
        ("{", "not readable as JSON"),
        ("", "the document is empty"),
        ('{"a": 1, "a": 2}', "the key 'a' is given twice in one object"),
        ("[" * 5000, "nested more than 64 levels deep"),
        ("\n" * 1_000_001, "more than 1,000,000 lines"),
    ],
)
def test_a_file_that_cannot_be_read_is_not_shown(lint, results, said):
    code, out = lint(results)
    assert code == 1
    assert "D04 the source that is named: not-shown" in out
    assert said in out
    assert "Traceback" not in out


def test_a_link_leads_nowhere(lint, tmp_path):
    (tmp_path / "outside.json").write_text(json.dumps(RESULTS))
    (tmp_path / "bench" / "results.json").symlink_to("../outside.json")
    code, out = lint(None)
    assert code == 1
    assert "a symbolic link" in out
    (tmp_path / "bench" / "results.json").unlink()
    os.mkfifo(tmp_path / "bench" / "results.json")
    assert "not a regular file" in lint(None)[1]


def test_of_a_file_that_is_too_large_no_more_than_the_limit_is_read(lint, tmp_path):
    with (tmp_path / "bench" / "results.json").open("wb") as file:
        file.truncate(3 << 30)
    code, out = lint(None)
    assert code == 1
    assert "larger than 16,777,216 bytes" in out


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("{file: ../results.json, at: /0/rate}", "/arms/new/performance/rate/printed_at/file"),
        ("{file: /etc/hostname, line: 1}", "/arms/new/performance/rate/printed_at/file"),
        ("{at: /0/rate}", "at needs file"),
        ("{file: bench/results.json, at: 0/rate}", "/arms/new/performance/rate/printed_at/at"),
        ("{file: bench/results.json, at: /~2}", "/arms/new/performance/rate/printed_at/at"),
        ("{file: bench/results.json}", "is said to stand in a file, and not where in it"),
    ],
)
def test_a_place_that_is_none_is_an_error_of_the_document(lint, place, said):
    code, out = lint(place=place)
    assert code == 2
    assert said in out


def test_a_file_that_is_cited_is_no_report_beside_the_claims(lint, capsys):
    lint()
    run(["lint", ".", "--format", "json"])
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    assert document["file"] == "claims.yaml"


def test_a_waiver_ends_when_the_file_changes(lint, capsys):
    changed = [{**RESULTS[0], "rate": 3900.2}]
    assert lint(changed)[0] == 1
    given = ("--reason", "accepted_risk", "--justification", "x", "--approver", "A", "--expires", "2099-12-31")
    assert run(["waive", "D04", "claims.yaml", *given, "--out", "waivers.json"]) == 0
    capsys.readouterr()
    assert lint(changed, "4200.3", IN_JSON, "--waivers", "waivers.json")[0] == 0
    again = [{**RESULTS[0], "rate": 3800.2}]
    code, out = lint(again, "4200.3", IN_JSON, "--waivers", "waivers.json")
    assert code == 1
    assert "no longer applies: bench/results.json changed since it was waived" in " ".join(out.split())
    code, out = lint(None, "4200.3", IN_JSON, "--waivers", "waivers.json")
    assert code == 1


def test_a_readme_judged_by_its_marks_has_its_numbers_looked_up_too(lint, tmp_path, capsys):
    lint([{**RESULTS[0], "rate": 3900.2}])
    (tmp_path / "README.md").write_text("<!-- dlaudit: claims.yaml#rate -->\nTraining reaches 4200 images/s.\n")
    assert run(["lint", "README.md"]) == 1
    assert "which holds 3900.2 there" in " ".join(capsys.readouterr().out.split())


ROWS = [{"model": "a", "requests_per_s": 41.6, "time_s": 48.1}, {"model": "b", "requests_per_s": 26.0, "time_s": 76.9}]


@pytest.mark.parametrize("name", ["rows.json", "rows.jsonl", "rows.csv"])
def test_a_draft_says_where_its_numbers_stand(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    heads = ",".join(ROWS[0]) + "\n"
    text = {
        "rows.json": json.dumps(ROWS),
        "rows.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
        "rows.csv": heads + "".join(",".join(map(str, row.values())) + "\n" for row in ROWS),
    }
    (tmp_path / name).write_text(text[name])
    assert run(["draft", name, "claims.json"]) == 0
    arms = json.loads((tmp_path / "claims.json").read_text())["arms"]
    places = [number["printed_at"] for arm in arms.values() for number in arm["performance"].values()]
    first = {"rows.json": {"at": "/0/requests_per_s"}, "rows.jsonl": {"line": 1}, "rows.csv": {"line": 2}}[name]
    assert {"file": name, **first} in places
    run(["lint", "claims.json"])
    assert "stands in" in capsys.readouterr().out
    (tmp_path / name).write_text(text[name].replace("41.6", "44.6"))
    assert run(["lint", "claims.json"]) == 1
    assert "which holds" in " ".join(capsys.readouterr().out.split())


def test_a_draft_elsewhere_names_no_file_out_of_its_reach(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.json").write_text(json.dumps(ROWS))
    (tmp_path / "é.json").write_text(json.dumps(ROWS))
    (tmp_path / "below").mkdir()
    assert run(["draft", "rows.json", "below/claims.json"]) == 0
    assert run(["draft", "é.json", "claims.json"]) == 0
    assert "printed_at" not in (tmp_path / "below" / "claims.json").read_text()
    assert "printed_at" not in (tmp_path / "claims.json").read_text()


def _without_value(text):
    return text.replace('value: "VALUE", ', "")


@pytest.fixture
def read(lint, monkeypatch):
    """Return a function that lints claims whose number states no value, but where it stands."""
    monkeypatch.setitem(globals(), "CLAIMS", _without_value(CLAIMS))
    return lambda results, place=IN_JSON, **how: lint(results, "", place, **how)


def test_a_number_without_a_value_has_the_one_of_the_file(read):
    code, out = read(RESULTS)
    assert code == 0
    assert "note: 4200.3 stands in bench/results.json, line 4" in out
    code, out = read([{**RESULTS[0], "rate": 999}])
    assert code == 1
    assert "one quantity has two values" in out
    assert "999" in out


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ("null", "null"),
        ('"fast"', "fast"),
        ("true", "true"),
        ("[4200.3, 4200.4]", "a list"),
        ("{}", "an object"),
        ("NaN", "no finite number"),
        ("1e200", "1e200"),
        ("1e-400", "1e-400"),
    ],
)
def test_without_a_value_what_is_no_number_there_fails(read, there, said):
    code, out = read(f'[{{"rate": {there}}}]')
    assert code == 1
    wanted = f"the value is to be read at /0/rate of bench/results.json: no single number to read there, but {said}"
    assert wanted in " ".join(out.split())
    assert f"--> claims.yaml:{LINE + 1}:" in out


def test_without_a_value_a_place_that_is_not_there_fails(read):
    code, out = read(RESULTS, "{file: bench/results.json, at: /nowhere/x}")
    assert code == 1
    assert "to be read at /nowhere/x of bench/results.json: there is no such place" in " ".join(out.split())
    assert "(/arms/new/performance/rate/printed_at/at)" in out
    code, out = read(None, "{file: bench/none.json, at: /0/rate}")
    assert code == 1
    assert "no such file" in out


def test_without_a_value_a_line_has_to_hold_one_number(read):
    place = "{file: bench/results.csv, line: 1}"
    assert "note: 4200.3 stands in" in read("4200.3\n", place, name="bench/results.csv")[1]
    code, out = read("4200.3,5\n", place, name="bench/results.csv")
    assert code == 1
    assert "no single number to read there, but 4200.3, 5" in " ".join(out.split())


@pytest.mark.parametrize(
    ("statistic", "given"),
    [("median", "4200.3"), ("mean", "4200.24"), ("min", "4199.8"), ("max", "4200.6"), ("total", "21001.2")],
)
def test_of_a_list_the_statistic_is_taken(read, monkeypatch, statistic, given):
    stated = CLAIMS.replace("unit: images/s, n:", f"unit: images/s, statistic: {statistic}, n:")
    monkeypatch.setitem(globals(), "CLAIMS", stated)
    runs = [{"rate": [4200.1, 4200.4, 4199.8, 4200.6, 4200.3]}]
    _, out = read(runs)
    assert f"note: {given} is the {statistic} of 5 numbers in bench/results.json, line 3" in " ".join(out.split())
    assert "D04" not in out
    for other in ([], [1, "2"], [True], [[1]]):
        assert "no single number to read there, but a list" in " ".join(read([{"rate": other}])[1].split())


def test_a_rate_is_taken_of_a_list_of_times_with_its_work(read, monkeypatch):
    fields = "unit: images/s, statistic: median, column: step_ms, work_per_iteration: WORK, n:"
    monkeypatch.setitem(globals(), "CLAIMS", CLAIMS.replace("unit: images/s, n:", fields.replace("WORK", "42")))
    place = "{file: bench/results.json, at: /fast/step_ms}"
    _, out = read({"fast": {"step_ms": [10, 9.9, 10.2]}}, place)
    assert "4200 is the median of 3 rates in bench/results.json" in " ".join(out.split())
    assert "F07" not in out
    _, out = read({"fast": {"step_ms": [20, 21, 20]}}, place)
    assert "one quantity has two values" in out
    assert "no single number" in " ".join(read({"fast": {"step_ms": [20, 0]}}, place)[1].split())


def test_a_stated_number_is_held_to_the_statistic_of_a_list(lint, monkeypatch):
    stated = CLAIMS.replace("unit: images/s, n:", "unit: images/s, statistic: median, n:")
    monkeypatch.setitem(globals(), "CLAIMS", stated)
    assert "4200.3 is the median of 3 numbers" in lint([{"rate": [4200.3, 4100, 4300]}])[1]
    code, out = lint([{"rate": [4200.3, 4210, 4300]}])
    assert code == 1
    wanted = (
        "the number differs: `4200.3` is cited to /0/rate of bench/results.json, "
        "which holds the median of 3 numbers, 4210, there"
    )
    assert wanted in " ".join(out.split())


EXACT = "[rules.D04]\nexact = 1\n"


@pytest.mark.parametrize(
    ("sentence", "claimed", "measured", "holds"),
    [
        ("4200", "4200", "4200.3", True),
        ("4200", "4200", "4199.5", True),
        ("4200", "4200", "4200.5", True),
        ("4200.3", "4200.3", "4200.34", True),
        ("4201", "4201", "4200.3", False),
        ("4200", "4200", "4201", False),
        ("4201", "4200", "4200.3", False),
    ],
)
def test_with_exact_a_number_is_what_its_evidence_rounds_to(lint, tmp_path, sentence, claimed, measured, holds):
    (tmp_path / "exact.toml").write_text(EXACT)
    text = CLAIMS.replace('value: "4200"', f'value: "{claimed}"').replace("reaches 4200", f"reaches {sentence}")
    (tmp_path / "bench" / "results.json").write_text(json.dumps([{"rate": float(measured)}]))
    (tmp_path / "claims.yaml").write_text(text.replace("VALUE", measured).replace("PLACE", IN_JSON))
    code = run(["lint", "claims.yaml", "--config", "exact.toml"])
    assert (code == 0) is holds
    if not holds:
        assert run(["lint", "claims.yaml", "--no-config"]) == 0


@pytest.mark.parametrize(
    ("printed", "value", "digits", "of_metric", "holds"),
    [
        ("3,140", "3140", 3, None, True),
        ("3140", "3140", 3, None, True),
        ("3,140", "3140", None, 3, True),
        ("3,140", "3140", None, None, False),
        ("3,140", "3140", 4, None, False),
        ("3,150", "3150", 3, None, False),
        ("3,100", "3100", 2, None, True),
    ],
)
def test_with_exact_zeros_that_do_not_count_do_not(
    tmp_path, monkeypatch, capsys, printed, value, digits, of_metric, holds
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exact.toml").write_text(EXACT)
    (tmp_path / "results.json").write_text('[{"rate": 3138.71}]')
    stated = f'value: "{value}"' + (f"\n    digits: {digits}" if digits else "")
    text = CLAIMS.replace('value: "4200"', stated).replace("reaches 4200", f"reaches {printed}")
    text = text.replace('value: "VALUE"', f"digits: {of_metric}" if of_metric else 'value: "3138.71"')
    (tmp_path / "claims.yaml").write_text(text.replace("PLACE", "{file: results.json, at: /0/rate}"))
    assert (run(["lint", "claims.yaml", "--config", "exact.toml", "--fail-on", "fail"]) == 0) is holds
    hint = "if the zeros at its end do not count, state `digits: 3`"
    assert (hint in " ".join(capsys.readouterr().out.split())) is (printed == "3,140" and not holds)


@pytest.mark.parametrize(("ratio", "holds"), [("1.7", True), ("1.6", False), ("1.66", True), ("1.67", False)])
def test_with_exact_a_ratio_is_what_its_two_numbers_round_to(tmp_path, monkeypatch, ratio, holds):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exact.toml").write_text(EXACT)
    (tmp_path / "results.json").write_text('[{"rate": 41.6}, {"rate": 25.0}]')
    text = CLAIMS.replace("reaches 4200 images/s", f"is {ratio}x faster").replace('"4200"', f'"{ratio}"')
    text = text.replace("unit: images/s\n    quantity", "unit: x\n    quantity").replace("absolute", "ratio")
    text = text.replace("compares: none", "compares: own_variants").replace(
        "metric: rate}\n", "metric: rate}\n    base: {arm: old, metric: rate, definition: release 1.4}\n", 1
    )
    place = "{file: results.json, at: /0/rate}"
    old = '  old:\n    performance:\n      rate: {quantity: rate, value: "25.0", unit: images/s}\n'
    (tmp_path / "claims.yaml").write_text(text.replace("VALUE", "41.6").replace("PLACE", place) + old)
    assert (run(["lint", "claims.yaml", "--config", "exact.toml", "--fail-on", "fail"]) == 0) is holds
