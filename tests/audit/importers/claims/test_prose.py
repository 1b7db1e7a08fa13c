"""Sentences of a document become claims with their fields; what is no claim of its authors is left aside and named."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.importers.report_file import ColumnRoles
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate

SURE = "\n\nOur kernels are 9.75x faster.\n"
"""A claim beside what is none, so that the document is read."""


def draft(text, name="README.md"):
    found = of_file(name, text.encode(), Path()).draft
    assert not validate("submission", found.value)
    return found


def claims(text):
    return list(draft(text).value["claims"].values())


def only(text):
    (claim,) = claims(text)
    return claim


def arm_of(found, claim):
    return found.value["arms"][claim["measured"]["arm"]]


@pytest.mark.parametrize(
    ("sentence", "value", "unit", "quantity", "form"),
    [
        ("The fused kernel is 2.4x faster.", "2.4", "x", "time", "ratio"),
        ("Throughput grows by a factor of 1.7.", "1.7", "x", "rate", "ratio"),
        ("It cuts p99 latency by 35%.", "35", "%", "latency", "ratio"),
        ("Sharding halves the memory footprint.", "0.5", "x", "memory", "ratio"),
        ("The engine serves 5.2k tokens/s.", "52e2", "tokens/s", "rate", "absolute"),
        ("We decode 3.5 ktok/s.", "35e2", "tokens/s", "rate", "absolute"),
        ("We sustain 412 TFLOPS.", "412", "TFLOP/s", "flops", "absolute"),
        ("Training runs at 47.5% MFU.", "47.5", "%", "mfu", "absolute"),
        ("One epoch takes 93 s.", "93", "s", "time", "absolute"),
        ("Pretraining took 8 hr 41 min.", "521", "min", "time", "absolute"),
        ("The model reaches 76.1% top-1 accuracy.", "76.1", "%", "accuracy", "absolute"),
        ("Peak memory usage is 11.5 GB.", "11.5", "GB", "memory", "absolute"),
        ("Decoding costs 8.3 ms per token.", "8.3", "ms/token", "time", "absolute"),
        ("The execution time on my old laptop of 2012 is around 1.25 ms.", "1.25", "ms", "time", "absolute"),
        ("Peak VRAM with 8-bit AdamW: 71 GB.", "71", "GB", "memory", "absolute"),
        ("The 3B run peaked at 53 GB.", "53", "GB", "memory", "absolute"),
    ],
)
def test_a_performance_of_a_sentence_is_a_claim(sentence, value, unit, quantity, form):
    claim = only(f"# Sprint\n\n{sentence}\n")
    assert (claim["value"], claim["unit"], claim["quantity"], claim["form"]) == (value, unit, quantity, form)
    assert claim["statement"] == sentence


@pytest.mark.parametrize(
    ("sentence", "qualifier"),
    [
        ("It is up to 3.2x faster.", "up_to"),
        ("It runs over 900 images/s.", "over"),
        ("It runs at least 900 images/s.", "at_least"),
        ("An epoch takes less than 40 s.", "less_than"),
        ("An epoch takes <40 s.", "less_than"),
        ("It is about 3.2x faster.", "about"),
    ],
)
def test_words_in_front_of_a_number_qualify_it(sentence, qualifier):
    assert only(sentence)["qualifier"] == qualifier


def test_a_range_keeps_both_ends():
    claim = only("Speedups range from 1.4x to 2.6x.")
    assert claim["value"] == "2.6"
    assert claim["range"] == {"low": "1.4", "high": "2.6", "where": "same_place"}


def test_numbers_of_one_sentence_are_a_group_on_one_arm():
    found = draft("2.4x faster on 8 A100 at 210 TFLOPS, 78 % MFU, with no loss.\n")
    claims = found.value["claims"].values()
    assert [claim["value"] for claim in claims] == ["2.4", "210", "78"]
    assert len({claim["group"] for claim in claims}) == 1
    assert {claim["measured"]["arm"] for claim in claims} == set(found.value["arms"])
    assert arm_of(found, next(iter(claims)))["devices"] == 8


def test_a_sentence_that_tells_conditions_apart_joins_nothing():
    found = claims("It trains 840 images/s on A100, while it trains 1650 images/s on H100.")
    assert [claim.get("group") for claim in found] == [None, None]


def test_a_degree_without_words_of_its_own_goes_on_with_its_list():
    found = claims("It outperforms Zeta and Eta by up to 3.5x, 2.5x and 1.5x.")
    assert [(claim["value"], claim["qualifier"], claim["quantity"]) for claim in found] == [
        ("3.5", "up_to", "time"),
        ("2.5", "up_to", "time"),
        ("1.5", "up_to", "time"),
    ]
    assert {claim["compares"] for claim in found} == {"other_system"}


@pytest.mark.parametrize(
    ("sentence", "compares"),
    [
        ("It is 2.5x faster than vLLM.", "other_system"),
        ("Compared to PyTorch, it gives a 2.5x speedup.", "other_system"),
        ("It has 2.5x the throughput of TensorRT.", "other_system"),
        ("It is 2.5x faster than our previous release.", "own_variants"),
        ("It is 2.5x faster than FP16.", "own_variants"),
        ("It serves 900 tokens/s.", "none"),
    ],
)
def test_what_a_number_is_compared_with(sentence, compares):
    assert only(sentence)["compares"] == compares


class TestAside:
    @pytest.mark.parametrize(
        ("sentence", "why"),
        [
            ("We hope to serve 4,000 tokens/s.", "expected, not measured"),
            ("Our goal is to train it in under 20 minutes.", "a goal"),
            ("Hu et al. report 900 images/s.", "reported of others"),
            ("How do you get 900 images/s?", "a question"),
            ("Suppose that a loader gives 900 images/s.", "supposed, not measured"),
            ("It is not 3.5x faster.", "denied"),
            ("The stride: 12.0 ms of the window takes that.", "a setting"),
            ("Sweeps that took 2 weeks, now are short.", "what it was before"),
            ("Speed bounds (up to 3.0x faster) are shared by all players.", "a setting"),
            ("The GPU has a peak performance of 312 TFLOPS.", "what hardware can do"),
            ("The load test runs at 16 req/s.", "a load"),
            ("The model is 4x smaller.", "compares a size"),
            ("It surpasses the teacher by 3.5 AP.", "a difference, or a setting, of a quality"),
        ],
    )
    def test_what_is_no_claim_is_left_aside_with_the_reason(self, sentence, why):
        found = draft(f"{sentence}{SURE}")
        assert [claim["value"] for claim in found.value["claims"].values()] == ["9.75"]
        assert any(text.endswith(f"(line 1): {why}") for text in found.unused), found.unused

    @pytest.mark.parametrize(
        "sentence",
        [
            "You need 24 GB of GPU memory.",
            "The token expires after 15 minutes.",
            "Download the checkpoint (3.2 GB).",
            "The data set holds 960 hours of speech.",
            "The learning rate decays in 12 hours.",
            "Sequences of 4,096 tokens and a batch of 64 were used.",
            "Support for Python 3.9 was dropped.",
            "The two top levels cover deployment.",
            "We added a 2x upscaler.",
            "The small one needs only 3.02GFlops.",
            "It runs on the Intel Core Ultra Series 1 (Meteor Lake).",
        ],
    )
    def test_other_numbers_are_none(self, sentence):
        assert [claim["value"] for claim in claims(f"{sentence}{SURE}")] == ["9.75"]

    @pytest.mark.parametrize("title", ["Related work", "Requirements", "Citation", "Roadmap"])
    def test_sections_about_something_else(self, title):
        found = draft(f"# Net{SURE}\n## {title}\n\nIt is 3.5x faster.\n")
        assert [claim["value"] for claim in found.value["claims"].values()] == ["9.75"]
        assert f"'3.5x faster' (line 7): stands under {title!r}" in found.unused

    def test_quotations_are_those_of_others(self):
        assert [claim["value"] for claim in claims(f"> It is 3.5x faster.{SURE}")] == ["9.75"]

    def test_a_text_that_states_no_performance_is_no_report(self):
        with pytest.raises(UserError):
            draft("# Net\n\nIt is fast, and has 7 modules.\n")


class TestContext:
    def test_a_setup_sentence_holds_for_its_section(self):
        text = (
            "# Net\n\n## Results\n\nAll experiments ran on 4 V100 GPUs with PyTorch 1.8.\n\nWe reach 840 images/s.\n\n"
            "## Other results\n\nWe reach 930 images/s.\n"
        )
        found = draft(text)
        first, second = (arm_of(found, claim) for claim in found.value["claims"].values())
        assert (first["devices"], first["system"], first["software"]) == (4, "V100", {"framework": "PyTorch 1.8"})
        assert "devices" not in second
        (arm,) = [name for name, arm in found.value["arms"].items() if arm.get("devices") == 4]
        assert found.origins[f"/arms/{arm}/devices"].line == 5

    def test_the_sentence_itself_comes_first(self):
        found = draft("## On A100\n\nOn an H100 we reach 840 images/s.\n")
        (claim,) = found.value["claims"].values()
        assert arm_of(found, claim)["system"] == "H100"

    def test_a_heading_holds_for_what_stands_below_it(self):
        found = draft("# Serving\n\n## Llama 2 7B on A100\n\n### Speed\n\nWe measured 840 tokens/s.\n")
        (claim,) = found.value["claims"].values()
        assert arm_of(found, claim)["options"]["model"] == "Llama 2 7B"
        assert arm_of(found, claim)["system"] == "A100"
        assert claim["mode"] == "inference"

    def test_what_the_nearest_text_leaves_open_stays_open(self):
        found = draft("# On H100\n\n## On A100 and V100\n\nWe reach 840 images/s.\n")
        (claim,) = found.value["claims"].values()
        assert "system" not in arm_of(found, claim)

    def test_devices_of_what_is_compared_with_are_not_its_own(self):
        found = draft("On an H100 it is 2.5x faster than on an A100.\n")
        (claim,) = found.value["claims"].values()
        assert arm_of(found, claim)["system"] == "H100"


TABLE = """
Table 3: Training throughput

