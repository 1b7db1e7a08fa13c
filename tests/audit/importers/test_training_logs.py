"""Logs of trainings are known by the shape of their lines, whatever tool printed them."""

import pytest
from dlaudit.audit.importers.detection import detect
from dlaudit.audit.importers.registry import importers
from dlaudit.audit.importers.report_file import open_report
from dlaudit.schemas.validation import validate


def reader_of(text, name="a.log"):
    found = detect(open_report(name, text.encode()), importers()).importer
    return found.name if found is not None else None


def read(*lines):
    file = open_report("a.log", "\n".join(lines).encode())
    found = detect(file, importers()).importer
    assert found is not None
    assert found.name == "log"
    draft = found.read(file)
    assert not validate("submission", draft.value)
    return draft


def claims(draft):
    return {claim["statement"]: claim["value"] for claim in draft.value["claims"].values()}


def evaluations(draft):
    return draft.value["arms"]["run"]["trials"]["t1"]["evaluations"]


DEEPSPEED = (
    "[2026-01-02 16:14:{n:02},067] [INFO] [timer.py:264:stop] epoch=0/micro_step={m}/global_step={n}, "
    "RunningAvgSamplesPerSec=46.5{n}, CurrSamplesPerSec=46.8{n}, MemAllocated=5.53GB"
)
TORCHTITAN = (
    "[rank0]:2026-10-01 10:00:{n},123 - root - INFO - \x1b[31mstep: {n}  \x1b[32mloss:  8.1{n}  "
    "\x1b[33mmemory: 25.04GiB(31.65%)  \x1b[34mtps: 8,0{n}  \x1b[36mtflops: 100.{n}  \x1b[35mmfu: 12.{n}%\x1b[39m"
)
FAIRSEQ = (
    "2026-01-01 10:00:00 | INFO | train | epoch {n:03} | loss 10.2 | ppl 1200.5 | wps 123{n} | num_updates {n}00",
    "2026-01-01 10:00:00 | INFO | valid | epoch {n:03} | valid on 'valid' subset | loss 5.{n} | num_updates {n}00",
)
NANOGPT = "iter {n}: loss 3.2{n}, time 134.{n}ms, mfu 12.{n}%"
DETECTRON = "[01/01 10:00:00 d2.utils.events]:  eta: 0:10:00  iter: {n}  total_loss: 1.2{n}  time: 0.35  max_mem: 3000M"
MMENGINE = (
    "2026/01/01 10:00:00 - mmengine - INFO - Epoch(train)  [{n}][500/500]  lr: 1.0e-02  eta: 1:00:00  loss: 1.2{n}",
    "2026/01/01 10:00:00 - mmengine - INFO - Epoch(val) [{n}][50/50]    accuracy/top1: 76.{n}  data_time: 0.01",
)
LOOP = "Epoch {n} - Train Loss: 0.5{n}, Val Loss: 0.6{n}, Val Acc: 81.{n}%"


def lines(*forms, first=11, count=4):
    return [form.format(n=n, m=2 * n) for n in range(first, first + count) for form in forms]


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        (
            (DEEPSPEED,),
            {
                "RunningAvgSamplesPerSec at epoch 0, step 14: 46.514 samples/s",
                "CurrSamplesPerSec at epoch 0, step 14: 46.814 samples/s",
            },
        ),
        (
            (TORCHTITAN,),
            {"tps at step 14: 8014 tokens/s", "tflops at step 14: 100.14 TFLOP/s", "mfu at step 14: 12.14 %"},
        ),
        (FAIRSEQ, {"wps at epoch 14, step 1400: 12314 words/s", "validation loss 5.14 at epoch 14, step 1400"}),
        ((NANOGPT,), {"time at step 14: 134.14 ms", "mfu at step 14: 12.14 %"}),
        ((DETECTRON,), set()),
        (MMENGINE, {"validation accuracy/top1 76.14 at epoch 14"}),
        ((LOOP,), {"Val Loss 0.614 at epoch 14", "Val Acc 81.14 at epoch 14"}),
    ],
)
def test_the_last_values_outside_the_training_data_are_claimed(forms, expected):
    assert set(claims(read(*lines(*forms)))) == expected


def test_losses_are_evaluations_and_rates_raw_numbers():
    draft = read(*lines(TORCHTITAN))
    assert evaluations(draft)[0] == {"split": "train", "step": 11, "metrics": {"loss": 8.111}}
    assert draft.value["arms"]["run"]["trials"]["t2"]["samples"]["tps.each"] == [8011, 8012, 8013, 8014]


