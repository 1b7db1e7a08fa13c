"""What no rule may do: reward a deleted value, an empty list, a NaN, or another order of keys."""

import math
import time
import zlib

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import book, by_code
from dlaudit.rules.case import Case, Study
from dlaudit.rules.documentation import example, merge_patch, sections
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import escape, to_model
from dlaudit.schemas.source import parse
from dlaudit.schemas.submission import Submission
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support import pace
from support.validity import valid

RULES = {rule.code: rule for rule in book() if rule.check is not None}
FUZZED = (
    *("M01", "M05", "M23", "S01", "S04", "S05", "S13", "P01", "P12", "E01", "E02", "L01", "L03", "L04"),
    *("S06", "S07", "S10", "S15", "S16", "E06", "L05", "L08", "L11", "L12"),
    *("F02", "F03", "F05", "F06", "F11", "F15", "F16", "F17", "F19", "F21", "F25", "F26", "F30", "F31", "F41", "F42"),
    *("F45", "F53", "F54", "B02"),
    *("F01", "F04", "F07", "F09", "F10", "F20", "F24", "R01", "R04", "I01", "I02", "I03", "B01", "Q22"),
)
BASES = ("rate", "serving", "energy", "training-pair")
BAD = {Outcome.VIOLATION, Outcome.NOT_SHOWN}
CITED = {"manifests": {"study": {"path": "study/manifest.json", "sha256": "0" * 64}}}
NEAR, OTHERS = 24, 8
"""How many leaves of an example are deleted one by one: beside its flaw, and elsewhere."""


def results(value, rules, signature="absent"):
    studies = {name: Study(name, None, signature) for name in value.get("manifests", {})}
    found = judge(Case(to_model(value, Submission), studies, nonce="2f1c9b0e7a"), rules)
    return {(result.code, result.claim): result for result in found}


def flagged(code):
    found = example(sections(RULES[code].doc)["Flagged"])
    return merge_patch(base(found.base), found.patch), found.patch, found.study or "absent"


def leaves(value, path=()):
    """Yield the path of every value that is no object, and of the fields of objects in lists."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, key))
        return
    if path and isinstance(path[-1], str):
        yield path
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, dict):
                yield from leaves(item, (*path, index))


def changed(value, path, change):
    """Return a copy whose leaf at a path is `change(leaf)`; removed where that is None. All else is shared."""
    step, *rest = path
    new = change(value[step]) if not rest else changed(value[step], rest, change)
    if isinstance(value, list):
        return [new if index == step else item for index, item in enumerate(value)]
    return {key: (new if key == step else item) for key, item in value.items() if key != step or new is not None}


def without(value, path):
    return changed(value, path, lambda leaf: None)


def emptied(value, path):
    return changed(value, path, lambda leaf: [] if isinstance(leaf, list) else None)


def near(path, patch):
    """Whether a leaf lies in an object that the example's patch touches."""
    return any(path[: len(touched) - 1] == touched[:-1] for touched in leaves(patch))


def tried_leaves(value, patch):
    paths = list(leaves(value))
    rest = sorted((path for path in paths if not near(path, patch)), key=lambda path: zlib.crc32(repr(path).encode()))
    return [path for path in paths if near(path, patch)][:NEAR] + rest[:OTHERS]


def poorer(value, path):
    """Yield a document without a leaf, and with an empty list in its place where it is a list."""
    yield without(value, path)
    if emptied(value, path) != without(value, path):
        yield emptied(value, path)


OF_A_TEXT = frozenset({"F60"})
"""Rules that hold a text of a log against its events: without the text it is another log, as its digest tells."""


def needs_a_source(code):
    """Whether a rule reads the document that its example's claims were taken from."""
    return example(sections(RULES[code].doc)["Flagged"]).source is not None