| method | images/s | speedup |
|---|---|---|
| plain | 212 | 1.00x |
| fused | 489 | 2.31x |
| overlapped | 515 | 2.43x |
"""


class TestLinks:
    def test_a_number_that_a_table_holds_is_linked_to_its_cell(self):
        value = draft(f"It trains 489 images/s.\n{TABLE}").value
        cell, claim = value["claims"]["t1-r2-images-s"], value["claims"]["line-1"]
        assert claim["measured"] == cell["measured"]
        assert claim["mode"] == "training"

    def test_a_ratio_takes_its_base_from_the_cell(self):
        value = draft(f"The fused variant is 2.3x faster (Table 3).\n{TABLE}").value
        assert value["claims"]["line-1"]["base"]["arm"] == "t1-r1"
        assert value["claims"]["line-1"]["measured"]["arm"] == "t1-r2"

    def test_of_several_cells_none_is_chosen(self):
        found = draft(f"It is 2x faster (Table 3).\n{TABLE}")
        assert found.value["claims"]["line-1"].get("base") is None
        assert "'2x faster' (line 1): 2 cells hold it, linked to none" in found.unused

    def test_what_the_named_table_does_not_hold_is_said(self):
        found = draft(f"As Table 3 shows, it trains 600 images/s.\n{TABLE}")
        assert "'600 images/s' (line 1): not found in the table that its sentence names" in found.unused

    def test_a_cell_of_other_conditions_is_not_linked(self):
        table = TABLE.replace("Training throughput", "Training throughput on V100")
        value = draft(f"On H100 it trains 489 images/s.\n{table}").value
        assert value["claims"]["line-1"]["measured"]["arm"] == "line-1"


def test_lint_judges_prose_without_accusing_it_of_what_it_does_not_say(tmp_path):
    report = tmp_path / "README.md"
    report.write_text("# Net\n\nNet is up to 2.4x faster than eager on 8 A100, at 840 images/s.\n")
    result = CliRunner().invoke(cli, ["lint", str(report)])
    assert "2 claims, 0 violations" in result.output
    assert "README.md:3:" in result.output


def test_a_log_is_no_prose():
    with pytest.raises(UserError):
        draft("step 1 loss 3.2 840 images/s\nstep 2 loss 3.1 850 images/s\n", "run.txt")


class TestMap:
    TEXT = "# Net\n\nIt is 2.4x faster, and uses 30% less memory.\n\nIt is 3.5x faster than Zeta.\n"

    def read(self, **roles):
        return of_file("README.md", self.TEXT.encode(), Path(), roles=ColumnRoles(roles, "roles.yaml")).draft

    def test_what_a_sentence_was_taken_for_is_shown(self):
        assert self.read().guesses["line-5"] == {
            "quantity": "time", "form": "ratio", "scope": "not_stated", "mode": "none", "compares": "other_system",
        }  # fmt: skip

    def test_a_user_corrects_it(self):
        claim = self.read(**{"line-5": {"scope": "kernel", "mode": "inference"}}).value["claims"]["line-5"]
        assert (claim["scope"], claim["mode"], claim["quantity"]) == ("kernel", "inference", "time")

    def test_a_user_says_that_it_is_no_claim(self):
        found = self.read(**{"line-3": "ignore"})
        assert set(found.value["claims"]) == {"line-3-2", "line-5"}
        assert "'2.4x faster' (line 3): no claim, by roles.yaml" in found.unused

    @pytest.mark.parametrize("said", [{"value": "3"}, {}, "rate", {"scope": 3}, ["ignore"]])
    def test_what_is_no_correction_is_an_error(self, said):
        with pytest.raises(UserError, match="line-5"):
            self.read(**{"line-5": said})

    def test_a_claim_that_is_not_there_is_an_error(self):
        with pytest.raises(UserError, match="no sentence makes a claim of that name"):
            self.read(**{"line-7": "ignore"})


@pytest.mark.parametrize(
    ("sentence", "value", "scope", "mode"),
    [
        ("Training speed: (0.37s step-time) on one K40m.", "0.37", "step", "training"),
        ("Our agent can solve Pong in ~3 minutes.", "3", "training_run", "training"),
        ("It converges in under 40 minutes on a laptop.", "40", "training_run", "training"),
        ("We averaged 5 runs, and each of them lasted 1.65 hours.", "1.65", "training_run", "training"),
        ("The backward pass takes 25 ms.", "25", "layer", "none"),
    ],
)
def test_a_time_is_that_of_a_step_or_of_a_whole_training(sentence, value, scope, mode):
    claim = only(f"# Results\n\n{sentence}\n")
    assert (claim["value"], claim["scope"], claim["mode"]) == (value, scope, mode)


def test_what_merely_runs_in_a_time_is_not_of_the_training_that_the_document_is_about():
    text = (
        "# Net\n\nTraining code and training scripts. We train on COCO. Training resumes. We trained it.\n\n## Use\n\n"
    )
    assert only(f"{text}The detector runs in 22 ms.\n")["mode"] == "none"


def test_a_list_of_labelled_times_is_read():
    found = claims("# Timings\n\n- Average forward pass: 562.841 ms.\n- Average forward-backward: 1688.8 ms.\n")
    assert [(claim["value"], claim["unit"]) for claim in found] == [("562.841", "ms"), ("1688.8", "ms")]


def test_a_time_by_which_something_is_shorter_is_no_time_that_it_takes():
    found = draft("The host takes 2 ms less time." + SURE)
    assert [claim["value"] for claim in found.value["claims"].values()] == ["9.75"]
    assert any("a difference of times" in text for text in found.unused)


def test_a_heading_of_results_keeps_its_sentences_although_it_speaks_of_references():
    assert only("# Reference results\n\nThe fused kernel is 2.4x faster.\n")["value"] == "2.4"


@pytest.mark.parametrize(
    "setup",
    [
        "Results in the third row were obtained on 4 V100 GPUs.",
        "Originally, the model was trained on 32 TPU v3 chips.",
        "The first model was trained by its authors on 64 V100 GPUs.",
    ],
)
def test_a_setup_of_some_rows_or_of_others_holds_for_no_sentence(setup):
    found = draft(f"# Results\n\n{setup}\n\nWe reach 5.2k tokens/s.\n")
    (claim,) = found.value["claims"].values()
    assert "devices" not in arm_of(found, claim)


def test_several_devices_are_not_the_one_of_another_sentence():
    found = draft("# Results\n\nAll tests ran on a single V100 GPU.\n\nWith multiple GPUs it is 3.5x faster.\n")
    (claim,) = found.value["claims"].values()
    assert "devices" not in (arm_of(found, claim) if "measured" in claim else {})


@pytest.mark.parametrize(
    ("sentence", "value", "unit"),
    [
        ("Top-1 accuracy over 5 seeds is 81.25% ± 0.4%.", "81.25", "%"),
        ("The mean latency is 6.1 ms +/- 0.3 ms.", "6.1", "ms"),
        ("It renders 45 060 frames per second ± 310 frames per second.", "45060", "frames/s"),
        ("The simulator runs at 412 806 551.25 steps per second.", "412806551.25", "steps/s"),
        ("It is a 20 000x speedup.", "20000", "x"),
    ],
)
def test_a_number_is_read_whole_and_without_its_spread(sentence, value, unit):
    claim = only(f"# Results\n\n{sentence}\n")
    assert (claim["value"], claim["unit"]) == (value, unit)


@pytest.mark.parametrize(
    ("sentence", "compares", "base"),
    [
        ("Our server is 3x as fast as vLLM for long prompts.", "other_system", "vLLM"),
        ("MLX is nearly twice as fast as llama-cpp-python for it.", "other_system", "llama-cpp-python"),
        ("Decoding is 3x as fast as before.", "own_variants", "before"),
        ("It gives a 12x speedup compared to vLLM and 40 Million steps/s.", "other_system", "vLLM"),
        ("It is 2x faster than vLLM and TGI.", "other_system", "vLLM and TGI"),
        (
            "It is 2x faster than the out-of-the-box BorealisEngine.",
            "other_system",
            "the out-of-the-box BorealisEngine",
        ),
        (
            "It is 2x faster than the highly optimized cuDNN on an A100.",
            "other_system",
            "the highly optimized cuDNN",
        ),
    ],
)
def test_the_base_of_a_comparison_ends_where_the_sentence_goes_on(sentence, compares, base):
    claim, *_ = claims(f"# Results\n\n{sentence}\n")
    named = claim["comparator"]["name"] if "comparator" in claim else claim["base"]["definition"]
    assert (claim["compares"], named) == (compares, base)
