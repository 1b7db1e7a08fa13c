"""Every statistic against values that others certified, printed or derived, each with its origin in the data file."""

import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import fmean, harmonic_mean

import numpy as np
import pytest
from dlaudit.rules.bounds.amdahl_exceeded import strong_bound
from dlaudit.rules.bounds.roofline_exceeded import ridge, roof
from dlaudit.rules.facts.training.proportions_of_examples import attainable, printed_share
from dlaudit.rules.facts.training.proportions_of_examples import testable as fine_enough
from dlaudit.rules.outcome import Outcome
from dlaudit.rules.statistics.autocorrelation import autocorrelation, ljung_box
from dlaudit.rules.statistics.early_stopping import least_met
from dlaudit.rules.statistics.intervals import geometric_mean, median_ranks
from dlaudit.rules.statistics.means import deviation, difference_bounds
from dlaudit.rules.statistics.multiplicity import holm
from dlaudit.rules.statistics.proportions import normal_quantile, wilson_bounds
from dlaudit.rules.statistics.quantiles import least_for_bound, least_for_interval
from dlaudit.rules.statistics.ranks import rank_sum_p
from dlaudit.rules.statistics.reference_runs import trimmed
from dlaudit.rules.statistics.student import t_quantile
from dlaudit.rules.statistics.tails import z_tail
from dlaudit.rules.statistics.variation import coefficient_of_variation
from dlaudit.rules.suite.convergence_faster_than_reference import Reference
from dlaudit.rules.tables.accelerators import accelerators
from scipy import optimize, stats
from statsmodels.stats.power import TTestIndPower, TTestPower
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import ttost_ind

ROWS = json.loads(Path(__file__).with_name("reference_values.json").read_text(encoding="utf-8"))
DEVICES = {108: "nvidia-a100-sxm4-80gb", 132: "nvidia-h100-sxm5-80gb"}


def mean(values):
    return math.fsum(values) / len(values)


def moments(values):
    return [mean(values), deviation(values), autocorrelation(values)]


def alternating(inputs):
    return moments([inputs["first"], *inputs["pair"] * inputs["pairs"]])


def ranks(n):
    found = median_ranks(n)
    return None if found is None else [found.lower, found.upper, found.coverage]


def runs_to_target(inputs):
    centre, spread = trimmed(inputs["reference"])
    least = Reference(centre, spread, len(inputs["reference"])).least_mean(inputs["runs"], 0.05)
    return [centre, spread, least, 100 * (centre / least - 1)]


def largest_of_normals(n):
    """Integrate 1 - F^n above 0 and F^n below it, by the trapezium rule, which is exact here to machine precision."""
    step = 0.01
    points = [step * k for k in range(-1000, 1001)]
    powers = [(1 - z_tail(x)) ** n for x in points]
    above, below = math.fsum(1 - p for p in powers[1001:]), math.fsum(powers[:1000])
    return step * (above - below + (1 - 2 * powers[1000]) / 2)


def peaks(rows):
    found = []
    for units, per_clock, clock_hz in rows:
        device = accelerators().devices[DEVICES[units]]
        assert (device.units, device.flop_per_clock["bf16"]) == (units, per_clock)
        found.append(units * per_clock * clock_hz / 1e12)
    assert found[0] == pytest.approx(accelerators().devices[DEVICES[108]].dense_tflops["bf16"], rel=1e-3)
    return found


def percentages(rows):
    found = []
    for text, examples, seeds in rows:
        share = printed_share(text, "%")
        found.append(-1 if not fine_enough(share, examples * seeds) else int(attainable(share, examples * seeds)))
    return found


def mean_of_normalised(times):
    rates = [100 / time for time in times]
    total = len(times) * 100 / math.fsum(times)
    return [fmean(rates), harmonic_mean(rates), total, 10 * geometric_mean([rate / 10 for rate in rates])]


def fitted(law, start, devices, shape):
    """Fit a law of scaling to the logarithms of times that it gave itself."""
    times = np.log(law(np.array(devices), 10, *shape))
    return optimize.curve_fit(lambda n, *at: np.log(law(n, *at)), devices, times, p0=(10, *start), bounds=(0, 100))[0]


def contention(inputs):
    def law(n, one, contention, coherency):
        return one * (1 + contention * (n - 1) + coherency * n * (n - 1)) / n

    _, alpha, beta = fitted(law, (0.05, 0.001), inputs["devices"], (inputs["contention"], inputs["coherency"]))
    return [alpha, beta, math.sqrt((1 - alpha) / beta)]


