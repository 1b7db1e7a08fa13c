"""llama-bench: its JSON, CSV and Markdown, and what is judged of them, on reports written by hand."""

import json
from pathlib import Path
from statistics import fmean, stdev

import pytest
from dlaudit.audit.drafts.reports import drafts_of
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate

MARKDOWN = (Path(__file__).parent / "fixtures" / "llama-bench" / "markdown" / "report.md").read_text()
TIMES_NS = (5992874101, 5959608416, 5976935828, 5957614741, 5984353724)


def generation(times_ns=TIMES_NS, tokens=128, **told):
    rates = [tokens * 1e9 / time for time in times_ns]
    return {
        "build_commit": "0123abcd", "build_number": 5000, "cpu_info": "Example CPU",
        "gpu_info": "NVIDIA H100 80GB HBM3",
        "model_filename": "m/big-70b.gguf", "model_type": "llama 70B Q4_K - Medium", "model_size": 42520395776,
        "model_n_params": 70553706496, "n_gpu_layers": 99, "split_mode": "layer", "n_prompt": 0, "n_gen": tokens,
        "avg_ns": int(fmean(times_ns)), "stddev_ns": int(stdev(times_ns)), "avg_ts": round(fmean(rates), 6),
        "stddev_ts": round(stdev(rates), 6), "samples_ns": list(times_ns),
        "samples_ts": [float(f"{r:.6g}") for r in rates],
    } | told  # fmt: skip


def found(tmp_path, text, name="report.json"):
    path = tmp_path / name
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    (collected,) = read_documents([str(path)])
    findings = lint(collected, Settings()).report.all_findings
    return {f.code: str(f.effect) for f in findings if f.outcome == "violation"}


def arms(tmp_path, text, name="report.json"):
    path = tmp_path / name
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    ((_, draft),) = drafts_of(str(path), None, plugins=False)
    return draft, list(draft.value.get("arms", {}).values())


