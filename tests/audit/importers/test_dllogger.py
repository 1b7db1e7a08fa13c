"""DLLogger: what recurs from step to step is one series, and parameters are read by their parts."""

from dlaudit.audit.importers.detection import detect
from dlaudit.audit.importers.draft import Draft
from dlaudit.audit.importers.registry import importers
from dlaudit.audit.importers.report_file import open_report
from dlaudit.schemas.validation import validate

HEAD = "DLL 2026-03-01 10:15:00.1 - "


def read(*lines: str) -> Draft:
    file = open_report("a.log", "\n".join(HEAD + line for line in lines).encode())
    found = detect(file, importers()).importer
    assert found is not None
    assert found.name == "dllogger"
    draft = found.read(file)
    assert not validate("submission", draft.value)
    return draft


def claims(draft: Draft) -> dict[str, str]:
    return {claim["statement"]: claim["value"] for claim in draft.value["claims"].values()}


def test_a_rate_of_each_iteration_is_one_series_and_its_losses_are_evaluations() -> None:
    lines = (f"Iteration: {n}  throughput : {140 + n}.0 seq/s mlm_loss : {9 - n / 10}  lr : 1e-4" for n in range(3))
    draft = read("PARAMETER SEED : 7", *lines)
    trials = draft.value["arms"]["run"]["trials"]
    assert claims(draft) == {"throughput at iteration 2: 142.0 sequences/s": "142.0"}
    assert trials["t2"]["samples"] == {"throughput.each": [140.0, 141.0, 142.0]}
    assert [(each["step"], each["metrics"]) for each in trials["t1"]["evaluations"]][1] == (1, {"mlm_loss": 8.9})
    assert "quality" not in draft.value["arms"]["run"]


def test_the_result_of_a_series_is_claimed_and_not_its_steps() -> None:
    steps = (f"Epoch: 0 Iteration: {n}  train.ips : {380 + n}.0 images/s it_time : {n}.5 ms" for n in range(3))
    draft = read(*steps, "Summary: train.loss : 6.9 None train.ips : 388.12 images/s")
    assert claims(draft) == {"train.ips: 388.12 images/s": "388.12"}
    assert "it_time of the steps: the results of the log stand at its end" in draft.unused


def test_the_value_of_an_epoch_comes_before_that_of_an_iteration() -> None:
    draft = read(
        "(1, 10) train_items_per_sec : 100.0", "(1,) train_items_per_sec : 90.0", "(1, 11, 0) val_items_per_sec : 7.5"
    )
    assert claims(draft) == {
        "train_items_per_sec at epoch 1: 90.0 items/s": "90.0",
        "val_items_per_sec at epoch 1, iteration 11: 7.5 items/s": "7.5",
    }


def test_the_last_quality_of_a_log_that_was_cut_is_claimed_but_no_loss_of_training() -> None:
    draft = read("(25,) train_time : 9.8 hr@10 : 0.94", "(26,) train_time : 9.9 hr@10 : 0.95 loss : 0.1")
    assert claims(draft) == {"hr@10 at epoch 26: 0.95": "0.95"}


def test_a_log_without_a_result_says_that_nothing_is_claimed() -> None:
    draft = read("Step: 4 loss : 2.5")
    assert not draft.value["claims"]
    assert any("nothing is claimed" in text for text in draft.unused)


def test_a_map_of_parameters_is_read_by_its_parts() -> None:
    draft = read(
        "PARAMETER Config : {'batch_size': 96, 'amp': True}",
        """PARAMETER args : ["Namespace(lr=0.1, name='a b')"]""",
        "PARAMETER call : Namespace(lr=open('x'))",
        "PARAMETER deep : " + "[" * 5000,
        "PARAMETER note : two words steps : 114.0 ",
    )
    extra = draft.value["arms"]["run"]["options"]["extra"]
    deep = extra.pop("deep")
    assert extra == {
        "Config.batch_size": "96", "Config.amp": "True", "args.lr": "0.1", "args.name": "a b",
        "call": "Namespace(lr=open('x'))", "note": "two words", "steps": "114.0",
    }  # fmt: skip
    assert deep == "[" * 4000


def test_a_map_of_parameters_in_json_is_read_by_its_parts() -> None:
    line = 'DLLL {"type": "LOG", "step": "PARAMETER", "data": {"Config": {"batch_size": 96}, "seed": 7}}'
    draft = read("(1,) val.acc : 0.5", "\n" + line)
    assert draft.value["arms"]["run"]["options"]["extra"] == {"Config.batch_size": "96", "seed": "7"}