@pytest.mark.parametrize("code", [code for code in RULES if code not in OF_A_TEXT and not needs_a_source(code)])
def test_deleting_a_leaf_never_turns_a_finding_into_a_pass(code):
    value, patch, signature = flagged(code)
    bad = {key for key, result in results(value, [RULES[code]], signature).items() if result.outcome in BAD}
    assert bad
    for path in tried_leaves(value, patch):
        for less in poorer(value, path):
            if not valid(less):
                continue
            after = results(less, [RULES[code]], signature)
            for key in bad & set(after):
                assert after[key].outcome not in {Outcome.PASS, Outcome.ERROR}, (path, key, after[key])


def other_value(draw, path, leaf):
    """Draw another value for a leaf: a number scaled, a truth value turned, another word, a shorter list."""
    if isinstance(leaf, bool):
        return not leaf
    factor = draw(st.sampled_from([0, 0.5, 0.97, 1.03, 2, 10, 100]))
    if isinstance(leaf, int | float):
        return type(leaf)(leaf * factor)
    if isinstance(leaf, list):
        numbers = bool(leaf) and isinstance(leaf[0], int | float)
        return draw(st.sampled_from([[], leaf[:2], [leaf[0] * 1.5, *leaf[1:]] if numbers else leaf]))
    if isinstance(leaf, str) and leaf.replace(".", "", 1).isdigit():
        return f"{float(leaf) * factor:.6g}"
    return draw(st.sampled_from(WORDS.get(path[-1], [leaf])))


WORDS = {
    "unit": ["x", "%", "s", "ms", "images/s", "images/s/GPU", "TFLOP/s", "requests/s", "J"],
    "statistic": ["mean", "median", "min", "max", "best_of", "percentile", "unspecified"],
    "form": ["absolute", "ratio", "rank"],
    "quantity": ["rate", "time", "latency", "flops", "energy"],
    "scope": ["step", "training_run", "request", "pipeline"],
    "method": ["counter", "sampled", "meter"],
    "boundary": ["device", "node"],
    "loop": ["open", "closed"],
    "definition": ["after_first", "all_tokens", "mean_gap"],
    "outcome": ["completed", "failed", "diverged"],
    "column": ["step_time_s", "latency_s", "energy_j", "loss"],
    "arm": ["a", "fused", "plain", "server", "limited", "nowhere"],
    "compares": ["none", "own_variants", "other_system"],
}


@st.composite
def documents(draw):
    """A base or a flagged example with up to three leaves changed, valid under the schema."""
    name = draw(st.sampled_from([*BASES, *FUZZED]))
    value = base(name) if name in BASES else flagged(name)[0]
    if draw(st.booleans()):
        value = merge_patch(value, CITED)
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(list(leaves(value))))
        patched = changed(value, path, lambda leaf, path=path: other_value(draw, path, leaf))
        if valid(patched):
            value = patched
    return value


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(documents(), st.data())
def test_no_missing_value_helps_a_patched_document(value, data):
    rules = [RULES[code] for code in FUZZED]
    before = results(value, rules, "trusted")
    assert not [result for result in before.values() if result.outcome is Outcome.ERROR]
    bad = {key for key, result in before.items() if result.outcome in BAD}
    assume(bad)
    judging = [rule for rule in rules if any(rule.code == code for code, _ in bad)]
    for path in data.draw(st.lists(st.sampled_from(list(leaves(value))), min_size=4, max_size=8, unique=True)):
        less = data.draw(st.sampled_from([without, emptied]))(value, path)
        if not valid(less):
            continue
        after = results(less, judging, "trusted")
        # who takes away the very number that a finding is about has mended it
        mended = {key for key in bad if before[key].branch.at == "".join(f"/{escape(str(step))}" for step in path)}
        for key in (bad - mended) & set(after):
            assert after[key].outcome not in {Outcome.PASS, Outcome.ERROR}, (path, key, before[key], after[key])


def reordered(value):
    if isinstance(value, dict):
        return {key: reordered(item) for key, item in reversed(value.items())}
    return [reordered(item) for item in value] if isinstance(value, list) else value


