"""Scenarios through LoadGen: its verdict and ours, and a study with its logs as evidence."""

import json
import subprocess
from pathlib import Path

import pytest
from dlaudit.audit.importers.mlperf.inference_run import logs_of, run_entry, trace_of
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.rules.facts.suite.conditions import asked_of, recomputed_of
from dlaudit.rules.trace import Logged
from dlaudit.runners.scenarios import generator, trace
from dlaudit.runners.scenarios.subject import Answer, InProcess
from dlaudit.runners.study.orders import Named
from dlaudit.runners.trial.scenario import requests_of
from dlaudit.runners.workloads.interface import Request
from dlaudit.runners.workloads.scenario_parameters import LoadGen
from dlaudit.schemas.model import to_model
from dlaudit.schemas.requests import Requests, problems
from dlaudit.schemas.runs import Run
from support.forks import dlaudit, program

pytest.importorskip("mlperf_loadgen")
MEASURE = Path(__file__).parents[1] / "programs" / "measure.py"


class Instant:
    examples, scored = 16, False

    def answer(self, numbers, first):
        for position in range(len(numbers)):
            first(position)
        return [Answer(data=b"x", output_tokens=1) for _ in numbers]


def test_a_server_has_one_bound_and_what_does_not_go_together_is_refused():
    for wrong in ({"latency_s": None}, {"url": "http://h", "workload": "w"}, {"ttft_s": 1.0}, {"workers": 2}):
        with pytest.raises(ValueError, match=r"\w"):
            LoadGen(**{"scenario": "Server", "workload": "w", "latency_s": 1.0} | wrong)


@pytest.mark.parametrize(
    ("asked", "queries", "words"),
    [
        (LoadGen(scenario="SingleStream", workload="w"), 64, "VALID"),
        (LoadGen(scenario="SingleStream", workload="w"), 63, "INVALID"),
        (LoadGen(scenario="MultiStream", workload="w", batch=8), 662, "VALID"),
        (LoadGen(scenario="Server", workload="w", target_qps=1000.0, latency_s=5.0), 460, "VALID"),
        (LoadGen(scenario="Server", workload="w", target_qps=1000.0, latency_s=1e-9), 460, "INVALID"),
        (LoadGen(scenario="Offline", workload="w", min_duration_s=5.0, target_qps=10.0), 64, "INVALID"),
    ],
)
def test_the_verdict_follows_from_the_requests(tmp_path, asked, queries, words):
    test = generator.run(Instant(), asked, queries, 1, "performance", tmp_path / "t")
    found = trace.read((tmp_path / "t.mlperf_log_trace.json").read_bytes(), whole=asked.scenario != "Offline")
    requests = Requests(**requests_of(found, test))
    assert not list(problems(requests))
    path = tmp_path / "t.mlperf_log_detail.txt"
    logs = logs_of(open_report(path.name, path.read_bytes()), None)
    run = to_model(run_entry(logs, "performance"), Run)
    assert run.verdict.words == words
    ours = recomputed_of(requests, asked_of(Logged("t", run, trace_of(logs, ""))))
    assert all(run.verdict.parts[name] in ours[name] for name in run.verdict.parts)
    assert all(True in met for met in ours.values()) is (words == "VALID")


def test_an_error_of_the_subject_ends_the_test_and_is_raised(tmp_path):
    class Broken(Instant):
        def answer(self, numbers, first):
            raise ArithmeticError("no")

    with pytest.raises(ArithmeticError):
        generator.run(Broken(), LoadGen(scenario="SingleStream", workload="w"), 5, 1, "performance", tmp_path / "t")


def test_a_workload_of_this_process_is_trained_asked_and_scored():
    import torch

    torch.set_num_threads(1)
    request = Request(options={}, seed=1, device="cpu", kind="throughput")
    subject = InProcess(Named(name="digits-cnn", parameters={"width": 4}), 60, request)
    answers = {}
    for number in range(0, subject.examples, 64):
        numbers = list(range(number, min(number + 64, subject.examples)))
        found = subject.answer(numbers, lambda _position: None)
        answers |= dict(zip(numbers, [one.data for one in found], strict=True))
    assert subject.score(answers).metrics["accuracy"] > 0.5
    assert subject.about().effective["extra"]["train_steps"] == 60


