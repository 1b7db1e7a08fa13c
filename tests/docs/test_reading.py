"""The figures of the reader on its page are the ones that were kept."""

import json
from pathlib import Path

from dlaudit.benchmarks.reading.measure import BEGIN, END, LAYERS, main, table

ROOT = Path(__file__).parents[2]
KEPT = json.loads((ROOT / "benchmarks" / "data" / "reading" / "figures.json").read_text(encoding="utf-8"))


def test_the_page_shows_the_kept_figures():
    page = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")
    assert page.partition(BEGIN)[2].partition(END)[0] == table(KEPT)


def test_every_set_has_its_first_sight():
    sets = {file.stem for file in (ROOT / "benchmarks" / "data" / "reading").glob("*.jsonl")}
    assert set(KEPT) <= sets
    for entry in KEPT.values():
        assert set(LAYERS) <= set(entry["first_sight"]["figures"])


def test_without_the_texts_each_set_is_named_as_not_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["measure.py", "--texts", str(tmp_path)])
    assert main() == 0
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in said] == sorted(KEPT)
