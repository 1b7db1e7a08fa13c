"""Hostile and broken reports of every format: a draft that validates, or one clear line, never anything else."""

import copy
import json
from pathlib import Path

import pytest
from dlaudit.audit.importers.registry import built_in
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.importers.tables.in_documents import grids
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FIXTURES = Path(__file__).parent / "fixtures"
REPORTS = sorted(path for path in FIXTURES.glob("*/*/report*") if path.is_file())
NAMES = [f"{path.parent.parent.name}-{path.parent.name}" for path in REPORTS]
NAUGHTY = (
    *(None, True, False, 0, -1, 1, 10**400, -(10**18), 1e308, -1e308, float("nan"), float("inf"), 5e-324, "", " ", "0"),
    *(
        "NaN",
        "1e999",
        "-0",
        "١٢",
        "１２",
        "0x1F",
        "\x00",
        "\x1b[31m",
        "\u202e",
        "\ud800",
        "/etc/passwd",
        "../../x",
        "a" * 5000,
    ),
    *(
        "'; DROP TABLE",
        "=cmd()",
        "<script>",
        "{{7*7}}",
        "%s%n",
        "~1~0/",
        "1,2",
        "1.2.3",
        [],
        {},
        [[]],
        [{}],
        {"": None},
    ),
    *(
        ["a"] * 3,
        [1, None],
        [10**20],
        {"a": {"a": {"a": {}}}},
        [float("nan")] * 3,
        {"mean": "x"},
        "|",
        "a|b",
        "\t",
        "\n",
    ),
)
LIGHT = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def refused(error):
    """A refusal is one line of bounded length."""
    assert "\n" not in str(error)
    assert len(str(error)) < 1500


def outcome(name, data, chosen=None):
    """Read a report; return its draft, or None where it was refused in one line.

    Sizes that nothing measured has are refused where the draft is read, as those of any document are.
    """
    try:
        found = of_file(name, data, Path(), chosen=chosen)
    except UserError as error:
        return refused(error)
    problems = [
        each for each in validate("submission", found.draft.value) if "is too large, or too small" not in each.what
    ]
    assert not problems, problems[:3]
    return found


