"""Words are read in one place: no module outside `rules/language` owns a pattern over English, but those named here.

The list only gets shorter. What stands in it reads the format of a tool, or is still to be moved to the reader.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FORMATS = {
    "audit/importers/curves/dawnbench.py": "counts of devices as DAWNBench writes them",
    "audit/importers/curves/dllogger_lines.py": "lines of DLLogger",
    "audit/importers/curves/hf_trainer.py": "names of checkpoints",
    "audit/importers/harness/llama_bench.py": "models as llama.cpp prints them",
    "audit/importers/harness/llama_bench_table.py": "the table of llama-bench",
    "audit/importers/harness/lm_eval.py": "what a harness collects of the environment",
    "audit/importers/harness/pyperf.py": "the clock as pyperf describes it",
    "audit/importers/harness/serving.py": "keys of serving benchmarks",
    "audit/importers/harness/nccl_tests.py": "the output of nccl-tests",
    "audit/importers/keyed/blocks.py": "command lines of a shell",
    "audit/importers/mlperf/accuracy.py": "records of the suite",
    "audit/importers/mlperf/inference_place.py": "names of rounds",
    "audit/importers/mlperf/loadgen_summary.py": "the summary of LoadGen",
    "audit/importers/mlperf/power_log.py": "the log of a power meter",
    "audit/importers/mlperf/power_session.py": "records of a power session",
    "audit/importers/mlperf/system_description.py": "software as submitters list it",
    "audit/importers/mlperf/training.py": "names of rounds",
    "audit/importers/mlperf/training_power.py": "names of power logs",
    "audit/importers/tables/commented.py": "tags",
    "audit/importers/tables/in_documents.py": "marks of tables",
    "audit/importers/documents/arrays.py": "marks of LaTeX",
    "audit/importers/documents/forms.py": "marks of Markdown, LaTeX and HTML",
    "audit/importers/documents/html_tables.py": "tags",
    "audit/lint/published.py": "marks that name a claim",
    "audit/importers/documents/marks.py": "marks of Markdown and HTML",
    "audit/lint/waivers_beside.py": "names of files",
    "rules/documentation.py": "the headings of a rule's docstring",
    "rules/facts/device/description.py": "machine types of clouds",
    "rules/facts/document/placeholders.py": "blanks of templates",
    "rules/facts/runs/names.py": "names of log files",
    "rules/forensics/_counts_in_names.py": "counts in the names of systems and folders",
    "rules/methodology/measuring_tool_modified.py": "suffixes of source files",
    "rules/reproducibility/code_missing.py": "addresses and commits",
    "rules/suite/compliance_test_not_passed.py": "verdict lines of compliance tests",
    "rules/suite/result_footnote_incomplete.py": "addresses",
}
"""Modules whose patterns are over the format of a tool or a file, and which."""
LOOK_UPS = frozenset({"isdisjoint", "issuperset", "issubset", "intersection"})
LISTS = {
    "audit/importers/tables/suite_words.py": "divisions of the suite",
    "rules/forensics/descriptors_contradict.py": "units of memory in the names of devices",
}
"""Modules that look words up in lists of their own, and which."""
CALLS = frozenset({"Pattern", "compile", "search", "match", "fullmatch", "sub", "findall", "finditer"})
NO_WORDS = re.compile(r"\\.|\(\?P<[^>]*>|\[[^\]]*\]")


def patterns_over_words(tree):
    """Yield the line of each pattern that spells out a word of four letters or more."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        if getattr(node.func, "id", getattr(node.func, "attr", "")) in CALLS:
            parts = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
            text = NO_WORDS.sub(" ", "".join(part for part in parts if isinstance(part, str)))
            if re.search("[a-z]{4}", text):
                yield node.lineno


def lists_of_words(tree):
    """Yield the line of each list of two words or more that the words of a text are looked up in."""
    names = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in LOOK_UPS:
            sides = [node.func.value, *node.args]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd):
            sides = [node.left, node.right]
        else:
            continue
        if any(getattr(part, "attr", "") == "low" for side in sides for part in ast.walk(side)):
            known = [names.get(getattr(side, "id", ""), side) for side in sides]
            if any(len(list(words_in(side))) > 1 for side in known):
                yield node.lineno


def words_in(node):
    """Yield the words that stand in a list by themselves; none of a call, which asks for one by its name."""
    members = node.args[0] if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "frozenset" else node
    for part in getattr(members, "elts", ()):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and re.fullmatch("[a-z]{2,}", part.value):
            yield part.value


def owners():
    for floor in ("rules", "audit"):
        for path in sorted((ROOT / floor).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith("rules/language/") and any(patterns_over_words(ast.parse(path.read_bytes()))):
                yield name


def test_words_are_read_in_one_place():
    assert set(owners()) == set(FORMATS)


def test_a_pattern_over_words_is_found():
    assert list(patterns_over_words(ast.parse('SERIAL = Pattern(r"\\bserial\\b")'))) == [1]
    assert list(patterns_over_words(ast.parse('DIGEST = Pattern(r"[0-9a-f]{40}")'))) == []


def test_lists_of_words_are_in_the_tables():
    found = {
        path.relative_to(ROOT).as_posix()
        for floor in ("rules", "audit")
        for path in sorted((ROOT / floor).rglob("*.py"))
        if "rules/language/" not in path.as_posix() and any(lists_of_words(ast.parse(path.read_bytes())))
    }
    assert found == set(LISTS)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ('BOUNDS = frozenset({"over", "under"})\nany(token.low in BOUNDS for token in tokens)', [2]),
        ('found = tokens.low(at) in {"over", "under"}', [1]),
        ('ENDS = {"over", "under"}\nkept = ENDS.isdisjoint(token.low for token in tokens)', [2]),
        ('found = token.low in lexicon.word_set("bounds")', []),
        ('found = token.low == "of"', []),
    ],
)
def test_a_list_of_words_is_found(source, lines):
    assert list(lists_of_words(ast.parse(source))) == lines
