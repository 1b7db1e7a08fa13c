"""Tables that quote results of the MLPerf suites: what of each is stated, and what is no result of them."""

import pytest
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.importers.tables.importer import IMPORTER
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings

FOOTNOTE = (
    "MLPerf Training v5.0, closed division, entries 5.0-0031 and 5.0-0032. Result verified by MLCommons Association. "
    "Retrieved from https://mlcommons.org/benchmarks/training on 4 June 2025. The MLPerf name is a trademark."
)
TRAINED = """\
# Our results

{before}

| Submitter | System | Accelerators | Benchmark | Time to train (min) | Entry |
|---|---|---|---|---|---|
| Fjord Compute | FC-880 | 8 | BERT | 5.536{mark} | 5.0-0031 |
| Fjord Compute | 8 x FC-880 | 64 | BERT | 0.982{mark} | {entry} |

{after}
"""


def drafted(text, name="report.md"):
    return IMPORTER.read(open_report(name, text.encode())).value


def trained(before="MLPerf Training v5.0, closed division.", mark="", entry="5.0-0032", after=FOOTNOTE):
    return TRAINED.format(before=before, mark=mark, entry=entry, after=after)


def results(text):
    return [claim.get("suite_result") for claim in drafted(text)["claims"].values()]


def violations(tmp_path, text):
    (tmp_path / "report.md").write_text(text, encoding="utf-8")
    (found,) = read_documents([str(tmp_path / "report.md")])
    said = lint(found, Settings()).report.all_findings
    return {item.code for item in said if item.outcome == "violation" and item.effect != "caveat"}


def test_a_result_is_what_its_row_and_the_text_before_it_say(tmp_path):
    first, second = drafted(trained())["claims"].values()
    assert (first["suite"], first["mode"], first["scope"]) == ("training", "training", "training_run")
    assert first["suite_result"] == {
        "organisation": "Fjord Compute",
        "benchmark": "BERT",
        "round": "v5.0",
        "division": "closed",
        "system": "FC-880",
        "devices": 8,
        "verified": True,
        "id": "5.0-0031",
        "footnote": FOOTNOTE,
    }
    assert (second["suite_result"]["devices"], second["suite_result"]["id"]) == (64, "5.0-0032")
    assert not violations(tmp_path, trained())


@pytest.mark.parametrize(
    "before",
    [
        "We ran the MLPerf Training v5.0 reference implementation on our machines, in the closed setting.",
        "An MLPerf-like benchmark of our own, verified by a colleague, closed division.",
        "Measured with the MLPerf Training v5.0 code after we submitted the paper.",
        "Our benchmark is based on MLPerf Training v5.0 and has a closed division, too.",
        "These are not MLPerf results, and nobody submitted them.",
        "We trained on eight GPUs.",
    ],
)
def test_what_is_no_result_of_the_suite_gets_none(before):
    text = trained(before, after="Thanks to all.").replace("| Submitter |", "| Team |")
    assert results(text) == [None, None]


def test_a_mention_far_away_says_nothing_of_a_table():
    far = (
        trained("We trained on eight GPUs.", after="") + "\n## Related work\n\nMLPerf Training v5.0 results, closed.\n"
    )
    assert results(far) == [None, None]


def test_what_is_not_stated_stays_not_stated():
    (first, second) = results(trained("Our MLPerf Training results, as submitted.", entry="none", after=""))
    assert not {"round", "division", "verified", "category", "footnote"} & first.keys()
    assert not {"id", "verified"} & second.keys()


def test_two_rounds_or_divisions_that_stand_side_by_side_are_no_one_s():
    (first, _) = results(trained("MLPerf Training v4.1 and v5.0 results, closed and open divisions.", after=""))
    assert not {"round", "division"} & first.keys()