class TestDishonest:
    def test_the_tools_own_output_contradicts_nothing(self, tmp_path):
        assert found(tmp_path, [generation()]) == {}

    @pytest.mark.parametrize("edit", [{"avg_ts": 27.85}, {"stddev_ts": 0.001}, {"avg_ns": 4595597970}])
    def test_a_mean_or_deviation_that_its_repetitions_do_not_give(self, tmp_path, edit):
        assert {"F07", "F01"} & set(found(tmp_path, [generation(**edit)]))

    def test_mean_rate_and_mean_time_of_a_table_without_repetitions(self, tmp_path):
        row = {key: value for key, value in generation().items() if not key.startswith("samples")}
        for factor, codes in ((1, set()), (2, {"F01"})):
            held = row | {"avg_ns": row["avg_ns"] // factor}
            text = ",".join(held) + "\n" + ",".join(f'"{value}"' for value in held.values()) + "\n"
            assert set(found(tmp_path, text, "report.csv")) == codes

    def test_repetitions_that_agree_to_the_nanosecond(self, tmp_path):
        assert "F14" in found(tmp_path, [generation(times_ns=TIMES_NS[:1] * 5)])

    def test_more_tokens_than_the_memory_can_read_weights_for(self, tmp_path):
        fast = tuple(time // 93 for time in TIMES_NS)
        assert "P04" in found(tmp_path, [generation(times_ns=fast)])

    @pytest.mark.parametrize(
        "sparse",
        [
            {"model_type": "llama 8x7B Q4_K - Medium"},
            {"model_type": "qwen3moe 30B.A3B Q4_K - Medium"},
            {"model_type": "deepseek2 16B Q4_K - Medium"},
            {"model_type": "llama 8B Q4_K - Medium"},
            {"model_type": "llama ?B Q4_K - Medium"},
        ],
    )
    def test_not_of_a_model_that_may_read_a_part_of_its_weights(self, tmp_path, sparse):
        fast = tuple(time // 93 for time in TIMES_NS)
        assert "P04" not in found(tmp_path, [generation(times_ns=fast, **sparse)])


class TestHardware:
    @pytest.mark.parametrize(
        ("gpus", "told", "device", "devices"),
        [
            ("Example A, Example A", {}, "Example A", 2),
            ("Example A/Example A/Example A", {}, "Example A", 3),
            ("Example A, Example A", {"split_mode": "none"}, "Example A", 1),
            ("Example A, Example B", {}, None, 2),
            ("Example A", {"n_gpu_layers": 0}, "Example A", None),
            ("AMD Radeon RX 7900 XT/7900 XTX", {}, "AMD Radeon RX 7900 XT/7900 XTX", 1),
        ],
    )
    def test_cards_of_one_kind_are_counted(self, tmp_path, gpus, told, device, devices):
        draft, (arm,) = arms(tmp_path, [generation(gpu_info=gpus, **told)])
        (system,) = draft.value["systems"].values()
        assert (system.get("device"), arm.get("devices")) == (device, devices)

    def test_machines_of_one_file_stay_apart(self, tmp_path):
        draft, _ = arms(tmp_path, [generation(gpu_info="Example A"), generation(gpu_info="Example B")])
        assert {system["device"] for system in draft.value["systems"].values()} == {"Example A", "Example B"}


class TestMarkdown:
    def test_a_row_that_prints_no_rate_is_named(self, tmp_path):
        draft, held = arms(tmp_path, MARKDOWN, "report.md")
        assert len(held) == 3
        assert draft.unused == ("line 10: tg128 fail",)

    @pytest.mark.parametrize(
        ("test", "load"),
        [
            ("pp 512", ("512 tokens", "0 tokens")),
            ("tg128", ("0 tokens", "128 tokens")),
            ("pp1024+tg64 @ d8192", ("1024 tokens", "64 tokens")),
        ],
    )
    def test_tests_of_older_and_newer_versions(self, tmp_path, test, load):
        _, held = arms(tmp_path, MARKDOWN.replace("pp512+tg128", test), "report.md")
        assert load in {
            (arm["performance"]["rate"]["load"]["prompt_length"], arm["performance"]["rate"]["load"]["output_length"])
            for arm in held
        }

    def test_a_text_with_another_table_is_left_to_the_reader_of_tables(self, tmp_path):
        text = MARKDOWN + "\n\n| model | tokens/s |\n| --- | ---: |\n| a | 12.5 |\n"
        draft, _ = arms(tmp_path, text, "report.md")
        assert not draft.value["title"].startswith("llama-bench")

    def test_a_table_without_any_rate_is_refused_or_empty(self, tmp_path):
        text = "\n".join(line for line in MARKDOWN.split("\n") if "±" not in line)
        try:
            draft, held = arms(tmp_path, text, "report.md")
        except UserError:
            return
        assert held == []
        assert draft.unused


def test_what_tests_of_one_length_differ_in_stands_in_their_labels(tmp_path):
    rows = [generation(n_threads=threads) for threads in (1, 2)]
    labels = [arm["label"] for arm in arms(tmp_path, rows)[1]]
    assert labels == ["big-70b.gguf tg128, threads 1", "big-70b.gguf tg128, threads 2"]


def test_a_row_with_fewer_fields_than_the_heading_is_not_read(tmp_path):
    head, row = "model_type,n_prompt,n_gen,n_batch,avg_ts", "llama 7B F16,512,0,2048,100.5"
    with pytest.raises(UserError, match="line 2 has 4 fields, the heading 5"):
        arms(tmp_path, f"{head}\nllama 7B F16,512,0,100.5\n", "a.csv")
    assert len(arms(tmp_path, f"{head}\n{row}\n", "a.csv")[1]) == 1


def test_a_column_without_a_heading_is_no_setting(tmp_path):
    head, row = "model_type,n_prompt,n_gen,,avg_ts", "llama 7B F16,512,0,2048,100.5"
    draft, _ = arms(tmp_path, f"{head}\n{row}\n", "a.csv")
    assert not validate("submission", draft.value)