def test_a_log_without_a_claim_says_why():
    draft = read(*lines(DETECTRON))
    assert not draft.value["claims"]
    assert any("nothing is claimed" in text for text in draft.unused)


def test_steps_within_an_epoch_are_counted_through():
    form = "Train: [{n}/20][50/100] loss 0.{n} (0.5)"
    assert [each["step"] for each in evaluations(read(*lines(form, first=0, count=3)))] == [50, 150, 250]


def test_the_middle_of_an_evaluation_is_no_result():
    rows = [
        line for n in range(4) for line in (f"Epoch {n} loss 0.{n}1", "Test: [10/50] Acc@1 3.1", f" * Acc@1 70.{n}")
    ]
    assert claims(read(*rows)) == {"Acc@1 70.3": "70.3"}


def test_of_the_last_batch_of_an_evaluation_the_mean_in_brackets_is_the_result():
    rows = [
        line
        for n in range(4)
        for line in (f"Epoch: [{n}][9/9] Loss 0.9{n} (0.8{n})", f"Test: [{n}][4/4] Acc@1 70.{n} (72.{n})")
    ]
    assert claims(read(*rows)) == {"test Acc@1 72.3 at epoch 3": "72.3"}


def test_a_time_that_only_grows_is_that_of_the_run():
    draft = read(*(f"step:{n}/40 val_loss:3.2{n} train_time:{n}056ms step_avg:347.{n}ms" for n in range(10, 41, 5)))
    scopes = {claim["value"]: claim["scope"] for claim in draft.value["claims"].values() if claim["quantity"] == "time"}
    assert scopes == {"40056": "training_run", "347.40": "step"}


def test_what_every_line_prints_alike_is_an_option():
    form = "iteration {n}/ 500 | global batch size: 256 | sequence length: 4096 | lm loss: 6.{n}"
    options = read(*lines(form)).value["arms"]["run"]["options"]
    assert options == {"global_batch": 256, "input_length": 4096}


def test_settings_and_counts_are_no_qualities():
    draft = read(
        *(f"epoch {n}: loss scale: 1.0, max_epoch: 90, Accuracy: 98{n}/1000, val loss: 0.{n}" for n in range(1, 5))
    )
    assert set(claims(draft)) == {"val loss 0.4 at epoch 4"}


def test_a_share_in_brackets_is_the_value():
    rows = [
        line for n in range(4) for line in (f"Epoch {n} loss 0.{n}1", f"Test set: Accuracy: 981{n}/10000 (98.1{n}%)")
    ]
    assert claims(read(*rows)) == {"test Accuracy 98.13": "98.13"}


def test_a_document_that_shows_a_log_is_none():
    log = "\n".join(lines(NANOGPT))
    assert reader_of(f"# Train\n\nIt prints\n\n```\n{log}\n```\n", "README.md") != "log"


def test_a_document_that_shows_lines_of_dllogger_is_read_for_its_tables():
    shown = "DLL 2026-03-01 10:15:00.1 - PARAMETER SEED : 7\nDLL 2026-03-01 10:15:00.1 - (0, 1) throughput : 14.0 img/s"
    text = f"# A\n\n```\n{shown}\n```\n\n| Model | img/s |\n|---|---|\n| A | 120 |\n| B | 140 |\n"
    assert reader_of(text, "README.md") == "table"


@pytest.mark.parametrize("head", ["[2026-01-02 16:14:40] ", "[INFO] ", "[1/40] ", "{rank 0} "])
def test_a_line_in_brackets_is_no_json(head):
    assert reader_of("\n".join(head + line for line in lines(LOOP, first=1))) == "log"


def test_what_a_prose_counts_is_no_log():
    assert reader_of("Epoch 1 was slow.\nIn step 3 we fixed 4 losses.\nStep 5: done.\n") is None


def test_a_hostile_line_takes_no_time():
    from time import perf_counter

    text = "\n".join(
        [*lines(LOOP), "epoch: " + "1 " * 200_000, "step [" * 100_000, "a: 1," * 100_000, "loss " + "(" * 100_000]
    )
    begin = perf_counter()
    reader_of(text)
    assert perf_counter() - begin < 5


def test_what_is_printed_once_before_the_training_goes_on_is_no_result():
    rows = ["iteration 1/ 500 | lm loss: 6.9", "done with index builder. Compilation time: 0.106 seconds"]
    draft = read(*rows, *lines("iteration {n}/ 500 | elapsed time per iteration (ms): 12{n}.5 | lm loss: 6.{n}"))
    assert set(claims(draft).values()) == {"1214.5"}
