"""Tables whose headings name arms: what corner, caption and section say that their numbers are, and what not."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate

SPEED = "\n## Speed\n\n| Model | tokens/s |\n|---|---|\n| zeta | 71.5 |\n"
"""A table that is read, beside one that is none."""


def table(*rows):
    head, *body = rows
    return "\n".join((head, "|" + "---|" * (head.count("|") - 1), *body)) + "\n"


def read(text, name="a.md"):
    draft = of_file(name, text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def told(text, name="a.md"):
    draft = read(text, name)
    return [(c["value"], c.get("unit"), c["quantity"]) for c in draft.value["claims"].values()]


ARMS = ("| Card | eager | graphs |", "| T4 | 81.5 | 60.2 |", "| L4 | 40.5 | n/a |")


@pytest.mark.parametrize(
    ("text", "unit", "quantity"),
    [
        ("# Bench\n\n" + table("| Latency (us) | eager | graphs |", *ARMS[1:]), "us", "latency"),
        ("# Bench\n\n" + table("| ResNet inference (ms) | eager | graphs |", *ARMS[1:]), "ms", "time"),
        ("# Bench\n\n" + table("| Whisper samples/s | eager | graphs |", *ARMS[1:]), "samples/s", "rate"),
        ("# Decoding throughput (tokens/s)\n\n## fp16, 2 nodes\n\n" + table(*ARMS), "tokens/s", "rate"),
        ("# A\n\n## Training rate (images/s)\n\n### bf16\n\n#### 8 cards\n\n" + table(*ARMS), "images/s", "rate"),
        ("# Bench\n\nGPU memory consumption (unit: MB):\n\n" + table(*ARMS), "MB", "memory"),
        ("# mAP50 on COCO\n\n" + table(*ARMS), "%", "accuracy"),
        ("# Parsing\n\nWord error rate of our checkpoints:\n\n" + table(*ARMS), "%", "error"),
        ("# Models\n\nPerplexity after quantisation:\n\n" + table(*ARMS), None, "perplexity"),
        ("# Evaluation\n\n### GSM8K\n\n" + table(*ARMS), "%", "accuracy"),
        ("# Rate (tokens/s)\n\n## A\n\n" + table("| Card | eager bs=96 | 8-workers |", *ARMS[1:]), "tokens/s", "rate"),
    ],
)  # fmt: skip
def test_what_stands_above_the_columns_says_what_they_hold(text, unit, quantity):
    assert told(text) == [("81.5", unit, quantity), ("60.2", unit, quantity), ("40.5", unit, quantity)]


@pytest.mark.parametrize(
    "text",
    [
        "# Throughput (tokens/s)\n\n## Settings\n\n" + table("| option | small | big |", "| top-p | 0.7 | 0.9 |"),
        "# Throughput (tokens/s)\n\n## A\n\n" + table("| | small | big |", "| max length | 500 | 900 |"),
        "# Accuracy of our models\n\n" + table("| Model | Params (M) | Layers |", "| a | 12.5 | 4.5 |"),
        "# Accuracy drop after pruning\n\n" + table("| Model | half | most |", "| a | 0.5 | 1.5 |"),
        "# BLEU and chrF\n\n" + table("| Model | base | big |", "| a | 27.5 | 28.5 |"),
        "# Accuracy\n\n" + table("| Model | heads | files |", "| a | 12 | 24 |"),
        "# Download sizes\n\n" + table("| Model | fp16 | int4 |", "| a | 13.5 GB | 3.9 GB |"),
        "# Deployments\n\n" + table("| environment | replicas | budget |", "| staging | 2 | 100 |"),
        "We report BLEU as results in all tables.\n\n# A\n\n" + table("| Model | base | big |", "| a | 27.5 | 28.5 |"),
    ],
)
def test_a_text_above_gives_no_quantity_to_what_it_does_not_speak_of(text):
    assert told(text + SPEED) == [("71.5", "tokens/s", "rate")]


def test_a_quality_of_all_tables_is_that_of_columns_that_name_data():
    text = "We measure quality in terms of BLEU.\n\n# One\n\n" + table(
        "| System | newstest2014 | newstest2015 |", "| big | 27.3 | 29.1 |"
    )
    assert told(text) == [("27.3", "%", "accuracy"), ("29.1", "%", "accuracy")]


def test_scores_of_agents_stand_by_environment():
    text = "# PPO after 10M steps\n\n" + table("| env | ours | theirs |", "| Hopper | 2310 | ~2100 |")
    draft = read(text)
    assert [(c["value"], c["metric"]) for c in draft.value["claims"].values()] == [("2310", "score"), ("2100", "score")]


def test_memory_is_claimed_where_a_table_measures_nothing_else():
    rows = ("| Way | 7B | 13B |", "| LoRA | 17.9 GB | 33.1 GB |", "| full | OOM | unavailable |")
    alone = "# Peak memory\n\n" + table(*rows)
    assert told(alone) == [("17.9", "GB", "memory"), ("33.1", "GB", "memory")]
    beside = table("| Way | tokens/s | memory (GB) |", "| LoRA | 100.5 | 33.1 |")
    assert told(beside) == [("100.5", "tokens/s", "rate")]


def test_a_table_of_qualities_takes_no_machine_from_afar():
    text = (
        "All experiments ran on 8 A100 GPUs.\n\n# Speed\n\n" + table("| Model | tokens/s |", "| a | 11.5 |")
        + "\n# Quality\n\n" + table("| Model | Accuracy |", "| b | 71.5 |")
    )  # fmt: skip
    arms = read(text).value["arms"].values()
    assert [(arm.get("devices"), "system" in arm) for arm in arms] == [(8, True), (None, False)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            ("| Net | AP / FPS |", "| a | 40.5 / 14 |", "| b | 38.5 / - |"),
            [("40.5", "%", "accuracy"), ("14", "frames/s", "rate"), ("38.5", "%", "accuracy")],
        ),
        (
            ("| Shape | ours / cuDNN | TFLOPS |", "| s | 1.20 / 2.40 ms | 80T / 40T |", "| l | 3 / 4 ms | 9T / 6T |"),
            [("1.20", "ms", "time"), ("2.40", "ms", "time"), ("80", "TFLOP/s", "flops"), ("40", "TFLOP/s", "flops")],
        ),
        (
            ("| Model | prefill / decode (tokens/s) |", "| a | 1200 / 45.5 |"),
            [("1200", "tokens/s", "rate"), ("45.5", "tokens/s", "rate")],
        ),
        (
            ("| Model | train / val accuracy |", "| a | 99.1 / 76.3 |"),
            [("99.1", "%", "accuracy"), ("76.3", "%", "accuracy")],
        ),
        (
            ("| Model | Top-1 (100 / 300 epochs) |", "| a | 78.5 / 79.5 |"),
            [("78.5", "%", "accuracy"), ("79.5", "%", "accuracy")],
        ),
        (
            ("| GPUs | Time per epoch, memory |", "| 1 | 90 sec, N/A |", "| 2 | 30 sec, 800 MB |"),
            [("90", "s", "time"), ("30", "s", "time")],
        ),
        (("| Model | images / s | size |", "| a | 1200 | 224/256 |"), [("1200", "images/s", "rate")]),
        (("| Model | tokens/s | batch / GPU |", "| a | 1200 | 8/16 |"), [("1200", "tokens/s", "rate")]),
    ],
)  # fmt: skip
def test_cells_of_several_numbers_come_apart_by_the_names_of_their_heading(rows, expected):
    assert set(expected) <= set(told("# Bench\n\n" + table(*rows)))


def test_of_several_numbers_without_names_none_is_claimed():
    text = "# Bench\n\n" + table("| Model | Time (s) |", "| a | 0.86/0.82 |", "| b | 0.91/0.85 |")
    with pytest.raises(UserError, match=r"0\.86/0\.82"):
        read(text)


def test_a_console_sets_deviations_below_the_heading_of_their_number():
    text = (
        "# Bench\n\n```\n"
        "Model            Batch   Latency (std)\n"
        "--------------------------------------\n"
        "resnet18         1       2.41 ms    (0.03 ms)\n"
        "bert-base        8       11.90 ms   (0.20 ms)\n"
        "vit              1       4.00 ms    (0.02 ms)\n```\n"
    )
    assert told(text) == [("2.41", "ms", "latency"), ("11.90", "ms", "latency"), ("4.00", "ms", "latency")]


def test_memory_alone_in_a_record_may_be_what_a_machine_has():
    with pytest.raises(UserError):
        read('{"host": "a1", "gpu_memory_gb": 80.0, "ram_gb": 512.5}', "machine.json")


def test_several_tabs_part_two_columns_once():
    text = "epoch\thours\ttop1\ttop5\n" + "".join(f"{n}\t0.{n}1\t\t{40 + n}.5\t\t{70 + n}.25\n" for n in range(1, 7))
    assert [value for value, _, _ in told(text, "run.tsv")] == ["46.5", "76.25"]


def test_rewards_by_iteration_are_a_curve_of_which_the_last_is_claimed():
    rows = "".join(f"{n},{n * 10.5},{n}.25\n" for n in range(1, 9))
    found = told("training_iteration,time_total_s,episode_reward_mean\n" + rows, "progress.csv")
    assert found == [("8.25", None, "accuracy")]