def test_the_note_of_a_mark_says_that_a_result_is_not_verified(tmp_path):
    note = "[a] Unverified MLPerf Training v5.0 closed-division result. Result not verified by MLCommons Association."
    text = trained(after=note).replace("5.536 |", "5.536 [a] |").replace("| 5.0-0031 |", "| none |")
    first, second = drafted(text)["claims"].values()
    assert (first["value"], first["suite_result"]["verified"]) == ("5.536", False)
    assert "Result not verified by MLCommons Association" in first["statement"]
    assert "verified" not in second["suite_result"]
    assert "Unverified" not in second["statement"]
    assert "Q24" not in violations(tmp_path, text)


def test_a_result_that_is_called_verified_without_an_entry_is_held_to_it(tmp_path):
    after = "Results verified by MLCommons Association."
    text = trained(entry="", after=after).replace("| 5.0-0031 |", "| |")
    assert "Q24" in violations(tmp_path, text)
    assert "Q24" not in violations(tmp_path, trained(after=after))


def test_verified_in_a_footnote_is_no_word_on_a_number_whose_entry_is_not_told(tmp_path):
    text = (
        served(note="Results verified by MLCommons Association.").replace(" | Entry |", " |").replace("|---|\n", "|\n")
    )
    text = text.replace(" | 5.1-0069 |", " |")
    assert results(text)
    assert all("verified" not in found for found in results(text))
    assert "Q24" not in violations(tmp_path, text)


def test_a_version_of_the_suite_is_no_device():
    draft = drafted("# MLPerf Inference v4.1\n\n| Model | Offline (tokens/s) |\n|---|---|\n| Llama 2 70B | 21,028 |\n")
    assert "systems" not in draft


def test_a_caption_that_names_two_devices_tells_none(tmp_path):
    text = (
        "# Rounds\n\nMLPerf Training v4.1 against v5.0, closed, 64 GPUs H100 and B200.\n\n"
        "| Benchmark | v4.1 H100 (min) | v5.0 B200 (min) |\n|---|---|---|\n"
        "| BERT | 5.2 | 2.6 |\n| R-GAT | 8.0 | 4.0 |\n"
    )
    assert "systems" not in drafted(text)
    assert not violations(tmp_path, text)


def test_a_column_beside_the_one_of_the_suite_is_none_of_it():
    text = served("MLPerf Server (tokens/s) | Production (tokens/s)")
    assert [found is not None for found in results(text)] == [True, False] * 2


def test_a_table_that_is_said_to_be_no_result_gets_none():
    assert set(map(bool, results(served()))) == {True}
    disowned = served().replace("one box with", "not MLPerf results; one box with")
    assert results(disowned) == [None] * 4


def test_a_bar_between_cells_is_no_part_of_a_name():
    rows = "| System | GPT-J Offline (tokens/s) |\n|---|---|\n| 8x H100 | 19,878 |\n"
    text = f"# MLPerf Inference v4.0, closed division\n\n{rows}"
    (found,) = results(text)
    assert found["benchmark"] == "GPT-J"


def test_a_category_of_benchmarks_is_none_of_availability(tmp_path):
    text = served().replace("| Benchmark |", "| Category | Benchmark |").replace("|---|---|", "|---|---|---|", 1)
    text = text.replace("| llama2", "| Language | llama2").replace("| mixtral", "| Language | mixtral")
    assert all("category" not in found for found in results(text))
    assert "Q20" not in violations(tmp_path, text)


EFFICIENT = """\
# Efficiency

MLPerf Inference v5.0, closed division, Offline{after}

| System | {cells}ResNet-50 Offline (samples/s) | {power} | samples/s/W |
|---|{lines}---|---|---|
| 1x L4 | {rated}12,882 | {watts} | {each} |
"""


