"""L02, L05, L07 to L13: what a claim about inference has to say, and what its own numbers say against it."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)
NO_TRIALS = {f"t{i}": None for i in range(1, 6)}


def found(result):
    return result.outcome, getattr(result.branch, "branch", None), getattr(result.branch, "effect", None)


def server(rate=None, latency=None, claims=None, **arm):
    performance = {"rate": rate or {}, "latency": latency or {}}
    return {"claims": claims or {}, "arms": {"server": {"performance": performance, **arm}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        (server(latency={"token_times": None}), NOT_SHOWN),
        (server(latency={"token_times": {"first_token": None}}), NOT_SHOWN),
        (server(latency={"token_times": {"per_output_token": None}}), NOT_SHOWN),
        (
            server(
                latency={"token_times": None},
                trials={**NO_TRIALS, "t1": {"samples": {"ttft_s": [0.1], "tpot_s": [0.01], "latency_s": [1.0]}}},
            ),
            PASS,
        ),
    ],
)
def test_token_latencies(judged, patch, outcome):
    result = judged("serving", "L02", "rate", patch)
    assert result.outcome is outcome
    assert outcome is PASS or result.branch.item == "TTFT and TPOT"


def test_token_latencies_as_metrics_or_columns(judged):
    times = {name: {"quantity": "latency", "value": "0.1", "unit": "s"} for name in ("ttft", "inter-token")}
    patch = {"arms": {"server": {"performance": {"latency": {"token_times": None}, **times}}}}
    assert judged("serving", "L02", "rate", patch).outcome is PASS
    columns = {name: {"quantity": "latency", "unit": "ms"} for name in ("ttft_p99", "tpot_p99")}
    table = {"columns": columns, "rows": {"r": {"arm": "server", "values": {"ttft_p99": "310", "tpot_p99": "21"}}}}
    patch = server(latency={"token_times": None}, claims={"rate": {"row": {"table": "t", "row": "r"}}})
    assert judged("serving", "L02", "rate", {**patch, "tables": {"t": table}}).outcome is PASS
    del table["rows"]["r"]["values"]["tpot_p99"]
    assert judged("serving", "L02", "rate", {**patch, "tables": {"t": table}}).outcome is NOT_SHOWN


def bound(value, percentile="99", unit="s", part=None, raw=True, claim="rate", **latency):
    stated = {"value": value, "unit": unit, "percentile": percentile, "part": part}
    stated = {key: item for key, item in stated.items() if item is not None}
    return server(latency=latency, claims={claim: {"latency_bound": stated}}, **({} if raw else {"trials": None}))


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, NOT_SHOWN),
        (bound("3.0"), PASS),
        (bound("2.857"), PASS),  # equal to the printed percentile
        (bound("2.86"), PASS),
        (bound("2.8"), VIOLATION),
        (bound("2800", unit="ms"), VIOLATION),
        (bound("2.8", raw=False), VIOLATION),
        (bound("2.7", summary=None), VIOLATION),  # by the raw latencies alone
        (bound("3.0", summary=None), PASS),
        (bound("3.0", raw=False, summary=None), NOT_SHOWN),
        (bound("3.0", percentile=None), NOT_SHOWN),
        (bound("3.0", "99.9", raw=False), NOT_SHOWN),
        (bound("3.0", raw=False, n=None), NOT_SHOWN),
        (bound("3.0", part="first_token"), NOT_SHOWN),
        (bound("2.0", percentile="50"), VIOLATION),
    ],
)
def test_latency_bounds(judged, patch, outcome):
    result = judged("serving", "L05", "rate", patch)
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (REFUTES, C3)
    assert outcome is not NOT_SHOWN or result.branch.item == "percentile and bound"


def test_the_claimed_percentile_stands_against_its_own_bound(judged):
    stated = {"value": "2.7", "unit": "s", "percentile": "99"}
    patch = {"claims": {"latency": {"value": "2.81", "latency_bound": stated}}}
    result = judged("serving-comparison", "L05", "latency", patch)
    assert (result.outcome, result.branch.at) == (VIOLATION, "/claims/latency/value")
    patch["claims"]["latency"]["quantity"] = "energy"
    assert judged("serving-comparison", "L05", "latency", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("The 99th percentile of the latency is 2.90 s.", VIOLATION),
        ("p95 is 2.90 s.", VIOLATION),  # the 99th lies no lower
        ("p99.9 is 2.90 s.", NOT_SHOWN),  # the 99th may lie below
        ("The latency is 2.90 s.", NOT_SHOWN),
    ],
)
def test_the_percentile_that_the_sentence_names(judged, words, outcome):
    stated = {"value": "2.7", "unit": "s", "percentile": "99"}
    claim = {"statement": words, "value": "2.90", "latency_bound": stated}
    arm = {"performance": {"latency": {"summary": None}}, "trials": None}
    patch = {"claims": {"latency": claim}, "arms": {"ours": arm}}
    assert judged("serving-comparison", "L05", "latency", patch).outcome is outcome


def test_failures_beside_a_rate_of_windows(judged):
    """A rate over iterations stands on the requests of its arm under the same load."""
    patch = requests()
    patch["arms"]["server"]["performance"]["rate"] = {
        "n": {"unit": "iteration", "planned": 9, "completed": 9, "failed": 0}
    }
    patch["claims"]["rate"] = {"statement": "6.27 requests per second"}
    assert judged("serving", "L11", "rate", patch).outcome is VIOLATION
    patch["arms"]["server"]["performance"]["latency"]["load"] = {"concurrency": 64}
    assert judged("serving", "L11", "rate", patch).outcome is NOT_SHOWN


def test_a_first_token_has_a_bound_of_its_own(judged):
    times = {"ttft_s": [0.30, 0.40, 0.50], "tpot_s": [0.01] * 3, "latency_s": [2.0] * 3}
    trials = {**NO_TRIALS, "t1": {"samples": times}}
    patch = bound("350", unit="ms", part="first_token")
    patch["arms"]["server"]["trials"] = trials
    assert judged("serving", "L05", "rate", patch).outcome is VIOLATION
    patch["claims"]["rate"]["latency_bound"]["value"] = "500"
    assert judged("serving", "L05", "rate", patch).outcome is PASS


def loads(ours=None, theirs=None, **claim):
    arms = {name: {"performance": {"rate": {"load": load}}} for name, load in (("ours", ours), ("theirs", theirs))}
    return {
        "claims": {"speedup": claim},
        "arms": {name: arm for name, arm in arms.items() if arm["performance"]["rate"]["load"]},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        (loads({"tokenizer": "BPE 128256"}, {"tokenizer": "BPE 32000"}), VIOLATION),
        (loads({"tokens_counted": "total"}), VIOLATION),
        (loads({"tokenizer": "unigram"}, {"tokenizer": "BPE"}), PASS),  # other words may mean one tokenizer
        (loads({"tokenizer": None}), NOT_APPLICABLE),
        (loads({"tokens_counted": None}, statement="FastServe is 1.31 times as fast."), NOT_SHOWN),
        (loads({"tokens_counted": None}), PASS),  # the sentence says output tokens
    ],
)
def test_tokens(judged, patch, outcome):
    result = judged("serving-comparison", "L07", "speedup", patch)
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (UNDERMINES, C3)
    assert outcome is not NOT_SHOWN or result.branch.item == "meaning of tokens"


def test_tokens_of_two_models(judged):
    patch = loads()
    patch["arms"] = {"theirs": {"options": {"model": "decoder 7B"}}}
    assert judged("serving-comparison", "L07", "speedup", patch).outcome is NOT_SHOWN
    assert judged("serving", "L07", "rate").outcome is NOT_APPLICABLE  # requests per second
    assert judged("training-pair", "L07", "rate").outcome is PASS  # every token of a training counts


def cached(prefix_cache=True, duplicate_prompts=0.4, speculation="none", claim=None, **arm):
    load = {"prefix_cache": prefix_cache, "duplicate_prompts": duplicate_prompts, "speculation": speculation}
    return server(rate={"load": load}, claims={"rate": claim or {}}, **arm)


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (cached(), VIOLATION),
        (cached(duplicate_prompts=0.05), PASS),
        (cached(prefix_cache=False), PASS),
        (cached(prefix_cache=None), NOT_SHOWN),
        (cached(duplicate_prompts=None), NOT_SHOWN),
        (cached(prefix_cache=False, speculation=None), NOT_SHOWN),
        (cached(prefix_cache=False, speculation="draft model of 1B"), NOT_SHOWN),
        (cached(prefix_cache=False, speculation="draft of 1B, acceptance 0.71"), PASS),
        (cached(speculation=None), VIOLATION),  # what is missing hides nothing
        (cached(claim={"statement": "With the prefix cache on, 6.27 requests per second."}), PASS),
        (cached(claim={"said": [{"topic": "cache_or_speculation", "quote": "40 % of the prompts repeat"}]}), PASS),
        (cached(options={"dataset": "1004 turns of multi-turn conversations"}), PASS),
        (server(rate={"load": None}), NOT_SHOWN),
    ],
)
def test_caches_and_speculation(judged, patch, outcome):
    result = judged("serving", "L08", "rate", patch)
    assert result.outcome is outcome
    assert outcome is not NOT_SHOWN or result.branch.item == "cache and speculation"


def rouge(claim=None, **quality):
    return {"claims": {"quality": claim or {}}, "arms": {"int8": {"quality": {"rouge": quality}}}}


@pytest.mark.parametrize(
    ("length", "outcome"),
    [
        ({}, PASS),
        ({"generated": "100.1"}, PASS),
        ({"generated": "100.0"}, PASS),  # 90 % by its digits
        ({"generated": "99.9"}, VIOLATION),
        ({"generated": "130.0"}, PASS),
        ({"generated": "130.0", "bounded": True}, VIOLATION),
        ({"generated": "122.3", "bounded": True}, PASS),
        ({"reference": "0"}, NOT_APPLICABLE),
        ({"generated": "0"}, NOT_APPLICABLE),
    ],
)
def test_lengths_of_outputs(judged, length, outcome):
    assert judged("quantised", "L09", "quality", rouge(output_length=length)).outcome is outcome


def test_lengths_that_are_not_given(judged):
    assert judged("quantised", "L09", "quality", rouge(output_length=None)).outcome is NOT_APPLICABLE


LOSSLESS = "INT8 weights are lossless."


@pytest.mark.parametrize(
    ("value", "claim", "outcome"),
    [
        ("38.72", {"statement": LOSSLESS}, PASS),
        ("38.40", {"statement": LOSSLESS}, PASS),  # 99.0 %
        ("38.39", {"statement": LOSSLESS}, VIOLATION),
        ("38.11", {}, NOT_APPLICABLE),
        ("38.11", {"form": "parity"}, VIOLATION),
        ("38.11", {"form": "parity", "margin": {"value": "3"}}, PASS),
        ("38.11", {"suite": "inference", "division": "closed"}, VIOLATION),
        ("38.11", {"suite": "inference", "division": "open"}, NOT_APPLICABLE),
        ("38.11", {"statement": "It keeps the score without any loss."}, VIOLATION),
        ("38.11", {"statement": "No loss of more than two percent."}, NOT_APPLICABLE),
        ("38.11", {"statement": "It retains 98 % of the score on the full, same test set."}, NOT_APPLICABLE),
        ("38.11", {"statement": "It matches the reference."}, VIOLATION),
        ("38.72", {"form": "parity", "suite_result": {"benchmark": "decoder-8b-99.9"}}, VIOLATION),
        ("38.76", {"form": "parity", "suite_result": {"benchmark": "decoder-8b-99.9"}}, PASS),
        ("0.3811", {"statement": LOSSLESS}, NOT_APPLICABLE),  # another scale
        ("0", {"statement": LOSSLESS}, NOT_APPLICABLE),
    ],
)
def test_qualities_beside_their_reference(judged, value, claim, outcome):
    result = judged("quantised", "L10", "quality", rouge({"value": value, **claim}, value=value))
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (REFUTES, C3)


def test_a_loss_beside_its_reference(judged):
    claim = {"statement": LOSSLESS}
    worse = rouge(claim, value="39.30", direction="lower")
    assert judged("quantised", "L10", "quality", worse).outcome is VIOLATION
    assert judged("quantised", "L10", "quality", rouge(claim, direction="lower")).outcome is PASS
    assert judged("quantised", "L10", "quality", rouge(claim, direction=None, value="30.00")).outcome is NOT_APPLICABLE


def requests(planned=1064, completed=1000, failed=64, excluded=0, **claim):
    n = {"unit": "request", "planned": planned, "completed": completed, "failed": failed, "excluded": excluded}
    return server(latency={"n": n}, claims={"latency": claim})


SAID = "Mean latency 2.503 s over completed requests; 6 % failed."


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, (PASS, None, None)),
        (requests(), (VIOLATION, "a", UNDERMINES)),
        (requests(statement=SAID), (PASS, None, None)),
        (requests(said=[{"topic": "failed_requests", "quote": "64 of 1064 were lost"}]), (PASS, None, None)),
        (requests(said=[{"topic": "failed_requests", "quote": '"num": 1064, "failed": 64'}]), (VIOLATION, "c", CAVEAT)),
        (requests(1010, 1000, 10), (PASS, None, None)),  # 0.99 %
        (requests(1064, 1000, None), (VIOLATION, "a", UNDERMINES)),
        (requests(None, 1000, 64), (VIOLATION, "a", UNDERMINES)),
        (requests(1064, 1064, 64), (VIOLATION, "a", UNDERMINES)),  # planned ones given as completed
        (requests(1064, 1000, None, 64), (NOT_SHOWN, None, None)),  # why they were left out is not said
        (requests(1064, 1000, None, 64, statement="2.503 s; 64 were cut off at the window's end"), (PASS, None, None)),
        (requests(None, 1000, None), (NOT_SHOWN, None, None)),
        (requests(0, 0, 0), (PASS, None, None)),
        (requests(1200, 1000, 200, statement=SAID), (VIOLATION, "c", CAVEAT)),
        (requests(1200, 1000, 200, statement="Goodput counts the 200 that failed."), (PASS, None, None)),
    ],
)
def test_failed_requests(judged, patch, expected):
    result = judged("serving", "L11", "latency", patch)
    assert found(result) == expected
    assert expected[0] is not NOT_SHOWN or result.branch.item == "failures"


def test_an_arm_that_loses_a_tenth_is_not_ranked(judged):
    n = {"planned": 3400, "completed": 3000, "failed": 400}
    patch = {"arms": {"theirs": {"performance": {"rate": {"n": n}}}}}
    assert found(judged("serving-comparison", "L11", "speedup", patch)) == (VIOLATION, "b", UNDERMINES)
    patch["arms"]["theirs"]["performance"]["rate"]["n"] = None
    assert judged("serving-comparison", "L11", "speedup", patch).outcome is NOT_SHOWN


def curve(arm, counts=(1, 4, 16)):
    rate = {"quantity": "rate", "value": "100", "unit": "tokens/s"}
    return {f"at-{count}": {**rate, "load": {"concurrency": count, "loop": "closed"}} for count in counts}


def at_loads(theirs, curves=(), **claim):
    arms = {"ours": {"performance": {}}, "theirs": {"performance": {"rate": {"load": theirs}}}}
    for name in curves:
        arms[name]["performance"] |= curve(name)
    return {"claims": {"speedup": {"latency_bound": None, **claim}}, "arms": arms}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (at_loads({}), (PASS, None, None)),
        (at_loads({"concurrency": 4}), (VIOLATION, "a", UNDERMINES)),
        (at_loads({"prompt_length": "128 tokens each"}), (VIOLATION, "a", UNDERMINES)),
        (at_loads({"concurrency": 4}, ["ours"]), (VIOLATION, "a", UNDERMINES)),
        (at_loads({"concurrency": 4}, ["ours", "theirs"]), (VIOLATION, "b", CAVEAT)),
        (at_loads({"concurrency": 4}, treatment=["concurrency"]), (NOT_APPLICABLE, None, None)),
        (at_loads({"concurrency": None}), (NOT_SHOWN, None, None)),
        (at_loads(None), (NOT_SHOWN, None, None)),
        (at_loads({}, base=None), (NOT_SHOWN, None, None)),
        (at_loads({"concurrency": 4}, latency_bound={"value": "4", "unit": "s"}), (PASS, None, None)),
        (at_loads({"concurrency": 4}, quantity="accuracy"), (NOT_APPLICABLE, None, None)),
        (at_loads({"concurrency": 4}, quantity="count", basis="derived"), (NOT_APPLICABLE, None, None)),
        (at_loads({"concurrency": 4}, quantity="count"), (VIOLATION, "a", UNDERMINES)),
    ],
)
def test_loads_of_a_ratio(judged, patch, expected):
    assert found(judged("serving-comparison", "L12", "speedup", patch)) == expected


def test_a_table_over_load_is_a_curve(judged):
    rows = {f"{arm}-{n}": {"arm": arm, "values": {"rate": "1"}} for arm in ("ours", "theirs") for n in (1, 4, 16)}
    table = {"columns": {"rate": {"quantity": "rate", "unit": "tokens/s"}}, "rows": rows, "varies": ["concurrency"]}
    patch = {**at_loads({"concurrency": 4}), "tables": {"sweep": table}}
    assert found(judged("serving-comparison", "L12", "speedup", patch)) == (VIOLATION, "b", CAVEAT)
    del rows["theirs-1"]
    assert found(judged("serving-comparison", "L12", "speedup", patch)) == (VIOLATION, "a", UNDERMINES)


def test_a_headline_of_a_rate_and_a_latency(judged):
    claims = {"rate": {"group": "headline"}, "latency": {"group": "headline"}}
    assert judged("serving", "L12", "rate", server(claims=claims)).outcome is PASS
    idle = server(latency={"load": {"concurrency": 1}}, claims=claims)
    assert found(judged("serving", "L12", "rate", idle)) == (VIOLATION, "a", UNDERMINES)
    assert found(judged("serving", "L12", "latency", idle)) == (VIOLATION, "a", UNDERMINES)
    unsaid = server(latency={"load": None}, claims=claims)
    assert judged("serving", "L12", "rate", unsaid).outcome is NOT_SHOWN
    assert judged("serving", "L12", "rate", server(claims={"rate": {"group": "alone"}})).outcome is NOT_APPLICABLE


def test_many_claims_of_one_headline_are_compared_in_linear_time(judged):
    import time

    from dlaudit.rules.bases import base

    claim = base("serving")["claims"]["rate"]
    patch = {"claims": {f"c{i}": {**claim, "group": "headline"} for i in range(998)}}
    start = time.process_time()
    assert judged("serving", "L12", "c7", patch).outcome is NOT_APPLICABLE  # they name one number
    assert judged("serving", "S16", "c7", patch).outcome is PASS
    assert time.process_time() - start < 2


NOTHING = {"outputs": None, "comparator": {"quality": None}}


@pytest.mark.parametrize(
    ("claim", "arms", "outcome"),
    [
        ({}, {}, PASS),
        ({"outputs": None}, {}, PASS),  # a score of both arms
        (NOTHING, {"theirs": {"quality": None}}, NOT_SHOWN),
        ({"outputs": None}, {"theirs": {"quality": None}}, PASS),  # that of the comparator
        ({**NOTHING, "outputs": {"compared": 50, "identical": 50}}, {"theirs": {"quality": None}}, NOT_SHOWN),
        ({**NOTHING, "outputs": {"compared": 100, "identical": 94}}, {"theirs": {"quality": None}}, PASS),
        ({**NOTHING, "site": "hosted"}, {"theirs": {"quality": None}}, NOT_APPLICABLE),
        ({**NOTHING, "scope": "kernel"}, {"theirs": {"quality": None}}, NOT_APPLICABLE),
        ({**NOTHING, "compares": "own_variants"}, {"theirs": {"quality": None}}, NOT_APPLICABLE),
        (NOTHING, {"theirs": {"quality": {"accuracy": {"metric": "ROUGE-L"}}}}, NOT_SHOWN),
    ],
)
def test_output_parity(judged, claim, arms, outcome):
    result = judged("serving-comparison", "L13", "speedup", {"claims": {"speedup": claim}, "arms": arms})
    assert result.outcome is outcome
    assert outcome is not NOT_SHOWN or result.branch.item == "output parity"


def test_output_parity_in_a_table(judged):
    columns = {"rate": {"quantity": "rate", "unit": "tokens/s"}, "em": {"quantity": "accuracy", "unit": "%"}}
    rows = {name: {"arm": name, "values": {"rate": "1", "em": "74.1"}} for name in ("ours", "theirs")}
    claim = {**NOTHING, "row": {"table": "t", "row": "ours", "base_row": "theirs"}}
    patch = {"claims": {"speedup": claim}, "arms": {"theirs": {"quality": None}}}
    patch["tables"] = {"t": {"columns": columns, "rows": rows}}
    assert judged("serving-comparison", "L13", "speedup", patch).outcome is PASS
    del rows["theirs"]["values"]["em"]
    assert judged("serving-comparison", "L13", "speedup", patch).outcome is NOT_SHOWN


def test_a_percentile_under_another_load_is_not_the_bounded_one(judged):
    """The bound is kept at 16 requests in flight; at 64 it is not, and nobody says so."""
    crowded = {"quantity": "latency", "value": "9.0", "unit": "s", "load": {"concurrency": 64, "loop": "closed"}}
    crowded["summary"] = {"percentiles": {"99": "12.0"}}
    patch = bound("3.0")
    patch["arms"]["server"]["performance"]["latency-at-64"] = crowded
    assert judged("serving", "L05", "rate", patch).outcome is PASS
    patch["claims"]["rate"]["measured"] = {"arm": "server", "metric": "latency-at-64"}
    assert judged("serving", "L05", "rate", patch).outcome is VIOLATION


def test_warm_up_inside_the_raw_times_is_not_held_against_a_bound(judged):
    times = [9.0] * 8 + [2.0] * 100
    trials = {**NO_TRIALS, "t1": {"iterations_planned": 100, "warmup": 8, "samples": {"latency_s": times}}}
    patch = bound("3.0", summary=None)
    patch["arms"]["server"]["trials"] = trials
    assert judged("serving", "L05", "rate", patch).outcome is PASS
    trials["t1"]["samples"]["latency_s"] = [9.0] * 108
    assert judged("serving", "L05", "rate", patch).outcome is VIOLATION


def test_what_is_offered_is_the_load_and_not_what_follows_from_it(judged):
    """In an open loop the requests in flight are a result: the slower server has more of them."""
    opened = {"loop": "open", "request_rate": 6, "concurrency": 14}
    patch = at_loads({**opened, "concurrency": 21})
    patch["arms"]["ours"]["performance"]["rate"] = {"load": opened}
    assert judged("serving-comparison", "L12", "speedup", patch).outcome is PASS
    patch["arms"]["ours"]["performance"]["rate"] = {"load": {**opened, "request_rate": 9}}
    assert found(judged("serving-comparison", "L12", "speedup", patch)) == (VIOLATION, "a", UNDERMINES)


def test_arms_of_different_size_are_loaded_by_device(judged):
    patch = at_loads({"concurrency": 64})
    patch["arms"]["theirs"]["devices"] = 4
    assert judged("serving-comparison", "L12", "speedup", patch).outcome is PASS
    patch["arms"]["theirs"]["devices"] = 2
    assert judged("serving-comparison", "L12", "speedup", patch).outcome is VIOLATION


def test_failures_that_the_caption_states(judged):
    columns = {"latency": {"quantity": "latency", "unit": "s"}}
    table = {"caption": "Latency of completed requests; 6 % failed", "columns": columns, "rows": {"r": {"values": {}}}}
    patch = {**requests(row={"table": "t", "row": "r"}), "tables": {"t": table}}
    patch["claims"]["latency"]["measured"] = {"arm": "server", "metric": "latency"}
    assert judged("serving", "L11", "latency", patch).outcome is PASS
    table["caption"] = "Latency"
    assert judged("serving", "L11", "latency", patch).outcome is VIOLATION


def energies(load=None, quantity="energy", **theirs):
    """Energies without a load of their own, beside the rates of the two arms."""
    joules = {"quantity": quantity, "value": "0.2", "unit": "J/token", "load": load}
    arms = {"ours": {"performance": {"joules": joules}}, "theirs": {"performance": {"joules": joules, **theirs}}}
    claim = {"quantity": quantity, "unit": "x", "latency_bound": None}
    claim |= {"measured": {"arm": "ours", "metric": "joules"}, "base": {"arm": "theirs", "metric": "joules"}}
    return {"claims": {"speedup": claim}, "arms": arms}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (energies(), PASS),
        (energies(quantity="memory"), PASS),
        (energies(quantity="latency"), NOT_SHOWN),
        (energies(rate={"load": {"concurrency": 4}}), NOT_SHOWN),  # whether it is the load of the energy is open
        (energies(**curve("theirs")), NOT_SHOWN),
    ],
)
def test_an_energy_was_taken_under_the_one_load_of_its_arm(judged, patch, outcome):
    assert judged("serving-comparison", "L12", "speedup", patch).outcome is outcome


def test_a_quality_is_no_statistic_over_requests(judged):
    patch = requests(None, None, None)
    patch["claims"] = {"latency": {**patch.get("claims", {}).get("latency", {}), "quantity": "accuracy"}}
    assert judged("serving", "L11", "latency", patch).outcome is NOT_APPLICABLE
