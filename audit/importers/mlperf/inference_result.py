"""One result of MLPerf Inference as an arm with its runs, its system and its claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ....rules.trace import Trace
from ..draft import Drafting, Origin, at, identifier
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

PROVED = (
    ("/verdict/valid", ("result_validity",), "result"),
    ("/verdict/parts", ("result_min_duration_met",), "result"),
    ("/verdict/errors", ("num_errors",), "errors"),
    ("/tool/release", ("loadgen_version",), ""),
    ("/tool/commit", ("loadgen_version",), ""),
    ("/tool/mode", ("effective_test_mode",), "mode"),
    ("/window/configured_min_s", ("effective_min_duration_ms",), "min_duration_ms"),
    ("/window/configured_max_s", ("effective_max_duration_ms",), "max_duration_ms"),
    ("/window/wall_s", ("power_end",), ""),
    ("/window/largest_latency_s", ("result_max_latency_ns",), "max_latency_ns"),
    ("/window/work", ("generated_samples_per_query", "result_query_count"), "samples_per_query"),
    ("/window/rate_per_s", ("result_samples_per_second", "result_completed_samples_per_sec"), "samples_per_second"),
)
"""Parts of a run, by the keys of the log and the figure of the summary that prove them."""
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
    measurement: Mapping[str, Any] = {}
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
    arm: dict[str, Any] = {"label": result.folder or "the result"}
    if result.folder:
        arm["folder"] = result.folder
    draft.value.setdefault("arms", {})[result.key] = arm
    if result.benchmark:
        arm["options"] = {"model": result.benchmark[:400]}
    traces: dict[tuple[str, str], Trace] = {}
    arm["runs"] = {}
    for name, role, logs in _runs(result):
        _put_run(draft, result, name, run_entry(logs, role), logs, traces)
    for test in result.tests:
        _put_test(draft, result, test, traces)
    _put_record(draft, result)
    if not arm["runs"]:
        del arm["runs"]
    if system is not None:
        describe(draft, system, result.key, result.system, size)
        fields = arm["description"]["fields"]
        for name, value in result.measurement.items():
            fields.setdefault(name, value)
    for each in result.configuration:
        _put_configuration(draft, result.key, each)
    _put_claim(draft, result, arm, system)
    if result.power is not None:
        _put_power(draft, result, result.power)
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


def _put_run(
    draft: Drafting,
    result: InferenceResult,
    name: str,
    entry: dict[str, Any],
    logs: Logs,
    traces: dict[tuple[str, str], Trace],
) -> None:
    pointer = at("arms", result.key, "runs", name)
    draft.value["arms"][result.key]["runs"][name] = entry
    if logs.file is not None:
        draft.origins[pointer] = Origin(logs.file.name)
    if logs.summary is not None and logs.figures is not None:
        for figure, line in logs.figures.lines.items():
            if figure in entry.get("summary", {}):
                draft.origins[f"{pointer}/summary{at(figure)}"] = Origin(logs.summary.name, line)
    for part, keys, figure in PROVED:
        _, block, field = part.split("/")
        if field not in entry.get(block, {}):
            continue
        proved = next((event.line for key in keys for event in reversed(logs.events) if event.key == key), None)
        if proved is not None and logs.detail is not None:
            draft.origins[pointer + part] = Origin(logs.detail.name, proved)
        elif logs.summary is not None and logs.figures is not None and figure in logs.figures.lines:
            draft.origins[pointer + part] = Origin(logs.summary.name, logs.figures.lines[figure])
    if logs.detail is not None:
        traces[result.key, name] = trace_of(logs, pointer)


def _put_test(draft: Drafting, result: InferenceResult, test: Test, traces: dict[tuple[str, str], Trace]) -> None:
    runs = draft.value["arms"][result.key]["runs"]
    name = identifier(test.name, runs)
    entry: dict[str, Any] = {"role": "compliance"}
    if test.logs is not None:
        entry = run_entry(test.logs, "compliance")
    entry.pop("verdict", None)
    read = [(file, found) for file in test.verdicts if (found := read_verdict(file.text)) is not None]
    if read:
        words = "; ".join(found.words for _, found in read)
        entry["verdict"] = {"valid": all(found.passed for _, found in read), "words": words[:2000]}
        draft.origins[at("arms", result.key, "runs", name, "verdict")] = Origin(read[0][0].name)
    for _, found in read:
        entry["summary"] = {**found.figures, **entry.get("summary", {})}
    for fallback in test.fallback:
        entry.setdefault("summary", {})[fallback] = "handed in"
    if test.logs is not None:
        _put_run(draft, result, name, entry, test.logs, traces)
    else:
        runs[name] = entry
        if test.verdicts:
            draft.origins[at("arms", result.key, "runs", name)] = Origin(test.verdicts[0].name)


def _put_configuration(draft: Drafting, key: str, found: Configuration) -> None:
    entry: dict[str, Any] = {}
    if found.file is not None:
        entry = {"file": file_entry(found.file)} | ({"settings": dict(found.settings)} if found.settings else {})
        draft.origins[at("arms", key, "configuration", found.name)] = Origin(found.file.name)
    draft.value["arms"][key].setdefault("configuration", {})[found.name] = entry


def _put_record(draft: Drafting, result: InferenceResult) -> None:
    if result.record is None:
        return
    arm = draft.value["arms"][result.key]
    scored = read_accuracy(result.record.text)
    file = file_entry(result.record)
    del file["content_sha256"]
    record: dict[str, Any] = {"file": file}
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
    runs = arm["runs"]
    runs.setdefault("accuracy", {"role": "accuracy"})["record"] = record
    where = Origin(result.record.name, scored.line)
    draft.origins[at("arms", result.key, "runs", "accuracy", "record")] = where
    if scored.metrics:
        name, value = next(iter(scored.metrics.items()))
        quality = {"metric": name, "value": value, "split": "official_val"}
        if name in scored.percent:
            quality["unit"] = "%"
        entry: dict[str, Any] = dict(quality)
        if scored.examples is not None:
            entry["examples"] = scored.examples
        arm["quality"] = {identifier(name): entry}
        draft.origins[at("arms", result.key, "quality", identifier(name))] = where


def _put_claim(draft: Drafting, result: InferenceResult, arm: dict[str, Any], system: Described | None) -> None:
    organisation = (system.text("submitter") if system is not None else None) or result.organisation
    stated = system.text("division") if system is not None else None
    division = result.division or (stated.casefold() if stated is not None and stated.casefold() in DIVISIONS else None)
    name = (system.text("system_name") if system is not None else None) or result.system
    first = result.performance[0] if result.performance else None
    scenario = result.scenario or (first.text("effective_scenario", "scenario") if first is not None else None) or ""
    found = headline(first, result.round) if first is not None else None
    who = " ".join(part for part in (organisation, result.benchmark, scenario, name and f"on {name}") if part)
    claim: dict[str, Any] = {"statement": (who or result.key)[:3000]}
    if found is not None and first is not None:
        claim["statement"] += f": {found['value']} {found['unit']}"
        claim |= {field: found[field] for field in ("value", "unit", "statistic", "work")}
        _put_score(draft, result.key, first, scenario, found)
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
    identity = {
        "organisation": organisation,
        "benchmark": result.benchmark,
        "round": result.round,
        "division": division,
        "scenario": scenario,
        "system": name,
    }
    stated_parts = {part: value[:4000] for part, value in identity.items() if value}
    if stated_parts:
        claim["suite_result"] = stated_parts
    claim["measured"] = {"arm": result.key} | ({"metric": "score"} if found is not None else {})
    if "quality" in arm:
        claim["quality"] = {"arm": result.key}
    draft.value["claims"][result.key] = claim
    if first is not None:
        draft.origins[at("claims", result.key)] = _where(first, found["value"] if found is not None else "")


def _put_power(draft: Drafting, result: InferenceResult, power: Power) -> None:
    """Put the power of a result into its arm, and a claim of its own: the suite scores it apart."""
    key, arm, first = power_key(result.key), draft.value["arms"][result.key], draft.value["claims"][result.key]
    arm["energy"] = dict(power.energy)
    for pointer, origin in power.origins.items():
        draft.origins[at("arms", result.key, "energy") + pointer] = origin
    shared = ("mode", "compares", "purpose", "suite", "division", "suite_result", "scope", "quality")
    claim = {name: first[name] for name in shared if name in first}
    who = first["statement"].partition(": ")[0]
    claim |= {"statement": f"{who}: power measured at the wall", "quantity": "energy", "form": "words"}
    claim["measured"] = {"arm": result.key}
    if power.value is not None:
        figure = {"value": power.value, "unit": power.unit, "statistic": "mean"}
        claim |= figure | {"statement": f"{who}: {power.value} {power.unit} at the wall", "form": "absolute"}
        claim["measured"]["metric"] = "power"
        requests = requests_of(result.performance[0])
        metric = {"quantity": "energy"} | figure | ({"n": requests} if requests else {})
        arm.setdefault("performance", {})["power"] = metric
        draft.origins[at("arms", result.key, "performance", "power")] = power.origins[""]
    draft.value["claims"][key] = claim
    draft.origins[at("claims", key)] = power.origins[""]


def _put_score(draft: Drafting, key: str, run: Logs, scenario: str, found: Mapping[str, Any]) -> None:
    """Put the number of a result into its arm, with what LoadGen says of its requests, load and latencies."""
    arm, count = draft.value["arms"][key], requests_of(run)
    work = found["work"]
    parts: dict[str, Any] = {"n": count, "load": load_of(scenario, work), "token_times": token_times_of(run)}
    parts["work"] = tokens_of(run, scenario, work)
    metric = {field: found[field] for field in ("quantity", "value", "unit", "statistic")}
    latency = latency_of(run, scenario)
    if latency and found["quantity"] == "latency":
        # The score is a percentile of these queries, or a bound of one.
        parts["summary"] = latency["summary"]
    arm["performance"] = {"score": metric | {name: part for name, part in parts.items() if part}}
    if latency:
        arm["performance"]["latency"] = latency | ({"n": count} if count else {})
    for name, part in parts_of(run).items() if latency else ():
        arm["performance"][name] = part | ({"n": count} if count else {})
    for name, metric in arm["performance"].items():
        printed = TOKENS.get(name, "latency_ns")
        for pointer, origin in latency_origins(run, printed).items() if "summary" in metric else ():
            draft.origins[at("arms", key, "performance", name, "summary") + pointer] = origin
    # LoadGen's clock runs from the first query to the last answer.
    arm["measurement"] = {"scope": "serving_window" if found["quantity"] == "rate" else "request"}
    draft.origins[at("arms", key, "performance", "score")] = _where(run, found["value"])


def _where(logs: Logs | None, value: str) -> Origin:
    """Return the line that prints the headline, else the first one of the run's file."""
    if logs is None or logs.file is None:
        return Origin("")
    if logs.summary is not None and logs.figures is not None:
        for name, figure in logs.figures.figures.items():
            if str(figure) == value:
                return Origin(logs.summary.name, logs.figures.lines[name])
    return Origin(logs.file.name)
