"""Concepts: what a phrase fits, where it stands, and whether it is denied."""

import json

import pytest
from dlaudit.rules.language import concepts, lexicon
from dlaudit.rules.language.reading import Reading

CONCEPTS = list(lexicon.concepts())


@pytest.mark.parametrize(
    ("text", "concept", "expected"),
    [
        ("Data loading is included.", "data_loading", "Data loading"),
        ("data-loading", "data_loading", "data-loading"),
        ("the dataloading thread", "data_loading", "dataloading"),
        ("We averaged five runs.", "mean_or_median", "averaged"),
        ("medians are given", "mean_or_median", "medians"),
        ("a normalised rate", "per_device", "normalised"),
        ("12 img/s per GPU", "per_device", "per GPU"),
        ("each accelerator", "per_device", "each accelerator"),
        ("a Mixture of Experts", "moe", "Mixture of Experts"),
        ("MoE layers", "moe", "MoE"),
        ("state of the art", "superlative", "state of the art"),
        ("state-of-the-art", "superlative", "state-of-the-art"),
        ("the 99th percentile", "statistic.p99", "99th percentile"),
        ("p99 latency", "statistic.p99", "p99"),
        ("best of the three runs", "best_of_runs", "best of the three runs"),
        ("strong-scaling study", "scaling.strong", "strong-scaling"),
        ("zero-shot", "shots", "zero-shot"),
        ("the 5-shot result", "shots", "5-shot"),
        ("older generation", "generation_age", "older generation"),
        ("the job shared the same device", "tenants", "shared the same device"),
    ],
)
def test_a_phrase_is_found_in_its_place(text, concept, expected):
    (found,) = Reading(text).mentions(concept)
    assert (text[found.start : found.end], found.text) == (expected, expected)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("a meaningful result", "mean_or_median"),
        ("The moe of the error", "moe"),
        ("change detection", "quality_change"),
        ("test-time augmentation", "test_split"),
        ("the mission", "data_loading"),
        ("a linear layer speeds up", "scaling.linear"),
        ("only 3x faster", "part_of_step"),
        ("the default setting", "superlative"),
        ("one minute", "throughput"),
        ("a challenge", "prompted_benchmark"),
        ("radio input", "data_loading"),
    ],
)
def test_what_only_looks_like_a_phrase_is_none(text, concept):
    assert not Reading(text).has(concept, affirmed=False)


def test_a_denied_mention_is_told_apart():
    reading = Reading("Loading is not included, but compilation is.")
    assert not reading.has("inclusion")
    assert reading.has("inclusion", affirmed=False)
    assert reading.has("compile")


def test_a_negation_ends_with_its_clause():
    reading = Reading("It does not slow down, and memory is swapped.")
    assert reading.has("memory")


def test_an_unknown_concept_is_an_error():
    with pytest.raises(concepts.UnknownConcept):
        Reading("x").has("no such concept")


def test_every_concept_compiles_and_finds_nothing_in_nothing():
    nothing = Reading("")
    for concept in CONCEPTS:
        assert concepts.phrases_of(concept), concept
        assert nothing.mentions(concept) == (), concept


def test_no_phrase_is_empty_or_begins_with_a_gap():
    for concept in CONCEPTS:
        for phrase in concepts.phrases_of(concept):
            body = [atom for atom in phrase if not atom.refused]
            assert body, concept
            assert not body[0].skips, concept
            assert not body[-1].skips, concept
            assert not all(atom.optional for atom in body), concept


def test_a_concept_keeps_the_beginnings_of_one_that_it_names(monkeypatch):
    concepts.phrases_of.cache_clear()
    monkeypatch.setattr(lexicon, "concepts", lambda: {"right": ["correct*"], "rightly": ["more @right"]})
    assert Reading("a more correctly run").has("rightly")
    concepts.phrases_of.cache_clear()


def test_a_hyphened_alternative_is_refused(monkeypatch):
    monkeypatch.setattr(lexicon, "concepts", lambda: {"mean": ["geo-mean|gmean"]})
    concepts.phrases_of.cache_clear()
    with pytest.raises(ValueError, match="geo-mean"):
        concepts.phrases_of("mean")
    concepts.phrases_of.cache_clear()


def test_a_concept_is_defined_once():
    names = [
        name
        for path in sorted((lexicon.FOLDER / "lexicon" / "concepts").glob("*.json"))
        for name in json.loads(path.read_bytes())
    ]
    assert len(names) == len(set(names))