@pytest.mark.parametrize(
    ("after", "measured", "found"),
    [
        (". We divide by the TDP.", False, True),
        (". We divide by the TDP; the quotient is our own and not an MLPerf metric.", False, False),
        (" (analyser at the wall). The TDP is listed for orientation only; the last column is derived.", True, False),
    ],
)
def test_a_rating_is_held_against_what_stands_in_the_name_of_the_suite(tmp_path, after, measured, found):
    rated = {"cells": "TDP (W) | ", "lines": "---|", "rated": "72 | ", "power": "System power (W)", "watts": "184.3"}
    plain = {"cells": "", "lines": "", "rated": "", "power": "TDP (W)", "watts": "72"}
    text = EFFICIENT.format(after=after, each="69.9" if measured else "178.9", **(rated if measured else plain))
    assert ("Q29" in violations(tmp_path, text)) == found


SCALED = """\
# Scaling

Results of MLPerf Training v4.1, closed division, submitter Example Lab{after}

| GPUs | GPT-3 time to train (min) | Scaling efficiency |
|---|---|---|
| 512 | 49.0 | 100 % |
| 11,616 | 3.4 | 64 % |
"""


def test_an_efficiency_is_a_quotient_by_its_name_and_counts_are_read_with_separators(tmp_path):
    for after in (".", ". Scaling efficiency is our calculation."):
        assert not violations(tmp_path, SCALED.format(after=after))


def test_a_row_may_call_its_result_verified_beside_a_speedup(tmp_path):
    text = (
        "# Steps\n\nMLPerf Inference v4.1, closed, Llama 2 70B, 8x H200, entry 4.1-0048.\n\n"
        "| Step | Offline (tokens/s) | Speedup |\n|---|---|---|\n| FP16 (unverified) | 16,100 | 1.00x |\n"
        "| final (submitted, verified) | 34,864 | 2.17x |\n"
    )
    assert "Q30" not in violations(tmp_path, text)


def test_unverified_numbers_beside_verified_ones_may_name_both(tmp_path):
    text = (
        "# News\n\nVerified: entry 5.0-0031 (MLPerf Inference v5.0, closed, 8x H200). New: unverified; Result not "
        "verified by MLCommons Association.\n\n"
        "| Scenario | Verified Llama 2 70B (tokens/s) | New, unverified (tokens/s) | New / verified |\n"
        "|---|---|---|---|\n| Offline | 34,988 | 36,010 | 1.03x |\n"
    )
    assert "Q24" not in violations(tmp_path, text)


def test_unverified_in_the_text_is_not_said_of_a_row_with_its_entry(tmp_path):
    text = (
        "# News\n\nMLPerf Inference v5.1, closed. Ours are unverified.\n\n"
        "| System | Source | Llama 2 70B Offline (tokens/s) | Entry |\n|---|---|---|---|\n"
        "| 8x H200 | official | 35,142 | 5.1-0069 |\n| 8x H200 | lab | 34,010 | n/a |\n"
    )
    assert results(text)[0]["id"] == "5.1-0069"
    assert "Q24" not in violations(tmp_path, text)


def test_a_number_of_each_node_is_no_total(tmp_path):
    text = (
        "# Nodes\n\n| Nodes | GPUs | Throughput (sequences/s) | per node (sequences/s/node) "
        "| per GPU (sequences/s/GPU) |\n"
        "|---|---|---|---|---|\n| 64 | 512 | 1,002 | 15.7 | {each} |\n"
    )
    assert "F20" not in violations(tmp_path, text.format(each="1.96"))
    assert "F20" in violations(tmp_path, text.format(each="2.96"))


def test_what_is_verified_of_others_is_not_said_of_a_row_of_ours(tmp_path):
    after = "The results of Fjord Compute are verified by MLCommons Association."
    text = trained(entry="", after=after).replace("| 5.0-0031 |", "| |").replace("| Fjord Compute | FC", "| Ours | FC")
    assert all("verified" not in found for found in results(text))
    assert "Q24" not in violations(tmp_path, text)


def test_an_entry_of_another_round_is_seen(tmp_path):
    assert "Q23" in violations(tmp_path, trained(entry="4.1-0032"))
    assert "Q23" not in violations(tmp_path, trained())


