"""One result of MLPerf Inference as an arm with its runs, its system and its claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ....rules.trace import Trace
from ..draft import Origin, at, identifier
from ..drafting import ArmDraft, Drafting, stated
from ..report_file import ReportFile
from .accuracy import outputs_state, read_accuracy, read_verdict
from .inference_load import (
    TOKENS,
    bound_of,
    latency_of,
    latency_origins,
    load_of,
    parts_of,
    requests_of,
    token_times_of,
    tokens_of,
)
from .inference_power import Power
from .inference_run import Logs, file_entry, headline, run_entry, trace_of
from .system_description import Described, describe

if TYPE_CHECKING:
    from ..fields import (
        AccuracyRecordFields,
        ArmFields,
        ClaimFields,
        ConfigurationFileFields,
        MetricFields,
        RunFields,
        SuiteResultFields,
    )

EVIDENCE = (
    ("verdict", "valid", ("result_validity",), "result"),
    ("verdict", "parts", ("result_min_duration_met",), "result"),
    ("verdict", "errors", ("num_errors",), "errors"),
    ("tool", "release", ("loadgen_version",), ""),
    ("tool", "commit", ("loadgen_version",), ""),
    ("tool", "mode", ("effective_test_mode",), "mode"),
    ("window", "configured_min_s", ("effective_min_duration_ms",), "min_duration_ms"),
    ("window", "configured_max_s", ("effective_max_duration_ms",), "max_duration_ms"),
    ("window", "wall_s", ("power_end",), ""),
    ("window", "largest_latency_s", ("result_max_latency_ns",), "max_latency_ns"),
    ("window", "work", ("generated_samples_per_query", "result_query_count"), "samples_per_query"),
    ("window", "rate_per_s", ("result_samples_per_second", "result_completed_samples_per_sec"), "samples_per_second"),
)
"""Parts of a run, by the keys of the log and the figure of the summary that show them."""
DIVISIONS = ("closed", "open")


class Outputs(Struct, frozen=True):
    """The outputs of an accuracy run as they were handed in."""

    bytes: int
    sha256: str


class Test(Struct, frozen=True):
    """A compliance test.

    Attributes:
        name: its folder, as TEST01.
        logs: its performance run.
        verdicts: texts that give its verdict.
        fallback: names of the records of the fallback that were handed in.
    """

    name: str
    logs: Logs | None
    verdicts: tuple[ReportFile, ...] = ()
    fallback: tuple[str, ...] = ()


class Configuration(Struct, frozen=True):
    """A configuration file of LoadGen: its name, the file where it was handed in, and what it sets for the result."""

    name: str
    file: ReportFile | None
    settings: Mapping[str, str]


class InferenceResult(Struct, frozen=True):
    """One result: a system, a benchmark and a scenario.

    Attributes:
        key: its id in the draft.
        folder: its path below the folder that was handed in; empty where that is the result's own.
        system, benchmark, scenario: as the path names them, or empty.
        round: as "v5.1", where the path names it.
        division: likewise.
        organisation: folder of who submitted it, where there is one.
        performance: performance runs; several in rounds that asked for five.
        ranging: the run that set the meter's range.
        accuracy: the accuracy run.
        record: its accuracy record.
        outputs: the outputs that it scored.
        power: what was measured at the wall.
        tests: compliance tests.
        measurement: fields of the measurement file.
        configuration: configuration files of LoadGen.
    """

    key: str
    folder: str = ""
    system: str = ""
    benchmark: str = ""
    scenario: str = ""
    round: str | None = None
    division: str | None = None
    organisation: str | None = None
    performance: tuple[Logs, ...] = ()
    ranging: Logs | None = None
    accuracy: Logs | None = None
    record: ReportFile | None = None
    outputs: Outputs | None = None
    power: Power | None = None
    tests: tuple[Test, ...] = ()
    measurement: Mapping[str, str] = {}
    configuration: tuple[Configuration, ...] = ()


def put_inference(
    draft: Drafting, result: InferenceResult, system: Described | None, size: int
) -> dict[tuple[str, str], Trace]:
    """Put a result into a draft, and return the traces of its runs by arm and run.

    Args:
        draft: the draft.
        result: the result.
        system: its system description, where there is one.
        size: bytes of that description.
    """
    fields: ArmFields = {"label": result.folder or "the result"}
    if result.folder:
        fields["folder"] = result.folder
    if result.benchmark:
        fields["options"] = {"model": result.benchmark[:400]}
    arm = draft.put_arm(result.key, fields)
    traces: dict[tuple[str, str], Trace] = {}
    fields["runs"] = {}
    for name, role, logs in _runs(result):
        _put_run(arm, name, run_entry(logs, role), logs, traces)
    for test in result.tests:
        _put_test(arm, test, traces)
    _put_record(arm, result)
    if not fields["runs"]:
        del fields["runs"]
    if system is not None:
        describe(arm, system, result.system, size)
        described = fields["description"]["fields"]
        more = {name: value for name, value in result.measurement.items() if name not in described}
        fields["description"]["fields"] = {**described, **more}
    for each in result.configuration:
        _put_configuration(arm, each)
    _put_claim(arm, result, system)
    if result.power is not None:
        _put_power(arm, result, result.power)
    return traces


def power_key(key: str) -> str:
    """Return the id of the claim about the power of a result."""
    return f"{key}.power"


def _runs(result: InferenceResult) -> list[tuple[str, str, Logs]]:
    found = []
    for index, logs in enumerate(result.performance):
        found.append(("performance" if index == 0 else f"performance-{index + 1}", "performance", logs))
    if result.accuracy is not None:
        found.append(("accuracy", "accuracy", result.accuracy))
    if result.ranging is not None:
        found.append(("ranging", "ranging", result.ranging))
    return found


def _put_run(arm: ArmDraft, name: str, entry: RunFields, logs: Logs, traces: dict[tuple[str, str], Trace]) -> None:
    arm.fields["runs"][name] = entry
    if logs.file is not None:
        arm.place(Origin(logs.file.name), "runs", name)
    if logs.summary is not None and logs.figures is not None:
        for figure, line in logs.figures.lines.items():
            if figure in entry.get("summary", {}):
                arm.place(Origin(logs.summary.name, line), "runs", name, "summary", figure)
    blocks = {"verdict": entry.get("verdict", {}), "tool": entry.get("tool", {}), "window": entry.get("window", {})}
    for block, field, keys, figure in EVIDENCE:
        if field not in blocks[block]:
            continue
        logged = next((event.line for key in keys for event in reversed(logs.events) if event.key == key), None)
        if logged is not None and logs.detail is not None:
            arm.place(Origin(logs.detail.name, logged), "runs", name, block, field)
        elif logs.summary is not None and logs.figures is not None and figure in logs.figures.lines:
            arm.place(Origin(logs.summary.name, logs.figures.lines[figure]), "runs", name, block, field)
    if logs.detail is not None:
        traces[arm.key, name] = trace_of(logs, at("arms", arm.key, "runs", name))


def _put_test(arm: ArmDraft, test: Test, traces: dict[tuple[str, str], Trace]) -> None:
    runs = arm.fields["runs"]
    name = identifier(test.name, runs)
    entry: RunFields = {"role": "compliance"}
    if test.logs is not None:
        entry = run_entry(test.logs, "compliance")
    entry.pop("verdict", None)
    read = [(file, found) for file in test.verdicts if (found := read_verdict(file.text)) is not None]
    if read:
        words = "; ".join(found.words for _, found in read)
        entry["verdict"] = {"valid": all(found.passed for _, found in read), "words": words[:2000]}
        arm.place(Origin(read[0][0].name), "runs", name, "verdict")
    for _, found in read:
        entry["summary"] = {**found.figures, **entry.get("summary", {})}
    for fallback in test.fallback:
        entry["summary"] = {**entry.get("summary", {}), fallback: "handed in"}
    if test.logs is not None:
        _put_run(arm, name, entry, test.logs, traces)
    else:
        runs[name] = entry
        if test.verdicts:
            arm.place(Origin(test.verdicts[0].name), "runs", name)


def _put_configuration(arm: ArmDraft, found: Configuration) -> None:
    entry: ConfigurationFileFields = {}
    if found.file is not None:
        entry["file"] = file_entry(found.file)
        if found.settings:
            entry["settings"] = dict(found.settings)
        arm.place(Origin(found.file.name), "configuration", found.name)
    arm.fields.setdefault("configuration", {})[found.name] = entry


def _put_record(arm: ArmDraft, result: InferenceResult) -> None:
    if result.record is None:
        return
    scored = read_accuracy(result.record.text)
    file = file_entry(result.record)
    del file["content_sha256"]
    record: AccuracyRecordFields = {"file": file}
    if scored.metrics:
        record["metrics"] = dict(scored.metrics)
    if scored.correct is not None and scored.examples is not None:
        record |= {"correct": scored.correct, "examples": scored.examples}
    if scored.digest is not None:
        record["named_sha256"] = scored.digest
    record["outputs"] = "withheld"
    if result.outputs is not None:
        record["outputs"] = outputs_state(result.outputs.bytes, result.outputs.sha256, scored.digest)
        record["outputs_sha256"] = result.outputs.sha256
    arm.fields["runs"].setdefault("accuracy", {"role": "accuracy"})["record"] = record
    where = Origin(result.record.name, scored.line)
    arm.place(where, "runs", "accuracy", "record")
    if scored.metrics:
        name, value = next(iter(scored.metrics.items()))
        unit = "%" if name in scored.percent else None
        arm.put_quality(
            identifier(name),
            {"metric": name, "value": value, "split": "official_val", "unit": unit, "examples": scored.examples},
            where,
        )


def _put_claim(arm: ArmDraft, result: InferenceResult, system: Described | None) -> None:
    organisation = (system.text("submitter") if system is not None else None) or result.organisation
    division_named = system.text("division") if system is not None else None
    division = result.division or (
        division_named.casefold() if division_named is not None and division_named.casefold() in DIVISIONS else None
    )
    name = (system.text("system_name") if system is not None else None) or result.system
    first = result.performance[0] if result.performance else None
    scenario = result.scenario or (first.text("effective_scenario", "scenario") if first is not None else None) or ""
    found = headline(first, result.round) if first is not None else None
    who = " ".join(part for part in (organisation, result.benchmark, scenario, name and f"on {name}") if part)
    claim: ClaimFields = {"statement": (who or result.key)[:3000]}
    if found is not None and first is not None:
        claim["statement"] += f": {found['value']} {found['unit']}"
        claim |= {"value": found["value"], "unit": found["unit"]}
        claim |= {"statistic": found["statistic"], "work": found["work"]}
        _put_score(arm, first, scenario, found)
        bound = bound_of(first, scenario)
        if bound:
            claim["latency_bound"] = bound
    else:
        claim["statement"] += ": no score is printed"
    rate = found is None or found["quantity"] == "rate"
    claim |= {"quantity": "rate" if rate else "latency", "form": "absolute" if found is not None else "words"}
    served = found is not None and found["work"] == "tokens" and scenario.casefold() in {"server", "interactive"}
    claim |= {"scope": "serving_window" if rate else "request", "mode": "inference", "compares": "none"}
    claim |= {"purpose": "serving_objective" if served else "leaderboard", "suite": "inference"}
    if division is not None:
        claim["division"] = division
    identity: SuiteResultFields = {
        "organisation": _cut(organisation),
        "benchmark": _cut(result.benchmark),
        "round": _cut(result.round),
        "division": _cut(division),
        "scenario": _cut(scenario),
        "system": _cut(name),
    }
    if stated(identity):
        claim["suite_result"] = stated(identity)
    claim["measured"] = {"arm": result.key}
    if found is not None:
        claim["measured"]["metric"] = "score"
    if arm.quality:
        claim["quality"] = {"arm": result.key}
    where = _where(first, str(found["value"]) if found is not None else "") if first is not None else None
    arm.draft.put_claim(result.key, claim, where)


def _cut(text: str | None) -> str | None:
    return text[:4000] if text else None


def _put_power(arm: ArmDraft, result: InferenceResult, power: Power) -> None:
    """Put the power of a result into its arm, and a claim of its own: the suite scores it apart."""
    first, where = arm.draft.claims[result.key], power.origins[()]
    arm.fields["energy"] = power.energy
    for steps, origin in power.origins.items():
        arm.place(origin, "energy", *steps)
    who = first["statement"].partition(": ")[0]
    claim: ClaimFields = {
        "statement": f"{who}: power measured at the wall",
        "mode": first["mode"],
        "compares": first["compares"],
        "purpose": first["purpose"],
        "suite": first["suite"],
        "scope": first["scope"],
        "quantity": "energy",
        "form": "words",
        "measured": {"arm": result.key},
    }
    if "division" in first:
        claim["division"] = first["division"]
    if "suite_result" in first:
        claim["suite_result"] = first["suite_result"]
    if "quality" in first:
        claim["quality"] = first["quality"]
    if power.value is not None:
        claim |= {"value": power.value, "unit": power.unit, "statistic": "mean", "form": "absolute"}
        claim["statement"] = f"{who}: {power.value} {power.unit} at the wall"
        claim["measured"]["metric"] = "power"
        metric: MetricFields = {"quantity": "energy", "value": power.value, "unit": power.unit, "statistic": "mean"}
        requests = requests_of(result.performance[0])
        if requests:
            metric["n"] = requests
        arm.put_metric("power", metric, where)
    arm.draft.put_claim(power_key(result.key), claim, where)


def _put_score(arm: ArmDraft, run: Logs, scenario: str, found: ClaimFields) -> None:
    """Put the number of a result into its arm, with what LoadGen says of its requests, load and latencies."""
    count, work = requests_of(run), found["work"]
    score: MetricFields = {"quantity": found["quantity"], "value": found["value"], "unit": found["unit"] or ""}
    score["statistic"] = found["statistic"]
    behind: MetricFields = {"n": count} if count else {}
    score |= behind
    load, token_times, tokens = load_of(scenario, work), token_times_of(run), tokens_of(run, scenario, work)
    if load:
        score["load"] = load
    if token_times:
        score["token_times"] = token_times
    if tokens:
        score["work"] = tokens
    latency = latency_of(run, scenario)
    if latency and found["quantity"] == "latency":
        # The score is a percentile of these queries, or a bound of one.
        score["summary"] = latency["summary"]
    performance: dict[str, MetricFields] = {"score": score}
    if latency:
        performance["latency"] = {**latency, **behind}
        performance |= {name: {**part, **behind} for name, part in parts_of(run).items()}
    arm.fields["performance"] = performance
    for name, metric in performance.items():
        printed = TOKENS.get(name, "latency_ns")
        for steps, origin in latency_origins(run, printed).items() if "summary" in metric else ():
            arm.place(origin, "performance", name, "summary", *steps)
    # LoadGen's clock runs from the first query to the last answer.
    arm.fields["measurement"] = {"scope": "serving_window" if found["quantity"] == "rate" else "request"}
    arm.place(_where(run, str(found["value"])), "performance", "score")


def _where(logs: Logs | None, value: str) -> Origin:
    """Return the line that prints the headline, else the first one of the run's file."""
    if logs is None or logs.file is None:
        return Origin("")
    if logs.summary is not None and logs.figures is not None:
        for name, figure in logs.figures.figures.items():
            if str(figure) == value:
                return Origin(logs.summary.name, logs.figures.lines[name])
    return Origin(logs.file.name)
