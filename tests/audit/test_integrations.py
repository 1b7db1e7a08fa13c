"""The pre-commit hooks, the GitHub Action and the example workflow name what the program has, and the action runs."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from dlaudit.audit.cli import cli
from dlaudit.audit.commands.lint import FAIL_ON, FORMATS, PROFILES
from dlaudit.audit.renderers.markdown import MARK
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch

ROOT = Path(__file__).parents[2]
ACTION_FOLDER = ROOT / ".github" / "actions" / "lint"
ACTION = yaml.safe_load((ACTION_FOLDER / "action.yml").read_text())
WORKFLOW_TEXT = (ROOT / "examples" / "github-workflow.yml").read_text()
WORKFLOW = yaml.safe_load(WORKFLOW_TEXT)
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
FEW = {"arms": {"a": {"trials": None, "performance": {"rate": {"n": {"unit": "iteration", "completed": 20}}}}}}
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


def options_of(command):
    return {option for parameter in cli.get_command(None, command).params for option in parameter.opts}


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_names_a_command_and_its_options(hook):
    program, command, *arguments = shlex.split(hook["entry"])
    assert program == "dlaudit"
    assert {argument.split("=")[0] for argument in arguments if argument.startswith("-")} <= options_of(command)
    assert hook["language"] == "python"


@pytest.mark.parametrize(
    ("path", "ids"),
    [
        ("submission.yaml", {"dlaudit-lint"}),
        ("claims/2026/fast.submission.json", {"dlaudit-lint"}),
        ("claims/fast-submission.yml", {"dlaudit-lint"}),
        ("study/manifest.json", {"dlaudit-lint-study"}),
        ("study/submission.json", {"dlaudit-lint"}),
        ("schemas/submission.schema.json", set()),
        ("README.md", {"dlaudit-lint-claims"}),
        ("fast/claims.yaml", {"dlaudit-lint-claims"}),
        ("package.json", set()),
        ("resubmission.json", set()),
    ],
)
def test_the_hooks_take_their_files(path, ids):
    assert {hook["id"] for hook in HOOKS if re.search(hook["files"], path)} == ids


def test_a_hook_runs_as_pre_commit_would(tmp_path):
    (tmp_path / "submission.json").write_text(json.dumps(base("rate")))
    entry = shlex.split(HOOKS[0]["entry"])
    entry[0] = str(Path(sys.executable).with_name(entry[0]))
    done = subprocess.run([*entry, "submission.json"], cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stdout[:4]) == (0, b"PASS")


def test_the_action_uses_the_inputs_and_outputs_that_it_declares():
    steps = ACTION["runs"]["steps"]
    used = set(EXPRESSION.findall(json.dumps(steps)))
    assert used == {f"inputs.{name}" for name in ACTION["inputs"]}
    written = set(re.findall(r'echo "([\w-]+)=', (ACTION_FOLDER / "lint.sh").read_text()))
    told = {EXPRESSION.fullmatch(output["value"])[1] for output in ACTION["outputs"].values()}
    assert told == {f"steps.lint.outputs.{name}" for name in written}
    assert set(ACTION["outputs"]) == written
    lint = next(step for step in steps if step.get("id") == "lint")
    script = (ACTION_FOLDER / "lint.sh").read_text()
    assert all(f'"${name}"' in script or f"-- ${name}" in script for name in lint["env"])


def test_no_expression_stands_in_a_script():
    steps = [*ACTION["runs"]["steps"], *WORKFLOW["jobs"]["lint"]["steps"]]
    assert not [step["run"] for step in steps if "${{" in step.get("run", "")]


def test_the_action_names_options_formats_and_words_of_the_program():
    script = re.sub(r"^\s*#.*$", "", (ACTION_FOLDER / "lint.sh").read_text(), flags=re.MULTILINE)
    assert set(re.findall(r"--[a-z][a-z-]+", script)) <= options_of("lint")
    assert set(re.findall(r'--format "?(\w+)', script)) <= set(FORMATS)
    assert ACTION["inputs"]["profile"]["default"] in PROFILES
    assert ACTION["inputs"]["fail-on"]["default"] in FAIL_ON


def test_the_workflow_gives_the_action_what_it_takes():
    steps = WORKFLOW["jobs"]["lint"]["steps"]
    lint = next(step for step in steps if "actions/lint" in step.get("uses", ""))
    assert set(lint["with"]) <= set(ACTION["inputs"])
    assert {name for name, given in ACTION["inputs"].items() if given.get("required")} <= set(lint["with"])
    assert lint["with"]["profile"] in PROFILES
    outputs = set(re.findall(rf"steps\.{lint['id']}\.outputs\.([\w-]+)", WORKFLOW_TEXT))
    assert outputs <= set(ACTION["outputs"])
    assert MARK in WORKFLOW_TEXT
    assert set(re.findall(r"^ +# ([\w-]+): \S", WORKFLOW_TEXT, re.MULTILINE)) <= set(ACTION["inputs"])
    assert WORKFLOW[True].keys() == {"pull_request", "push"}  # YAML reads the key `on` as true
    assert WORKFLOW["permissions"] == {}


def test_zizmor_finds_nothing_in_the_workflow_and_the_action(tmp_path):
    zizmor = Path(sys.executable).with_name("zizmor")
    if not zizmor.exists():
        pytest.skip("zizmor is not installed")
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    shutil.copytree(ACTION_FOLDER, tmp_path / ".github" / "actions" / "lint")
    copy = shutil.copy(ROOT / "examples" / "github-workflow.yml", tmp_path / ".github" / "workflows" / "lint.yml")
    line = [zizmor, "--offline", "--no-progress", "--format", "json", tmp_path]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, json.loads(done.stdout)) == (0, []), done.stderr
    # and it looks: a script that takes in what a stranger wrote is found
    copy.write_text(WORKFLOW_TEXT.replace("      - id: ", "      - run: echo ${{ github.head_ref }}\n      - id: ", 1))
    assert subprocess.run(line, capture_output=True, check=False).returncode != 0


def run_action(tmp_path, **given):
    """Run the script of the action as the runner would; return the exit code, what was printed, and the outputs."""
    temporary = tmp_path / "runner"
    temporary.mkdir()
    inputs = {name: entry.get("default", "") for name, entry in ACTION["inputs"].items()} | given
    lint = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "lint")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "GITHUB_ACTION_PATH": str(ACTION_FOLDER),
        "GITHUB_OUTPUT": str(temporary / "output"),
        "GITHUB_STEP_SUMMARY": str(temporary / "summary"),
        "RUNNER_TEMP": str(temporary),
        **{name: inputs[EXPRESSION.fullmatch(value)[1].removeprefix("inputs.")] for name, value in lint["env"].items()},
    }
    done = subprocess.run(["bash", "-c", lint["run"]], cwd=tmp_path, env=environment, capture_output=True, text=True)
    outputs = dict(line.split("=", 1) for line in (temporary / "output").read_text().splitlines())
    return done, outputs, temporary / "summary"


@bash
@pytest.mark.parametrize(("fail_on", "code"), [("caveats", 1), ("fail", 0)])
def test_the_action_runs(tmp_path, fail_on, code):
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "few.json").write_text(json.dumps(merge_patch(base("rate"), FEW)))
    done, outputs, summary = run_action(tmp_path, paths="claims", profile="reviewer", **{"fail-on": fail_on})
    assert (done.returncode, outputs["exit-code"]) == (code, str(code))
    assert "::notice file=claims/few.json,line=1," in done.stdout
    assert "title=M04 too-few-repetitions" in done.stdout
    (log,) = json.loads(Path(outputs["sarif"]).read_text())["runs"]
    assert {result["kind"] for result in log["results"]} <= {"fail", "review"}
    assert ("error" in {result["level"] for result in log["results"]}) is (code == 1)
    assert "M04" in {result["ruleId"] for result in log["results"]}
    assert log["invocations"][0]["exitCode"] == code
    assert Path(outputs["markdown"]).read_text() == summary.read_text()
    assert summary.read_text().startswith(MARK)
    assert ElementTree.parse(outputs["junit"]).getroot().get("tests") == "2"
    assert json.loads(Path(outputs["json"]).read_text())["dlaudit"] == "verdict/1"


@bash
def test_under_a_baseline_only_what_is_new_is_an_error(tmp_path):
    few = merge_patch(base("rate"), FEW)
    (tmp_path / "few.json").write_text(json.dumps(few))
    given = {"paths": "few.json", "profile": "gate", "baseline": "known.json"}
    tool = str(Path(sys.executable).with_name("dlaudit"))
    write = [tool, "lint", "few.json", "--profile", "gate", "--write-baseline", "known.json"]
    subprocess.run(write, cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    for folder, document, code in (("first", few, 0), ("second", twice(few), 1)):
        for name, value in (("few.json", document), ("known.json", json.loads((tmp_path / "known.json").read_text()))):
            (tmp_path / folder / name).write_text(json.dumps(value))
        done, outputs, summary = run_action(tmp_path / folder, **given)
        assert done.returncode == code
        assert ("::error " in done.stdout) is (code == 1)
        (log,) = json.loads(Path(outputs["sarif"]).read_text())["runs"]
        assert ("error" in {result["level"] for result in log["results"]}) is (code == 1)
        assert ("fails: " if code else "passes: ") in summary.read_text()


def twice(document):
    """Return a document whose one claim is made again."""
    (claim,) = document["claims"].values()
    return document | {"claims": document["claims"] | {"again": claim}}


@bash
def test_the_action_fails_where_nothing_was_collected(tmp_path):
    (tmp_path / "empty").mkdir()
    done, outputs, _ = run_action(tmp_path, paths="empty")
    assert (done.returncode, outputs) == (3, {"exit-code": "3"})


@bash
def test_an_input_is_no_shell(tmp_path):
    done, outputs, _ = run_action(tmp_path, paths="$(touch injected) ; --help *", trust="x; touch injected")
    assert done.returncode == 2
    assert outputs["exit-code"] == "2"
    (log,) = json.loads(Path(outputs["sarif"]).read_text())["runs"]
    assert log["invocations"][0]["executionSuccessful"] is False
    assert not (tmp_path / "injected").exists()


def test_the_makefile_has_the_verbs_that_are_told():
    makefile = (ROOT / "Makefile").read_text()
    for verb in ("site", "rule"):
        assert re.search(rf"^{verb}: ", makefile, re.MULTILINE)
    assert "tools/new_rule.py" in makefile
    named = re.findall(r"^\s+- (tools/\S+)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    assert named
    assert all((ROOT / name).is_file() for name in named)