def paths_of(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths_of(inner, (*path, key))


def replaced(value, path, new):
    if not path:
        return new
    value = copy.copy(value)
    value[path[0]] = replaced(value[path[0]], path[1:], new)
    return value


def removed(value, path):
    value = copy.copy(value)
    if len(path) == 1:
        del value[path[0]]
    else:
        value[path[0]] = removed(value[path[0]], path[1:])
    return value


JSON_REPORTS = [path for path in REPORTS if path.suffix == ".json"]


@pytest.mark.parametrize(
    ("report", "place", "value"),
    [
        ("llama-bench/two-tests", (0, "avg_ns"), 1e308),
        ("llama-bench/two-tests", (0, "avg_ns"), 5e-324),
        ("pyperf/two-processes", ("metadata", "platform"), ""),
    ],
)
def test_values_at_the_edge_of_what_a_field_takes(report, place, value):
    (path,) = (path for path in JSON_REPORTS if f"{path.parent.parent.name}/{path.parent.name}" == report)
    changed = replaced(json.loads(path.read_text()), place, value)
    assert outcome("report.json", json.dumps(changed).encode()) is not None


@pytest.mark.parametrize(
    "path", JSON_REPORTS, ids=[f"{path.parent.parent.name}-{path.parent.name}" for path in JSON_REPORTS]
)
def test_every_value_of_a_document_may_be_anything(path):
    value = json.loads(path.read_text())
    places = [place for place in paths_of(value) if place]
    importer = path.parent.parent.name

    @LIGHT
    @given(
        st.lists(st.tuples(st.sampled_from(places), st.sampled_from(NAUGHTY)), min_size=1, max_size=4), st.booleans()
    )
    def check(changes, drop):
        changed = value
        for place, new in changes:
            try:
                changed = removed(changed, place) if drop else replaced(changed, place, new)
            except (KeyError, IndexError, TypeError):
                continue  # an earlier change took the place away
        data = json.dumps(changed).encode("utf-8", "surrogatepass")
        outcome("a.json", data)
        outcome("a.json", data, importer)

    check()


@pytest.mark.parametrize("path", REPORTS, ids=NAMES)
def test_a_report_may_be_cut_off_or_damaged_anywhere(path):
    data = path.read_bytes()

    @LIGHT
    @given(st.integers(0, len(data)), st.integers(0, len(data)), st.binary(max_size=12))
    def check(start, length, inserted):
        outcome(path.name, data[:start])
        outcome(path.name, data[:start] + inserted + data[start + length % 40 :])

    check()


CELLS = st.one_of(
    st.text(max_size=12),
    st.sampled_from([text for text in NAUGHTY if isinstance(text, str)]),
    st.floats().map(str),
    st.integers().map(str),
)
HEADINGS = st.sampled_from(
    [
        *("GPUs", "Model", "Throughput (img/s)", "Throughput - FP32", "Throughput - FP16", "Speedup (FP32 to FP16)"),
        *(
            "Strong scaling",
            "Weak scaling - FP16",
            "99% latency (ms)",
            "Latency avg",
            "Time to train",
            "seed 1",
            "Mean",
            "Std",
        ),
        *(
            "Batch size / GPU: FP32, FP16",
            "MFU",
            "TFLOP/s/GPU",
            "Accuracy - FP32",
            "top1 standard deviation",
            "Nodes x GPUs",
        ),
        *("parameters", "epochs", "epoch", "val_loss", "hours", "top1Accuracy", "Precision", "", "|", "image size"),
    ]
)


@LIGHT
@given(st.data())
def test_a_table_may_hold_anything(data):
    width = data.draw(st.integers(2, 6))
    header = data.draw(st.lists(HEADINGS, min_size=width, max_size=width))
    rows = data.draw(st.lists(st.lists(CELLS, min_size=0, max_size=8), min_size=1, max_size=5))
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * width]
    lines += ["| " + " | ".join(cell.replace("\n", " ") for cell in row) + " |" for row in rows]
    outcome("a.md", "\n".join(lines).encode("utf-8", "surrogatepass"))
    separated = "\n".join("\t".join(row) for row in [header, *rows])
    outcome("a.tsv", separated.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("importer", [importer.name for importer in built_in() if importer.read_folder is None])
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[]",
        b"[{}]",
        b"null",
        b"[" * 5000,
        b'{"a":' * 5000,
        b"\xff\xfe",
        b"\x80\x04.",
        b"|",
        b"a,b\n",
        b",\n,\n",
        b"{}\n{}\n",
    ],
    ids=range(13),
)
def test_nothing_and_nonsense_are_refused_by_every_importer(importer, data):
    outcome("a", data, importer)


def test_a_wide_and_long_line_costs_no_quadratic_time():
    text = "|" + "a|" * 40_000 + "\n" + "|" + "-|" * 40_000 + "\n" + "|" + "1|" * 40_000
    assert grids(open_report("a.md", text.encode())) == ()
    assert outcome("a.txt", ("DLL " * 200_000 + "\n" + "1" * 400_000).encode()) is None


@pytest.mark.parametrize("path", JSON_REPORTS[::3], ids=NAMES[: len(JSON_REPORTS[::3])])
def test_lint_judges_what_was_read_of_a_damaged_report(path):
    value = json.loads(path.read_text())
    places = [place for place in paths_of(value) if place]
    for index, place in enumerate(places[:: max(1, len(places) // 12)]):
        new = [value for value in NAUGHTY if not isinstance(value, float)][index * 7 % 40]
        data = json.dumps(replaced(value, place, new)).encode("utf-8", "surrogatepass")
        found = outcome("a.json", data)
        if found is not None:
            findings = lint(found, Settings()).report.all_findings
            assert [finding.message for finding in findings if finding.outcome == "error"] == []
