"""Reports of tools: the traps of real ones, each on a small report written by hand."""

import gzip
import json
import pickle
from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file, of_folder
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate

FIXTURES = Path(__file__).parent / "fixtures"


def read(name, report, folder=Path(), chosen=None):
    data = (
        report
        if isinstance(report, bytes)
        else report.encode()
        if isinstance(report, str)
        else json.dumps(report).encode()
    )
    found = of_file(name, data, folder, chosen=chosen)
    assert not validate("submission", found.draft.value)
    return found.draft


def only(mapping):
    (value,) = mapping.values()
    return value


def fixture(importer, case):
    (path,) = (FIXTURES / importer / case).glob("report*")
    return path.read_text()


def codes(name, report, tmp_path, effects=("refutes", "undermines")):
    (tmp_path / name).write_text(report if isinstance(report, str) else json.dumps(report))
    (found,) = read_documents([str(tmp_path / name)])
    report = lint(found, Settings()).report
    return {f.code for f in report.all_findings if f.outcome == "violation" and str(f.effect) in effects}


VLLM = {
    "backend": "vllm", "model_id": "m", "num_prompts": 10, "completed": 10, "request_rate": "inf", "duration": 10.0,
    "request_throughput": 1.0, "output_throughput": 250.0, "total_output_tokens": 2500, "mean_ttft_ms": 50.0,
}  # fmt: skip


class TestServing:
    @pytest.mark.parametrize(
        ("rate", "held"), [(4.0, {"request_rate": 4.0, "loop": "open"}), ("4", {"request_rate": 4.0, "loop": "open"})]
    )
    def test_a_request_rate_is_a_number(self, rate, held):
        arm = only(read("a.json", {**VLLM, "request_rate": rate}).value["arms"])
        assert arm["performance"]["request_throughput"]["load"].items() >= held.items()

    def test_a_request_rate_of_infinity_is_a_text(self):
        arm = only(read("a.json", VLLM).value["arms"])
        assert arm["performance"]["request_throughput"]["load"]["arrival"] == "all at once (request_rate inf)"

    @pytest.mark.parametrize("key", ["request_goodput", "request_goodput:"])
    def test_goodput_is_a_rate_of_its_own_and_null_is_none(self, key):
        assert read("a.json", {**VLLM, key: 0.5}).value["claims"]["run-1-request_goodput"]["value"] == "0.5"
        without = read("a.json", {**VLLM, key: None})
        assert "run-1-request_goodput" not in without.value["claims"]
        assert without.unused == ()

    def test_metadata_are_texts(self):
        arm = only(read("a.json", {**VLLM, "tp": "4", "input_len": "1000", "gpu": "4xExample_GPU"}).value["arms"])
        assert arm["options"]["tensor_parallel"] == 4
        assert arm["devices"] == 4
        assert arm["performance"]["output_throughput"]["load"]["prompt_length"] == "1000"

    def test_prompts_that_did_not_complete_failed_and_that_is_said(self, tmp_path):
        draft = read("a.json", {**VLLM, "completed": 8})
        assert only(draft.value["arms"])["performance"]["request_throughput"]["n"]["failed"] == 2
        assert all(claim["said"][0]["topic"] == "failed_requests" for claim in draft.value["claims"].values())
        assert "L11" not in codes("a.json", {**VLLM, "completed": 8}, tmp_path)

    def test_one_object_a_line(self):
        draft = read("a.jsonl", "\n".join(json.dumps({**VLLM, "request_rate": rate}) for rate in (1.0, 2.0)))
        assert [origin.line for key, origin in draft.origins.items() if key.endswith("performance/ttft/value")] == [
            1,
            2,
        ]

    def test_thousands_of_lines_are_read_in_linear_time_and_what_is_too_much_is_named(self):
        draft = read("a.jsonl", "\n".join(json.dumps({**VLLM, "request_rate": float(rate)}) for rate in range(1, 3000)))
        assert len(draft.value["claims"]) == 1000
        assert any("a submission holds 1,000 claims" in text for text in draft.unused)

    def test_what_a_near_report_lacks_is_named(self):
        near = {key: value for key, value in VLLM.items() if key != "mean_ttft_ms"}
        with pytest.raises(UserError, match=r"looks like vLLM bench serve.* but lacks mean_ttft_ms"):
            read("a.json", near, chosen="serving")