def serial(inputs):
    return fitted(lambda n, one, s: one * (s + (1 - s) / n), (0.1,), inputs["devices"], (inputs["serial"],))[1]


def queries_for(p):
    """Return z^2 p (1 - p) / m^2 with m = (1 - p) / 20, the size behind the suite's table of query counts."""
    return round(normal_quantile(0.995) ** 2 * p * (1 - p) / ((1 - p) / 20) ** 2)


def extreme(inputs):
    """All values 0 but one: of deviation 1, its distance from the mean is the largest there is."""
    n = inputs["n"]
    values = [0.0] * (n - 1) + [1.0]
    return (1 - mean(values)) / deviation(values)


def resampled(values, method):
    rng = np.random.default_rng(3)
    found = stats.bootstrap((values,), np.mean, n_resamples=60_000, method=method, rng=rng, batch=2000)
    return list(found.confidence_interval)


def tendency(inputs):
    """A side wholly beyond the other: the library has no p, the exact test of ranks has the least one there is."""
    x, y = inputs["x"], inputs["y"]
    with np.errstate(all="ignore"), pytest.warns(RuntimeWarning, match="undefined"):
        assert math.isnan(stats.brunnermunzel(x, y).pvalue)
    return [stats.mannwhitneyu(y, x).statistic / len(x) / len(y), rank_sum_p(x, y)]


BY_ID = {
    "nist-mavro": moments,
    "nist-numacc1": moments,
    "nist-numacc3": alternating,
    "nist-numacc4": alternating,
    "conover-quantile": lambda x: stats.quantile_test(x["values"], q=x["q"], p=x["p"]).pvalue,
    "pwr-ind-d1-n30": lambda x: TTestIndPower().power(x["effect"], x["n"], 0.05),
    "pwr-one-d1-n30": lambda x: TTestPower().power(x["effect"], x["n"], 0.05),
    "pwr-n-d.5": lambda x: TTestIndPower().solve_power(x, alpha=0.05, power=0.8),
    "pwr-n-d1": lambda x: TTestIndPower().solve_power(x, alpha=0.05, power=0.8),
    "brunnermunzel-lumley": lambda x: list(stats.brunnermunzel(x["x"], x["y"])),
    "bm-separation-pitfall": tendency,
    "mwu-min-p-3v3": lambda x: rank_sum_p(*x),
    "mwu-min-p-4v4": lambda x: rank_sum_p(*x),
    "tost-clinic-welch": lambda x: ttost_ind(x["a"], x["b"], -0.6, 0.6, usevar="unequal")[0],
    "tost-clinic-pooled": lambda x: ttost_ind(x["a"], x["b"], -0.6, 0.6, usevar="pooled")[0],
    "welch-ci-clinic": lambda x: list(difference_bounds(x["a"], x["b"], 0.9)),
    "boot-bca-R": lambda x: resampled(x, "BCa"),
    "boot-pct-R": lambda x: resampled(x, "percentile"),
    "nist-sirstv-anova": lambda x: stats.f_oneway(*x).statistic,
    "kruskal-vassar": lambda x: stats.kruskal(*x).statistic,
    "holm": lambda x: list(holm(x)),
    "ljungbox-hand": lambda x: list(ljung_box(x, 2)),
    "hb15-hpl": mean_of_normalised,
    "amdahl-s3": lambda x: float(strong_bound(Decimal(str(x["serial"])), 1, x["devices"])),
    "ridge-a100": lambda x: float(ridge(Decimal(x["peak"]), Decimal(x["bandwidth"]))),
    "peak-from-clock": peaks,
    "order-stat-exp": lambda x: [largest_of_normals(n) for n in x],
    "mlperf-early-stop": lambda x: [least_met(over, p) + over for p, over in x],
    "mlperf-rcp-128": runs_to_target,
    "mlperf-rcp-256": runs_to_target,
    "wilson-76.13": lambda x: list(wilson_bounds(x["k"] / x["n"], x["n"])),
    "rule-of-three": lambda x: proportion_confint(0, x["n"], alpha=0.1, method="beta")[1],
    "amdahl-fit": serial,
    "usl-fit": contention,
    "grim": percentages,
    "grim-scrutiny": lambda x: [int(attainable(printed_share(text, "fraction"), n)) for text, n in x],
    "decode-bound": lambda x: float(
        roof(Decimal("1e30"), Decimal(x["bandwidth"]), 1 / (Decimal(x["parameters"]) * x["bytes_per_parameter"]))
    ),
    "samuelson": extreme,
    "cv-bound": lambda x: coefficient_of_variation([0.0] * (x["n"] - 1) + [1.0]),
}
BY_PREFIX = {
    "median-ranks-n": ranks,
    "min-n-p": lambda p: [least_for_bound(p), least_for_interval(p)],
    "t975-": lambda df: t_quantile(0.975, df),
    "mlperf-n-": queries_for,
}
THROUGH_RULES = {"weighted-gradient", "little", "ppl"}
OF_THE_REFERENCE = {"nist-tukey-2-1"}