def served(heads="Offline (tokens/s) | Server (tokens/s)", note=""):
    return (
        "# MLPerf Inference v5.1 results\n\nClosed division, submitter Example Lab, one box with 8x NVIDIA H200.\n\n"
        f"| Benchmark | {heads} | Entry |\n|---|---|---|---|\n"
        "| llama2-70b-99 | 35,142.6 | 33,408.9 | 5.1-0069 |\n| mixtral-8x7b | 62,631.2 | 61,112.5 | 5.1-0069 |\n"
        f"\n{note}\n"
    )


def test_scenarios_stand_in_headings():
    claims = drafted(served())["claims"].values()
    assert [claim["suite_result"]["scenario"] for claim in claims] == ["Offline", "Server"] * 2
    assert {claim["scope"] for claim in claims} == {"serving_window"}
    assert {claim["suite_result"]["organisation"] for claim in claims} == {"Example Lab"}
    assert {claim["suite_result"]["devices"] for claim in claims} == {8}


def test_a_number_for_each_accelerator_is_derived_and_has_to_be_called_so(tmp_path):
    heads = "Offline (tokens/s) | Offline (tokens/s per accelerator)"
    said = "The last column is our own division by 8 and not a primary metric of the suite."
    claims = [claim for claim in drafted(served(heads))["claims"].values() if "accelerator" in claim["unit"]]
    assert {claim["basis"] for claim in claims} == {"derived"}
    assert "Q30" in violations(tmp_path, served(heads))
    assert "Q30" not in violations(tmp_path, served(heads, said))


ROUNDS = """\
# The same machine in two rounds

We submitted the K8 to two rounds of MLPerf Training, v4.0 and v4.1, closed division, 8x NVIDIA H200 each.

| | v4.0 (entry 4.0-0033) | v4.1 (entry 4.1-0026) | speed-up |
|---|---|---|---|
| Llama 2 70B LoRA, minutes | 27.54 | 24.71 | 1.11x |
| R-GAT, minutes | 9.31 | 7.74 | {ratio} |
| BERT, minutes | 5.48 | 5.26 | 1.04x |
| RetinaNet, minutes | 38.00 | 34.20 | 1.11x |
"""


def test_the_unit_of_the_rows_and_the_rounds_of_the_columns_are_read(tmp_path):
    claims = list(drafted(ROUNDS.format(ratio="1.20x"))["claims"].values())
    times = [claim for claim in claims if claim["form"] == "absolute"]
    assert {(claim["unit"], claim["suite_result"]["round"]) for claim in times} == {("min", "v4.0"), ("min", "v4.1")}
    assert {claim["base"]["arm"] for claim in claims if claim["form"] == "ratio"} >= {"t1-r1-v4-0"}
    assert not violations(tmp_path, ROUNDS.format(ratio="1.20x"))
    assert "F04" in violations(tmp_path, ROUNDS.format(ratio="1.42x"))


def test_a_row_of_changes_does_not_hide_the_numbers_above_it():
    text = "| Run | Throughput (tokens/s) |\n|---|---|\n| May | 59,206.3 |\n| July | 60,913.7 |\n| Change | +2.9 % |\n"
    assert [claim["value"] for claim in drafted(text)["claims"].values()] == ["59206.3", "60913.7"]


def test_a_column_may_say_what_each_row_measures():
    text = (
        "# P1 in MLPerf Inference v4.0\n\nClosed division.\n\n| Scenario | What is measured | ResNet-50 | RetinaNet |\n"
        "|---|---|---|---|\n| SingleStream | 90th percentile latency, ms | 0.64 | 11.72 |\n"
        "| Offline | samples/s | 6,388.7 | 148.9 |\n"
    )
    claims = drafted(text)["claims"].values()
    named = [(c["suite_result"]["scenario"], c["suite_result"]["benchmark"]) for c in claims]
    assert {(c["value"], c["unit"]) for c in claims} >= {("0.64", "ms"), ("148.9", "samples/s")}
    assert set(named) == {(a, b) for a in ("SingleStream", "Offline") for b in ("ResNet-50", "RetinaNet")}