class TestTrainer:
    def test_the_pickle_beside_it_is_refused_with_a_reason(self):
        with pytest.raises(UserError, match="a pickle: reading one runs code"):
            read("training_args.bin", pickle.dumps({"seed": 1}))

    def test_the_zip_form_of_a_torch_file_is_refused(self):
        with pytest.raises(UserError, match="a ZIP archive"):
            read("training_args.bin", b"PK\x03\x04rest")

    def test_seed_precision_and_hardware_stay_unstated(self):
        value = read("a.json", fixture("hf-trainer", "results")).value
        assert "systems" not in value
        assert {"seed", "precision"}.isdisjoint(only(value["arms"]).get("options", {}))

    def test_nan_is_left_out_of_the_curve(self):
        evaluations = only(read("a.json", fixture("hf-trainer", "state")).value["arms"])["trials"]["t1"]["evaluations"]
        assert evaluations[-1]["metrics"] == {"accuracy": 0.86}


class TestDawnbench:
    def test_columns_in_any_order_a_mark_and_windows_ends(self):
        draft = read("a.tsv", "\ufeffhours\tepoch\ttop1Accuracy\r\n0.5\t1\t40.1\r\n1.0\t2\t93.10\r\n")
        assert draft.value["claims"]["top1Accuracy"]["value"] == "93.10"
        assert draft.value["claims"]["top1Accuracy"]["unit"] == "%"
        assert [each["time_s"] for each in only(draft.value["arms"])["trials"]["t1"]["evaluations"]] == [1800.0, 3600.0]

    def test_f1_is_a_fraction(self):
        draft = read("a.tsv", "epoch\thours\tf1Score\n1\t0.5\t0.61\n2\t1.0\t0.7524\n")
        assert "unit" not in draft.value["claims"]["f1Score"]

    @pytest.mark.parametrize("epochs", [("0", "1"), ("1", "2"), ("1.00096", "2.00192")])
    def test_epochs_from_0_or_1_or_in_fractions(self, epochs):
        draft = read("a.tsv", f"epoch\thours\ttop1Accuracy\n{epochs[0]}\t0.5\t40.1\n{epochs[1]}\t1.0\t93.1\n")
        evaluations = only(draft.value["arms"])["trials"]["t1"]["evaluations"]
        assert [each["epoch"] for each in evaluations] == [float(epoch) for epoch in epochs]

    def test_the_description_beside_the_curve_is_read(self, tmp_path):
        (tmp_path / "run.json").write_text(json.dumps({
            "framework": "ExampleFlow 1.2", "hardware": "8 * V100 (Example cloud)", "model": "net", "costPerHour": None,
            "timestamp": "2018-4-20", "author": "Example Lab，Town", "misc": {"momentum": 0.9, "batch_size": 128},
        }))  # fmt: skip
        draft = read("run.tsv", "epoch\thours\ttop1Accuracy\n1\t0.5\t93.1\n", folder=tmp_path)
        arm = only(draft.value["arms"])
        assert draft.value["publication"] == {"authors": "Example Lab，Town", "date": "2018-04-20"}
        assert (arm["devices"], only(draft.value["systems"])["device"]) == (8, "V100")
        assert arm["options"]["momentum"] == 0.9
        assert arm["options"]["extra"]["batch_size"] == 128
        assert draft.files("run.json") is not None

    def test_a_link_beside_the_curve_is_not_followed(self, tmp_path):
        (tmp_path / "elsewhere").write_text('{"framework": "secret"}')
        (tmp_path / "run.json").symlink_to(tmp_path / "elsewhere")
        draft = read("run.tsv", "epoch\thours\ttop1Accuracy\n1\t0.5\t93.1\n", folder=tmp_path)
        assert "software" not in only(draft.value["arms"])

    @pytest.mark.parametrize(
        "misc", ["a text", {"batchSize": [{"batch_size": 128, "epochs": 3}]}, {"args": "-a net --lr 0.4"}, None]
    )
    def test_misc_takes_every_form(self, misc):
        report = {
            "framework": "f",
            "hardware": "60 GB / 16 CPU",
            "model": "net",
            "latency": 24.9,
            "top1Accuracy": 94.04,
            "misc": misc,
        }
        draft = read("a.json", report)
        assert draft.value["claims"]["run-latency"]["value"] == "24.9"
        assert "global_batch" not in only(draft.value["arms"])["options"]