def computed(row):
    own = BY_ID.get(row["id"])
    return own or next(function for prefix, function in BY_PREFIX.items() if row["id"].startswith(prefix))


OWN = [row for row in ROWS if row["id"] not in THROUGH_RULES | OF_THE_REFERENCE]


@pytest.mark.parametrize("row", OWN, ids=[row["id"] for row in OWN])
def test_a_statistic_is_the_published_one(row):
    found = computed(row)(row["inputs"])
    if row["expected"] is None:
        assert found is None
    else:
        assert found == pytest.approx(row["expected"], abs=max(row["tolerance"], 1e-12), rel=0)


def row_of(name):
    return next(row for row in ROWS if row["id"] == name)


def test_all_65_values_are_there():
    assert len({row["id"] for row in ROWS}) == len(ROWS) == 65
    assert all(row["origin"] and row["what"] for row in ROWS)


def test_tukey_of_the_reference_library_is_that_of_the_handbook():
    """Nothing here compares all pairs at once; the library that the other tests lean on is held to the same data."""
    stats = pytest.importorskip("scipy.stats")
    row = row_of("nist-tukey-2-1")
    found = stats.tukey_hsd(*row["inputs"]).confidence_interval(0.95)
    assert [found.low[1][0], found.high[1][0]] == pytest.approx(row["expected"], abs=row["tolerance"])


def test_parts_are_weighted_by_their_size(judged):
    row = row_of("weighted-gradient")
    simple, weighted = (f"{value:.2f}" for value in row["expected"])
    parts = zip("ab", row["inputs"]["values"], row["inputs"]["sizes"], strict=True)
    shards = {name: {"value": value, "size": size} for name, value, size in parts}
    for value, outcome in ((simple, Outcome.VIOLATION), (weighted, Outcome.PASS)):
        patch = {"arms": {"fused": {"quality": {"loss": {"value": value, "shards": shards}}}}}
        found = judged("training-pair", "M22", "speedup", patch)
        assert found.outcome is outcome, found
        if outcome is Outcome.VIOLATION:
            low, _, high = found.branch.recomputed.partition(" to ")
            assert float(low) <= row["expected"][1] <= float(high or low)


def test_requests_in_flight_are_rate_times_latency(judged):
    row = row_of("little")
    load = {"concurrency": row["inputs"]["in_flight"]}
    performance = {
        "rate": {"value": f"{row['expected']:.1f}", "load": load},
        "latency": {"value": row["inputs"]["latency_s"], "load": load},
    }
    found = judged("serving", "L04", "rate", {"arms": {"server": {"performance": performance}}})
    (note,) = found.notes
    in_flight = re.search(r"latency: ([0-9.]+) requests in flight", note)
    assert float(in_flight[1]) == pytest.approx(row["inputs"]["in_flight"], rel=1e-3)


def test_perplexity_is_the_exponential_of_the_loss(judged):
    row = row_of("ppl")
    claim = {"metric": "loss", "value": row["inputs"]["loss"], "unit": None, "interval": None, "statement": "A loss."}
    quality = {
        **dict.fromkeys(("unit", "seeds", "interval", "averaging")),
        "metric": "loss",
        "value": row["inputs"]["loss"],
        "loss": row["inputs"]["loss"],
        "counted": False,
        "loss_base": "e",
        "loss_per": "token",
    }
    for perplexity, outcome in ((row["expected"], Outcome.PASS), (row["expected"] + 1, Outcome.VIOLATION)):
        own = {"accuracy": {**quality, "perplexity": f"{perplexity}.0"}}
        patch = {"claims": {"accuracy": claim}, "arms": {"trained": {"quality": own}}}
        assert judged("accuracy", "F19", "accuracy", patch).outcome is outcome


def test_ranks_cover_exactly():
    for n in (6, 17, 40):
        found = median_ranks(n)
        tail = sum(Fraction(math.comb(n, k), 2**n) for k in range(found.lower))
        assert found.coverage == pytest.approx(float(1 - 2 * tail), abs=1e-12)
