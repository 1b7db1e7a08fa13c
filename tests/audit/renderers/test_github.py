"""Workflow commands: read back as the runner reads them, nothing can be injected."""

import re
from urllib.parse import unquote

from dlaudit.audit.renderers.github import render
from msgspec.structs import replace

COMMAND = re.compile(r"::(?P<kind>error|warning|notice) (?P<properties>[^:]*)::(?P<message>.*)")


def commands(text):
    """Read lines back as the runner does: kind, properties, message."""
    found = []
    for line in text.splitlines():
        match = COMMAND.fullmatch(line)
        assert match is not None, line
        pairs = [pair.split("=", 1) for pair in match["properties"].split(",")]
        found.append((match["kind"], {key: unquote(value) for key, value in pairs}, unquote(match["message"])))
    return found


def test_snapshot(small, snapshot):
    assert render((small(),)) == snapshot


def test_snapshot_under_a_baseline(small_under_a_baseline, snapshot):
    assert render((small_under_a_baseline(),)) == snapshot


def test_verdicts_come_first_then_what_decides(small):
    found = commands(render((small(), small(path="other.json"))))
    assert [properties["title"] for _, properties, _ in found[:2]] == ["dlaudit: FAIL"] * 2
    titles = [properties["title"].split()[0] for _, properties, _ in found[2:]]
    assert titles == ["W0801", "W0201", "W0801", "W0201", "R00", "M04", "R00", "M04"]


def test_what_fails_the_gate_is_an_error(small):
    item = small()
    claim = item.report.claims[0]
    kinds = {}
    for decides, fail_at in ((True, 2), (True, 4), (False, 2), (False, 1)):
        finding = replace(claim.findings[0], decides=decides)
        report = replace(item.report, claims=(replace(claim, findings=(finding,)),), findings=())
        kinds[decides, fail_at] = commands(render((replace(item, report=report),), fail_at))[1][0]
    assert kinds == {(True, 2): "error", (True, 4): "warning", (False, 2): "warning", (False, 1): "error"}
    by_code = {p["title"].split()[0]: kind for kind, p, _ in commands(render((item,)))[1:]}
    assert by_code == {"W0801": "error", "W0201": "error", "M04": "notice", "R00": "notice"}


def test_values_come_back_as_they_were(small):
    text = "100% of a, b: c"
    _, properties, message = commands(render((small(text),)))[1]
    assert properties["file"] == f"results/{text}"
    assert properties["line"] == "9"
    assert message.startswith(f"claim speedup: message {text}")


def test_hostile_text_adds_no_command(small, hostile):
    expected = [(kind, sorted(properties)) for kind, properties, _ in commands(render((small(),)))]
    for text in hostile:
        out = render((small(text),))
        out.encode()
        assert [(kind, sorted(properties)) for kind, properties, _ in commands(out)] == expected