class TestCurves:
    def test_a_curve_of_training_losses_alone_claims_nothing(self, tmp_path):
        (tmp_path / "metrics.csv").write_text("epoch,step,train_loss\n0,49,1.5\n0,99,1.2\n")
        (found,) = read_documents([str(tmp_path / "metrics.csv")])
        assert lint(found, Settings()).report.verdict is None

    def test_an_unnamed_index_is_the_epoch_of_a_keras_history(self):
        draft = read("a.csv", ",loss,val_loss\n0,1.5,1.6\n1,1.2,1.4\n")
        assert only(draft.value["claims"])["metric"] == "val_loss"

    def test_heads_without_accuracy(self):
        draft = read("a.csv", "epoch,head0_loss,val_head0_loss,val_head1_loss\n0,1.5,1.6,1.7\n")
        assert {claim["metric"] for claim in draft.value["claims"].values()} == {"val_head0_loss", "val_head1_loss"}


class TestPyperf:
    def test_calibrations_are_no_trials_and_warm_ups_count_their_loops(self):
        arm = only(read("a.json", fixture("pyperf", "two-processes")).value["arms"])
        assert len(arm["trials"]) == 2
        assert arm["measurement"]["warmup"]["discarded"] == 128
        assert arm["environment"]["clocks"] == {"policy": "logged"}

    def test_a_compressed_file(self):
        data = gzip.compress(fixture("pyperf", "two-processes").encode())
        assert len(read("a.json.gz", data).value["claims"]) == 1

    @pytest.mark.parametrize("cut", [10, -5])
    def test_a_compressed_file_that_is_cut_off(self, cut):
        data = gzip.compress(fixture("pyperf", "two-processes").encode())
        with pytest.raises(UserError, match="gzip"):
            read("a.json.gz", data[:cut])


class TestKernels:
    def test_rows_and_aggregates_are_not_mixed(self):
        draft = read("a.json", fixture("google-benchmark", "repetitions"))
        assert {claim["value"] for claim in draft.value["claims"].values()} == {"10.50", "2.10", "9.75e10"}
        assert "BM_Broken: no time" in draft.unused

    def test_frequency_scaling_is_what_was_found_and_no_lock(self):
        arms = read("a.json", fixture("google-benchmark", "repetitions")).value["arms"].values()
        assert all(arm["environment"]["controls"]["cpu_scaling"]["found"] is True for arm in arms)
        assert all("clocks" not in arm["environment"] for arm in arms)

    def test_kernel_results_that_claim_kernels_are_not_way_5(self, tmp_path):
        for importer, case in (("google-benchmark", "repetitions"), ("nvbench", "one-axis")):
            assert not {code for code in codes("a.json", fixture(importer, case), tmp_path) if code.startswith("W05")}

    def test_numbers_of_nvbench_are_texts_and_its_clock_is_the_default(self):
        draft = read("a.json", fixture("nvbench", "one-axis"))
        arm = only(draft.value["arms"])
        assert arm["performance"]["gpu_time"]["value"] == "0.001005"
        assert arm["performance"]["gpu_time"]["n"]["completed"] == 499
        assert "environment" not in arm
        assert any("skipped" in text for text in draft.unused)


