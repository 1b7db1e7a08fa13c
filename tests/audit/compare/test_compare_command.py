"""`dlaudit compare` through the command line, over submissions with inline medians and over a real study."""

import copy
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.schemas.source import read

ROOT = Path(__file__).parents[3]
BASE = read(ROOT / "schemas" / "examples" / "submission.yaml").value


def compare(*arguments):
    done = CliRunner().invoke(cli, ["compare", *map(str, arguments)], standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def answers(*arguments):
    done = compare(*arguments, "--format", "json")
    (found,) = json.loads(done.output)["comparisons"]
    return found, done.return_value


@pytest.fixture
def written(tmp_path):
    def write(name, factor=1.0, change=None):
        document = copy.deepcopy(BASE)
        arm = document["arms"]["plain"]
        for trial in arm["trials"].values():
            for column, values in trial.get("samples", {}).items():
                trial["samples"][column] = [value * factor for value in values]
            for column, value in trial.get("medians", {}).items():
                trial["medians"][column] = f"{float(value) * factor:.6g}"
        if change is not None:
            change(document)
        path = tmp_path / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return f"{path}@plain"

    return write


def test_a_slowed_arm_is_worse_and_ends_with_1(written):
    found, code = answers(written("old.json"), written("new.json", 1.2), "--metric", "rate")
    assert found["metrics"]["rate"]["outcome"] == "worse"
    assert found["metrics"]["rate"]["change"] == pytest.approx(1 / 1.2, rel=1e-4)
    assert code == 1


def test_a_faster_arm_is_better_and_holds_unless_any_difference_counts(written):
    paths = written("old.json"), written("new.json", 0.8)
    found, code = answers(*paths, "--metric", "rate")
    assert (found["outcome"], code) == ("better", 0)
    assert compare(*paths, "--metric", "rate", "--fail-on", "different").return_value == 1


def test_the_same_numbers_are_equivalent(written):
    found, code = answers(written("old.json"), written("new.json"), "--metric", "rate")
    assert (found["outcome"], code) == ("equivalent", 0)


def test_another_batch_is_not_the_same_work_unless_it_is_what_varies(written):
    def doubled(document):
        document["arms"]["plain"]["options"]["global_batch"] *= 2
        document["arms"]["plain"].pop("option_set", None)

    paths = written("old.json"), written("new.json", change=doubled)
    found, code = answers(*paths)
    assert (found["outcome"], code) == ("not comparable", 3)
    assert [item["what"] for item in found["different_work"]] == ["global_batch"]
    found, _ = answers(*paths, "--vary", "global_batch", "--metric", "rate")
    assert found["varied"]
    assert found["outcome"] != "not comparable"


def test_other_software_and_hardware_are_said(written):
    def newer(document):
        document["arms"]["plain"]["software"] = {
            **document["arms"]["plain"].get("software", {}),
            "framework": "torch 9",
        }
        document["arms"]["plain"]["system"] = "other"
        document["systems"]["other"] = {"name": "other", "device": "H200"}

    found, _ = answers(written("old.json"), written("new.json", change=newer), "--metric", "rate")
    assert {"device", "framework"} <= {item["what"] for item in found["different_conditions"]}


def test_a_metric_in_another_unit_is_not_compared(written):
    def renamed(document):
        document["arms"]["plain"]["performance"]["rate"]["unit"] = "tokens/min"

    found, code = answers(written("old.json"), written("new.json", change=renamed), "--metric", "rate")
    assert "rate" in found["unlike_metrics"]
    assert code == 3


def test_two_trials_cannot_tell_and_say_how_many_could(written):
    def two(document):
        trials = document["arms"]["plain"]["trials"]
        kept = [name for name, trial in trials.items() if trial["kind"] == "throughput"][:2]
        document["arms"]["plain"]["trials"] = {name: trials[name] for name in kept}

    done = compare(written("old.json"), written("new.json", 1.5, two), "--metric", "rate")
    assert done.return_value == 3
    assert "about 3 trials an arm" in done.output


def test_a_doctored_study_is_said_and_ends_with_5(tmp_path):
    import shutil

    study = tmp_path / "study"
    shutil.copytree(ROOT / "examples" / "honest" / "study", study)
    raw = next(path for path in sorted(study.glob("trials/*.samples.json")))
    raw.write_text(raw.read_text(encoding="utf-8").replace("0.0", "0.1", 1), encoding="utf-8")
    done = compare(f"{study}@digits", ROOT / "schemas" / "examples" / "submission.yaml@fused")
    assert done.return_value == 5
    assert "broken:" in done.output


def test_bad_input_is_one_line_and_2(tmp_path):
    from dlaudit.audit.cli import run

    honest = str(ROOT / "examples" / "honest" / "study")
    for arguments in (["nowhere"], [honest], [honest, honest], [f"{honest}@none"], [honest, str(tmp_path)]):
        assert run(["compare", *arguments]) == 2


@pytest.mark.parametrize("form", ["text", "markdown", "github"])
def test_renderings(form, written, snapshot):
    done = compare(written("old.json"), written("new.json", 1.2), "--format", form)
    assert "worse" in done.output
    assert done.output.replace(str(Path(written("x.json")).parent), "FOLDER") == snapshot


def _set(trial, column, value):
    def change(document):
        document["arms"]["plain"]["trials"][trial] = {
            "kind": "throughput",
            "outcome": "completed",
            "medians": {column: value},
        }

    return change


def test_a_rate_whose_batch_is_meant_to_vary_is_compared_though_an_iterations_work_varies_with_it(written):
    def doubled(document):
        document["arms"]["plain"]["options"]["global_batch"] *= 2
        document["arms"]["plain"].pop("option_set", None)
        document["arms"]["plain"]["performance"]["rate"]["work_per_iteration"] *= 2

    found, _ = answers(written("old.json"), written("new.json", 1.2, doubled), "--vary", "global_batch")
    assert found["metrics"]["rate"]["change"] == pytest.approx(2 / 1.2, rel=1e-4)
    assert found["unlike_metrics"] == {}


def test_the_work_of_an_iteration_has_to_be_the_same_where_something_else_is_meant_to_vary(written):
    def relabelled(document):
        document["arms"]["plain"]["options"]["precision"] = {"compute": "fp16"}
        document["arms"]["plain"].pop("option_set", None)
        document["arms"]["plain"]["performance"]["rate"]["work_per_iteration"] *= 2

    found, _ = answers(written("old.json"), written("new.json", 1.0, relabelled), "--vary", "precision")
    assert "rate" in found["unlike_metrics"]


def test_a_trial_far_from_its_arm_is_named_beside_what_the_ratio_is_of(written):
    old, new = written("old.json"), written("new.json", change=_set("p3", "step_time_s", "1e30"))
    done = compare(old, new, "--metric", "rate")
    assert "are of their geometric means" in done.output
    assert "trial p3 of new lies farthest from its arm" in done.output
    assert "missed the target" not in done.output
    assert max(len(word) for word in done.output.split("answer:")[0].split() if word[0].isdecimal()) < 12


def test_a_median_of_zero_is_named(written):
    done = compare(written("old.json"), written("new.json", change=_set("p3", "step_time_s", "0")), "--metric", "rate")
    assert done.return_value == 3
    assert "trial p3 of new has a step_time_s of 0" in done.output


@pytest.mark.slow
def test_the_arms_of_one_study_are_compared_with_the_baseline_of_its_spec(two_batches):
    found, _ = answers(two_batches, "--vary", "global_batch")
    assert (found["old"], found["new"]) == (f"{two_batches}@small", f"{two_batches}@large")
    assert "rate" in found["metrics"]
    assert "scheduling" not in {item["what"] for item in found["different_conditions"]}
