"""Flaws that a document states in another place than the usual one, and honest neighbours of each that stay silent."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)
TIMES = {
    "unit": "ms",
    "first_token": "180",
    "per_output_token": "18.2",
    "end_to_end": "2510",
    "output_tokens": "129",
    "constant_length": True,
    "definition": "after_first",
    "statistic": "mean",
}


def found(result):
    return result.outcome, getattr(result.branch, "effect", None)


def server(claims=None, **performance):
    return {"claims": claims or {}, "arms": {"server": {"performance": performance}}}


# Services


@pytest.mark.parametrize(
    ("rate", "outcome"),
    [("812", PASS), ("1000", VIOLATION), ("850", PASS)],
)
def test_a_rate_of_tokens_needs_requests_in_flight(judged, rate, outcome):
    change = {"value": rate, "statistic": "total", "token_times": TIMES}
    patch = {"arms": {"ours": {"performance": {"rate": change}}}}
    result = judged("serving-comparison", "L04", "speedup", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is REFUTES


@pytest.mark.parametrize(
    "change",
    [{"statistic": "median"}, {"output_tokens": None}, {"end_to_end": None}, {"statistic": None}],
)
def test_times_that_are_no_means_tell_no_requests_in_flight(judged, change):
    rate = {"value": "2000", "statistic": "total", "token_times": {**TIMES, **change}}
    rate["token_times"] = {key: value for key, value in rate["token_times"].items() if value is not None}
    patch = {"arms": {"ours": {"performance": {"rate": rate}}}}
    assert judged("serving-comparison", "L04", "speedup", patch).outcome is not VIOLATION


@pytest.mark.parametrize(("total", "outcome"), [("2510", PASS), ("2600", PASS), ("2340", VIOLATION)])
def test_means_of_one_length_add_up_by_a_declared_definition(judged, total, outcome):
    patch = server(latency={"token_times": {**TIMES, "end_to_end": total}})
    assert judged("serving", "L03", "latency", patch).outcome is outcome


def test_one_arm_that_does_not_say_which_tokens_it_counts(judged):
    silent = {"arms": {"theirs": {"performance": {"rate": {"load": {"tokens_counted": None}}}}}}
    assert judged("serving-comparison", "L07", "speedup", silent).outcome is PASS  # the sentence says output tokens
    silent["arms"]["ours"] = {"performance": {"rate": {"load": {"tokens_counted": "total"}}}}
    assert judged("serving-comparison", "L07", "speedup", silent).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("The server reaches 3200 tokens/s.", NOT_SHOWN),
        ("The server reaches 3200 tokens/s, prompts included.", PASS),
        ("The server reaches 3200 total tokens/s.", PASS),
        ("The server processes 3200 tokens/s (512 tokens in, 129 out).", NOT_SHOWN),
    ],
)
def test_prompts_among_the_counted_tokens_are_said(judged, statement, outcome):
    claims = {"rate": {"statement": statement, "value": "3200", "unit": "tokens/s"}}
    rate = {"value": "3200", "unit": "tokens/s", "load": {"tokens_counted": "total"}}
    assert judged("serving", "L07", "rate", server(claims, rate=rate)).outcome is outcome


def test_the_words_of_a_load_do_not_say_which_tokens_count(judged):
    claims = {"rate": {"statement": "That is 715 tokens/s (3575 tokens in 5.0 s).", "value": "715", "unit": "tokens/s"}}
    rate = {"value": "715", "unit": "tokens/s", "load": {"tokens_counted": None}}
    assert judged("serving", "L07", "rate", server(claims, rate=rate)).outcome is NOT_SHOWN


def test_an_engine_compared_by_its_tokens_alone(judged):
    ours = {"trials": {f"t{i}": {"samples": None} for i in range(1, 6)}}
    patch = {"claims": {"speedup": {"purpose": "method_speedup"}}, "arms": {"ours": ours}}
    ours["performance"] = {"rate": {"token_times": {"unit": "ms", "first_token": "180", "per_output_token": "18.2"}}}
    assert judged("serving-comparison", "L02", "speedup", patch).outcome is PASS
    ours["performance"] = {"rate": {"token_times": None}, "latency": None, "ttft": None, "tpot": None}
    assert judged("serving-comparison", "L02", "speedup", patch).outcome is NOT_SHOWN
    patch["claims"]["speedup"] |= {"purpose": "hardware_throughput", "compares": "none", "form": "absolute"}
    assert judged("serving-comparison", "L02", "speedup", patch).outcome is NOT_APPLICABLE


def test_a_token_latency_by_its_middle_alone(judged):
    middle = {"quantity": "latency", "value": "0.0182", "unit": "s", "statistic": "median"}
    first = {"quantity": "latency", "value": "0.31", "unit": "s", "statistic": "percentile"}
    bare = server(latency={"token_times": None}, tpot=middle, ttft=first)
    assert judged("serving", "L02", "rate", bare).outcome is NOT_SHOWN
    tail = {**middle, "summary": {"percentiles": {"99": "0.031"}}}
    assert (
        judged("serving", "L02", "rate", server(latency={"token_times": None}, tpot=tail, ttft=first)).outcome is PASS
    )


def test_a_tail_at_another_load_is_none_of_this_latency(judged):
    claims = {"latency": {"statement": "The mean latency of a request is 2.503 s."}}
    own = {"summary": {"max": None, "percentiles": None}, "load": {"concurrency": 16}}
    other = {"quantity": "latency", "value": "4.1", "unit": "s", "statistic": "percentile", "load": {"concurrency": 64}}
    assert judged("serving", "S09", "latency", server(claims, latency=own, busy=other)).outcome is NOT_SHOWN
    same = {**other, "load": {"concurrency": 16}}
    assert judged("serving", "S09", "latency", server(claims, latency=own, slow=same)).outcome is PASS


@pytest.mark.parametrize(
    ("target", "statement", "outcome"),
    [
        ("0.70", "It serves 900 images/s.", PASS),
        ("0.76", "It serves 900 images/s.", VIOLATION),
        ("76", "It serves 900 images/s.", PASS),  # another scale
        ("0.76", "It serves 900 images/s; the target is missed.", PASS),
    ],
)
def test_a_performance_at_a_declared_target(judged, target, statement, outcome):
    patch = {
        "claims": {
            "speedup": {
                "statement": statement,
                "target": {"metric": "exact match", "value": target, "direction": "higher"},
            }
        }
    }
    result = judged("serving-comparison", "L10", "speedup", patch)
    assert (result.outcome is VIOLATION) is (outcome is VIOLATION)
    if outcome is VIOLATION:
        assert result.branch.effect is UNDERMINES


@pytest.mark.parametrize(("generated", "outcome"), [("147", PASS), ("112", VIOLATION)])
def test_a_speed_of_shorter_answers(judged, generated, outcome):
    length = {"generated": generated, "reference": "148"}
    patch = {"arms": {"ours": {"quality": {"accuracy": {"output_length": length}}}}}
    assert judged("serving-comparison", "L09", "speedup", patch).outcome is outcome


# Energy and cost


@pytest.mark.parametrize(("mean", "outcome"), [(60.0, NOT_APPLICABLE), (40.0, VIOLATION)])
def test_a_node_draws_more_than_idle(judged, mean, outcome):
    energy = {"boundary": "node", "method": "meter", "mean_power_w": mean, "energy_j": None, "idle_power_w": 50}
    patch = {"arms": {"limited": {"energy": energy}}}
    result = judged("energy", "E03", "per-joule", patch)
    assert found(result) == (outcome, REFUTES if outcome is VIOLATION else None)


@pytest.mark.parametrize(("seconds", "outcome"), [(37.0, PASS), (12.0, VIOLATION)])
def test_an_energy_sampled_over_less_than_it_is_claimed_for(judged, seconds, outcome):
    patch = {
        "claims": {"per-joule": {"scope": "epoch"}},
        "arms": {
            "limited": {
                "energy": {"method": "sampled", "duration_s": seconds, "updates": 120},
                "performance": {"epoch": {"quantity": "time", "value": "37.4", "unit": "s", "scope": "epoch"}},
            }
        },
    }
    result = judged("energy", "E05", "per-joule", patch)
    assert found(result) == (outcome, CAVEAT if outcome is VIOLATION else None)


@pytest.mark.parametrize(("value", "outcome"), [("0.2826", PASS), ("0.40", VIOLATION)])
def test_the_cost_of_an_epoch_is_that_of_its_time(judged, value, outcome):
    price = {"amount": 27.2, "currency": "EUR", "date": "2025-01-15", "kind": "on_demand"}
    patch = {
        "claims": {"per-joule": {"quantity": "cost", "unit": "EUR", "value": value, "scope": "epoch"}},
        "arms": {
            "limited": {
                "cost": {"hours": 0.1562, "price": price, "utilisation": 1.0, "kind": "operating"},
                "performance": {"epoch": {"quantity": "time", "value": "37.41", "unit": "s", "scope": "epoch"}},
            }
        },
    }
    assert judged("energy", "E06", "per-joule", patch).outcome is outcome
    del patch["arms"]["limited"]["performance"]
    assert judged("energy", "E06", "per-joule", patch).outcome is NOT_APPLICABLE


# Statistics


@pytest.mark.parametrize(
    ("words", "effect"),
    [
        ("trials were added until the 95 % interval of the ratio excluded 1", UNDERMINES),
        ("the test was repeated after each seed, until p fell below 0.05", UNDERMINES),
        ("runs until the median was below 15.9 s", UNDERMINES),
        ("at least 5 steps, then until the standard error of the mean fell below 0.15 %", CAVEAT),
        ("at least 30 steps, then until the standard error of the mean fell below 0.15 %", None),
        ("runs until the interval of the median was below 2 % of it", None),
        ("each run trains until the accuracy is above 94 %", None),
        ("five trials, fixed before", None),
    ],
)
def test_stop_rules(judged, words, effect):
    arms = {name: {"measurement": {"stop_rule": words}} for name in ("fused", "plain")}
    result = judged("training-pair", "S11", "speedup", {"arms": arms})
    assert (result.outcome is VIOLATION, getattr(result.branch, "effect", None)) == (effect is not None, effect)


@pytest.mark.parametrize(
    ("interval", "outcome"),
    [
        ({"level": None, "method": None, "varies": None}, NOT_SHOWN),
        ({"level": None, "method": None, "varies": "trials"}, PASS),
        ({}, PASS),
    ],
)
def test_two_bounds_alone(judged, interval, outcome):
    assert (
        judged("serving-comparison", "S01", "speedup", {"claims": {"speedup": {"interval": interval}}}).outcome
        is outcome
    )


@pytest.mark.parametrize(
    ("method", "outcome"),
    [
        ("mean +- 1.96 standard errors (normal)", VIOLATION),
        ("t on logs of the times", PASS),
        ("Student's t, normal theory", PASS),
    ],
)
def test_a_normal_interval_of_five_runs(judged, method, outcome):
    patch = {"arms": {"trained": {"performance": {"time": {"interval": {"method": method}}}}}}
    result = judged("time-to-accuracy", "S02", "time", patch)
    assert (result.outcome is VIOLATION) is (outcome is VIOLATION)


def test_a_ratio_over_pooled_iterations(judged):
    interval = {"method": "bootstrap over all iterations", "varies": "iterations"}
    patch = {"claims": {"speedup": {"interval": interval}}}
    assert found(judged("serving-comparison", "S02", "speedup", patch)) == (VIOLATION, CAVEAT)


def test_a_test_that_denies_the_claimed_difference(judged):
    test = {"name": "Welch's t", "kind": "t", "p": "0.16"}
    patch = {"claims": {"speedup": {"test": test}}}
    assert judged("serving-comparison", "S04", "speedup", patch).outcome is NOT_SHOWN
    patch["claims"]["speedup"]["test"] = {**test, "p": "0.001"}
    assert judged("serving-comparison", "S04", "speedup", patch).outcome is PASS


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [("1.004", "1.03", VIOLATION), ("1.06", "1.09", PASS), ("0.99", "1.04", NOT_APPLICABLE)],
)
def test_a_small_gain_by_its_stated_interval(judged, low, high, outcome):
    bare = {f"t{i}": {"samples": None} for i in range(1, 6)}
    patch = {
        "claims": {"speedup": {"value": str((float(low) + float(high)) / 2), "interval": {"low": low, "high": high}}},
        "arms": {name: {"trials": bare, "performance": {"rate": {"column": None}}} for name in ("ours", "theirs")},
    }
    result = judged("serving-comparison", "S05", "speedup", patch)
    assert found(result) == (outcome, CAVEAT if outcome is VIOLATION else None)


@pytest.mark.parametrize(
    ("p", "others", "name", "outcome"),
    [
        ("0.038", ("0.18", "0.34", "0.84"), "Student's t", VIOLATION),
        ("0.001", ("0.18", "0.34", "0.84"), "Student's t", PASS),
        ("0.038", ("0.18", "0.34", "0.84"), "Student's t, Holm", PASS),
        ("0.38", ("0.18", "0.34", "0.84"), "Student's t", NOT_APPLICABLE),
        ("0.038", (), "Student's t", NOT_APPLICABLE),
    ],
)
def test_one_of_many_tests(judged, p, others, name, outcome):
    def tested(value):
        return {
            "statement": f"The score changes (p = {value}).",
            "quantity": "accuracy",
            "unit": "fraction",
            "form": "absolute",
            "value": "0.0046",
            "scope": "training_run",
            "purpose": "leaderboard",
            "mode": "training",
            "compares": "own_variants",
            "measured": {"arm": "fused", "metric": "rate"},
            "base": {"arm": "plain", "definition": "without it"},
            "test": {"name": name, "kind": "t", "p": value},
        }

    claims = {"own": tested(p), **{f"other{i}": tested(value) for i, value in enumerate(others)}}
    result = judged("training-pair", "S10", "own", {"claims": claims})
    assert found(result) == (outcome, UNDERMINES if outcome is VIOLATION else None)


@pytest.mark.parametrize(
    ("others", "words", "outcome"),
    [
        (5, "significantly better than plain (p = {p})", VIOLATION),
        (5, "significantly better than plain (p = {p}, corrected by Holm)", PASS),
        (0, "significantly better than plain (p = {p})", Outcome.NOT_APPLICABLE),
        (5, "not normal by a test of its shape (p = {p})", Outcome.NOT_APPLICABLE),
    ],
)
def test_one_of_many_tests_told_of_one_arm_each(judged, others, words, outcome):
    def tested(p):
        return {
            "statement": f"The fused run is {words.format(p=p)}.",
            "quantity": "accuracy",
            "unit": "fraction",
            "form": "absolute",
            "value": "0.4571",
            "scope": "training_run",
            "purpose": "leaderboard",
            "mode": "training",
            "compares": "none",
            "quality": {"arm": "fused", "quality": "loss"},
            "test": {"kind": "t", "p": p},
        }

    claims = {"own": tested("0.034"), **{f"other{i}": tested(f"0.{4 + i}") for i in range(others)}}
    assert judged("training-pair", "S10", "own", {"claims": claims}).outcome is outcome


def test_a_count_that_the_sentence_gives_is_of_all_requests(judged):
    def counted(words):
        claims = {"latency": {"statement": f"The p99 of the latency is 2.86 s ({words}).", "statistic": "percentile"}}
        latency = {
            "column": None,
            "statistic": "percentile",
            "value": "2.86",
            "summary": {"percentiles": {"99": "2.86"}},
        }
        latency |= {"n": {"unit": "request", "planned": 80, "completed": 80}, "trials": 5}
        return judged("serving", "S08", "latency", server(claims, latency=latency))

    assert counted("80 requests").outcome is NOT_SHOWN
    assert counted("80 requests in each trial").outcome is not NOT_SHOWN


def test_runs_without_a_time_are_not_timed(judged):
    untimed = {f"s{i}": {"crossing": {"time_s": None}, "wall_s": None} for i in range(2, 6)}
    metric = {"n": {"planned": 1, "completed": 1}, "trials": 1, "interval": None}
    patch = {
        "claims": {"time": {"interval": None}},
        "arms": {"trained": {"trials": untimed, "performance": {"time": metric}}},
    }
    assert judged("time-to-accuracy", "S16", "time", patch).outcome is NOT_SHOWN
    assert judged("time-to-accuracy", "S16", "time").outcome is PASS


def test_the_ranks_of_all_requests_suit_a_percentile(judged):
    interval = {"low": "2.80", "high": "2.92", "level": 0.95, "method": "order statistics", "varies": "requests"}
    metric = {"statistic": "percentile", "value": "2.86", "column": "latency_s", "interval": interval}
    claims = {"latency": {"statistic": "percentile", "value": "2.86"}}
    assert judged("serving", "S02", "latency", server(claims, latency=metric)).outcome is not VIOLATION
    metric["interval"] = {**interval, "method": "1.96 standard errors of the mean of all requests"}
    assert judged("serving", "S02", "latency", server(claims, latency=metric)).outcome is VIOLATION