class TestModels:
    def test_the_format_of_the_weights_stands_in_the_type_of_the_model(self):
        arms = list(read("a.json", fixture("llama-bench", "two-tests")).value["arms"].values())
        assert [arm["options"]["quantisation"] for arm in arms] == ["Q4_K - Medium"] * 2
        assert [arm["options"]["cache_format"] for arm in arms] == ["f16", "q8_0/f16"]

    def test_no_path_of_a_machine_is_kept(self):
        assert "/models/" not in json.dumps(read("a.json", fixture("llama-bench", "two-tests")).value)

    def test_a_gpu_that_was_not_used_is_not_the_device(self):
        value = read("a.json", fixture("optimum-benchmark", "cpu-with-gpu")).value
        assert only(value["systems"])["device_kind"] == "processor"
        assert "aaaa" not in json.dumps(value)

    def test_a_limit_means_that_a_part_was_evaluated(self):
        quality = read("a.json", fixture("lm-eval", "newer")).value["arms"]["model"]["quality"]["arc_easy-acc"]
        assert quality["subset"] == "limit 100.0: 100 of 2376 examples"
        assert quality["examples"] == 100
        assert quality["plus_minus"] == {"value": "0.0441", "label": "sem", "varies": "examples"}

    def test_precision_comes_from_the_model_arguments(self):
        options = read("a.json", fixture("lm-eval", "newer")).value["arms"]["model"]["options"]
        assert options["precision"] == {"compute": "bf16"}


class TestLogs:
    def test_lines_behind_a_progress_bar_are_read(self):
        draft = read("a.txt", fixture("dllogger", "training"))
        evaluations = draft.value["arms"]["run"]["trials"]["t1"]["evaluations"]
        assert [each["step"] for each in evaluations] == [1, 2]

    def test_a_time_without_a_unit_is_named(self):
        draft = read("a.txt", fixture("dllogger", "training"))
        assert any(text.startswith("e2e_train_time") for text in draft.unused)
        assert draft.value["claims"]["run-training_sequences_per_second"]["unit"] == "sequences/s"

    def test_a_logged_batch_size_does_not_say_whose_it_is(self):
        options = read("a.txt", fixture("dllogger", "training")).value["arms"]["run"]["options"]
        assert options == {"extra": {"SEED": "7", "train_batch_size": "32", "optimizer": "lamb"}}


def test_pytest_benchmark_without_warm_up_is_not_a_cold_start(tmp_path):
    report = fixture("pytest-benchmark", "saved-data")
    assert "M01" not in codes("a.json", report, tmp_path)


def test_a_sheet_called_csv_is_refused_as_what_it_is():
    with pytest.raises(UserError, match=r"\.xlsx"):
        read("results.csv", b"PK\x03\x04\x14\x00\x06\x00")


def test_a_corrupt_report_names_the_place():
    with pytest.raises(UserError) as caught:
        read("a.json", '{"benchmarks": [\n {"name": }]}')
    assert caught.value.where == "a.json:2:11"


def test_lines_of_json_that_nobody_reads_are_not_called_broken():
    with pytest.raises(UserError, match="no report that an importer reads"):
        read("a.jsonl", '{"node": 1}\n{"node": 2}\n')


def test_a_folder_of_reports_gives_one_document_each(tmp_path):
    for number, (importer, case) in enumerate((("pyperf", "two-processes"), ("nvbench", "one-axis"))):
        (tmp_path / f"{number}.json").write_text(fixture(importer, case))
    (tmp_path / "notes.txt").write_text("nothing to read")
    assert len(of_folder(tmp_path)) == 2


def test_a_long_line_is_quoted_around_the_value(tmp_path):
    report = {"padding": "x" * 500, **VLLM, "completed": 3}
    (tmp_path / "a.json").write_text(json.dumps(report))
    (found,) = read_documents([str(tmp_path / "a.json")])
    spots = [f.location for f in lint(found, Settings()).report.all_findings if f.location.pointer.endswith("/n")]
    assert spots
    assert all(
        spot.text[spot.index :].startswith("1.0,") or "ttft" in spot.pointer or "250.0" in spot.text for spot in spots
    )