@pytest.fixture
def study(tmp_path, service):
    """Return study(**parameters): the folder of a study of the service, and its arm in the manifest."""

    def run(
        prompts=("ab", "cd", "ef", "gh"), expected=None, iterations=70, trials=1, warmup=2, more=None, **parameters
    ):
        examples = [{"body": {"prompt": one}, "expected": one if expected is None else expected} for one in prompts]
        asked = {"scenario": "SingleStream", "url": service, "examples": examples, **parameters}
        spec = {
            "dlaudit": "spec/1",
            "title": "t",
            "workload": {"name": "loadgen", "parameters": asked},
            "throughput": {"warmup": warmup, "iterations": iterations, "trials": trials},
            "telemetry": False,
            **(more or {}),
        }
        (tmp_path / "spec.json").write_text(json.dumps(spec))
        done = program([MEASURE, "run", "spec.json", "--unsigned", "--out", "out"], tmp_path)
        assert (tmp_path / "out" / "manifest.json").exists(), done.stderr
        manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
        return tmp_path / "out", manifest, manifest["predicate"]["arms"]["base"]

    return run


def flagged(folder):
    report = lint(read_documents([str(folder / "submission.json")])[0], Settings()).report
    return {(finding.code, finding.branch) for claim in report.claims for finding in claim.findings if finding.effect}


def test_a_study_keeps_the_logs_by_digest_and_its_claims_stand(study):
    folder, manifest, arm = study()
    run = arm["runs"]["base-t1-performance"]
    kept = {subject["name"]: subject["digest"]["sha256"] for subject in manifest["subject"]}
    assert kept[run["file"]["name"]] == run["file"]["sha256"]
    assert "trials/base-t1.mlperf_log_summary.txt" in kept
    assert arm["performance"]["rate"]["load"]["loop"] == "closed"
    assert arm["performance"]["rate"]["n"]["completed"] == 70
    assert arm["quality"]["accuracy"]["value"] == "1.00000"
    assert arm["runs"]["base-t1-accuracy"]["record"]["correct"] == 4
    shown = {code for code, _ in flagged(folder)}
    assert "M04" in shown  # one trial is few
    assert not shown & {"F48", "R13", "L04", "L11", "L14"}


OF_SERVICE = {
    "model": "an echo",
    "weights": "none",
    "dataset": "4 prompts",
    "input_length": 3,
    "precision": {"compute": "fp32", "accumulate": "fp32", "weights": "fp32", "communication": "fp32"},
    "sparsity": "none",
    "quantisation": "none",
    "devices": 1,
}


@pytest.mark.alone
def test_an_honest_study_passes_under_publication_with_the_options_that_its_spec_states(study, tmp_path):
    for words in (["init", "-q"], ["remote", "add", "origin", "https://git.example.org/s"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    (tmp_path / "README").write_text("a study\n")
    mine = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["add", "README"], ["commit", "-q", "-m", "m"]):
        subprocess.run([*mine, *words], cwd=tmp_path, check=True)
    claims = {"purpose": "serving_objective", "mode": "inference"}
    folder, _, arm = study(
        prompts=(".a", ".b", ".c", ".d"),
        iterations=460,
        trials=5,
        warmup=20,
        more={"arms": {"base": {"options": OF_SERVICE}}, "claims": claims},
        scenario="Server",
        target_qps=100,
        latency_s=2.0,
        workers=64,
    )
    assert arm["options"]["model"] == "an echo"
    assert arm["performance"]["goodput"]["n"]["failed"] == 0
    done = dlaudit(["lint", folder / "submission.json", "--profile", "publication", "--format", "json"], tmp_path)
    judged = json.loads(done.stdout)["documents"][0]["claims"]
    assert {"base-rate", "base-goodput", "base-latency"} <= set(judged)
    assert {one["verdict"] for one in judged.values()} <= {"PASS", "PASS WITH CAVEATS"}, judged


def test_an_invalid_run_and_failing_requests_are_flagged(study):
    folder, _, arm = study(prompts=("ab", "!"), iterations=20)
    assert arm["performance"]["rate"]["n"]["failed"] > 2
    assert ("F48", "a") in flagged(folder)


def test_without_the_generator_or_with_another_kind_of_trial_there_is_one_clear_error(study, tmp_path):
    wrong = {"scenario": "Server"}
    spec = {"dlaudit": "spec/1", "title": "t", "workload": {"name": "loadgen", "parameters": wrong}}
    (tmp_path / "wrong.json").write_text(json.dumps({**spec, "throughput": {"iterations": 1}}))
    done = program([MEASURE, "run", "wrong.json", "--unsigned", "--dry-run"], tmp_path)
    assert done.returncode == 2
    assert "name either a workload or a url" in done.stderr