def test_a_column_that_sets_two_systems_against_each_other_is_none():
    text = (
        "| | CS-4 with C40 | CS-4 with C32 | C40 : C32 |\n|---|---|---|---|\n"
        "| Offline (tokens/s) | 18,240.7 | 11,906.4 | 1.53 |\n"
        "| Server (tokens/s) | 16,412.9 | 10,655.1 | 1.54 |\n"
    )
    assert {claim["value"] for claim in drafted(text)["claims"].values()} == {
        "18240.7",
        "16412.9",
        "11906.4",
        "10655.1",
    }


def test_the_share_of_one_scenario_of_another_is_no_comparison_of_results(tmp_path):
    text = (
        "# MLPerf Inference v5.1, closed division\n\n| Model | Scenario | Result (tokens/s) | of Offline |\n"
        "|---|---|---|---|\n"
        "| llama2-70b-99 | Offline | 35,142.6 | 100 % |\n| llama2-70b-99 | Server | 33,408.9 | 95.1 % |\n"
    )
    assert {c.get("suite") for c in drafted(text)["claims"].values() if c["form"] == "ratio"} == {None}
    assert not violations(tmp_path, text)


def test_work_for_a_watt_is_no_throughput():
    text = (
        "| Model | Speed (samples/s) | samples/s per W |\n|---|---|---|\n| a | 12904.6 | 70.0 |\n| b | 221.8 | 1.16 |\n"
    )
    found = [(c["quantity"], c["unit"]) for c in drafted(text)["claims"].values()]
    assert set(found) == {("rate", "samples/s"), ("energy", "samples/s/W")}


def test_the_reference_of_the_suite_is_no_result_of_the_authors():
    text = (
        "# Our open-division entries in MLPerf Inference v4.1\n\n| Entry | Model | Offline, tokens/s | ROUGE-1 |\n"
        "|---|---|---|---|\n| 4.1-0091 | Llama 2 70B | 12,037.5 | 44.41 |\n"
        "| reference (FP32) | Llama 2 70B | - | 44.43 |\n"
    )
    assert {claim["value"] for claim in drafted(text)["claims"].values()} == {"12037.5", "44.41"}
    assert "44.43" in {
        claim["value"] for claim in drafted(text.replace("reference (FP32)", "4.1-0092"))["claims"].values()
    }


def each(value, around="one machine with 8x NVIDIA H200"):
    return (
        f"# MLPerf Inference v5.1 results\n\nClosed division, submitter Example Lab, {around}.\n\n"
        "| Benchmark | Offline (tokens/s) | tokens/s per accelerator (derived) |\n|---|---|---|\n"
        f"| llama2-70b-99 | 35,142.6 | 4,392.8 |\n| mixtral-8x7b | 62,631.2 | {value} |\n"
    )


def test_a_share_of_each_accelerator_is_held_against_their_number(tmp_path):
    assert "F20" not in violations(tmp_path, each("7,828.9"))
    assert "F20" in violations(tmp_path, each("7,282.9"))
    assert "F20" not in violations(tmp_path, each("7,282.9", around="machines of 4 and of 8 accelerators"))


def test_one_run_is_no_score_of_a_round_that_asks_for_ten(tmp_path):
    note = (
        "[a] {} Unverified MLPerf Training v5.0 closed-division result. Result not verified by MLCommons Association."
    )
    text = trained(after=note).replace("5.536 |", "5.536 [a] |").replace("| 5.0-0031 |", "| none |")
    assert "Q01" in violations(tmp_path, text.replace("{}", "One run."))
    assert "Q01" not in violations(tmp_path, text.replace("{} ", ""))