def essence(result):
    branch = result.branch
    strength = (branch.branch, branch.effect, branch.confidence) if result.outcome is Outcome.VIOLATION else None
    return result.outcome, strength, sorted(result.also)


@pytest.mark.parametrize("code", RULES)
def test_the_order_of_keys_changes_nothing(code):
    value, _, signature = flagged(code)
    before, after = results(value, [RULES[code]], signature), results(reordered(value), [RULES[code]], signature)
    assert {key: essence(result) for key, result in before.items()} == {k: essence(r) for k, r in after.items()}


@pytest.mark.parametrize("name", BASES)
def test_the_order_of_keys_changes_no_base(name):
    before, after = results(base(name), RULES.values()), results(reordered(base(name)), RULES.values())
    assert {key: essence(result) for key, result in before.items()} == {k: essence(r) for k, r in after.items()}


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_no_document_holds_a_number_that_is_not_finite(number):
    with pytest.raises(UserError):
        parse(f'{{"value": {number}}}'.encode(), "a.json")


@pytest.mark.parametrize("number", [".nan", ".inf", "-.inf", "1e999"])
def test_no_yaml_holds_a_number_that_is_not_finite(number):
    try:
        value = parse(f"value: {number}".encode(), "a.yaml").value
    except UserError:
        return
    assert not isinstance(value["value"], float)


RECORD = {
    "dlaudit": "study/1",
    "tool": {"name": "dlaudit", "version": "1"},
    "libraries": {},
    "study": {
        **dict.fromkeys(("id", "title", "spec", "started", "ended"), "s"),
        "spec_sha256": "0" * 64,
        "complete": True,
    },
    "plan": [],
}


def in_study(name, read):
    """A base whose arms lie in a cited study, with a reader of its raw columns."""
    value = base(name)
    record = {**RECORD, "systems": value["systems"], "arms": value["arms"]}
    claims = {
        key: {part: {"manifest": "study"} for part in ("measured", "base", "quality") if part in claim}
        for key, claim in value["claims"].items()
    }
    cited = merge_patch(value, {**CITED, "claims": claims, "arms": None})
    study = Study("study", to_model(record, Predicate, "study:"), "trusted", (), read)
    return Case(to_model(cited, Submission), {"study": study})


ODD = {
    "nan": lambda values: [math.nan, *values[1:]],
    "infinite": lambda values: [*values[:-1], math.inf],
    "zero": lambda values: [0.0, *values[1:]],
    "negative": lambda values: [-value for value in values],
    "empty": lambda values: [],
}


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("odd", ODD)
def test_raw_numbers_that_are_no_measurements_pass_nothing(name, odd):
    """A study's sample file may hold anything: rules that recompute from it neither crash nor pass."""
    case = in_study(name, lambda trial: {key: ODD[odd](list(values)) for key, values in trial.samples.items()})
    found = judge(case, RULES.values())
    assert not [result for result in found if result.outcome is Outcome.ERROR]
    recomputed = [result for result in found if result.code in {"F07", "M23", "S05"}]
    assert not [result for result in recomputed if result.outcome is Outcome.PASS]
    sound = judge(in_study(name, lambda trial: trial.samples), RULES.values())
    assert any(result.outcome is Outcome.PASS for result in sound if result.code == "F07")


def test_ten_thousand_raw_numbers_are_judged_without_comparing_each_with_each():
    value = base("training-pair")
    for arm, level in (("fused", 0.793), ("plain", 1.133)):
        trials = {
            f"t{trial}": {"samples": {"step_time_s": [level + (i * 7919 % 1000) * 1e-5 for i in range(1000)]}}
            for trial in range(1, 6)
        }
        value = merge_patch(value, {"arms": {arm: {"trials": trials}}})
    case = Case(to_model(value, Submission))
    start = time.process_time()
    judge(case, RULES.values())
    assert time.process_time() - start < pace.seconds(3)  # a tenth of it is usual; each with each takes a minute


def test_every_fuzzed_rule_is_in_the_book():
    assert all(by_code(code) is not None for code in FUZZED)
