"""Sets of annotated texts: where a text is found, that it is the annotated one, and what is kept of a measurement."""

import hashlib
import json
import subprocess

import pytest
from dlaudit.benchmarks.reading import measure, peer
from dlaudit.benchmarks.reading.texts import Changed, annotated_texts

TEXT = "It is 2x faster on 8 GPUs."
DOCUMENT = f"# Title\n\n{TEXT}\n"


def pointer(path, text=TEXT):
    at = DOCUMENT.index(TEXT)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return {"id": "a", "path": path, "at": [at, at + len(TEXT)], "sha256": sha256, "counts": [], "quantities": []}


def written(folder, *lines):
    file = folder / "set.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_a_text_is_a_part_of_a_file(tmp_path):
    document = tmp_path / "someone" / "project" / "c0ffee" / "README.md"
    document.parent.mkdir(parents=True)
    document.write_text(DOCUMENT)
    (item,) = annotated_texts(written(tmp_path, pointer("someone/project/c0ffee/README.md")), tmp_path)
    assert item["text"] == TEXT


def test_a_text_is_a_part_of_a_blob_of_a_clone(tmp_path):
    clone = tmp_path / "someone" / "project"
    clone.mkdir(parents=True)
    git = ["git", "-C", clone, "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], check=True)
    (clone / "README.md").write_text(DOCUMENT)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "Say it"], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    (clone / "README.md").write_text("changed since\n")
    (item,) = annotated_texts(written(tmp_path, pointer(f"someone/project/{commit}/README.md")), tmp_path)
    assert item["text"] == TEXT


def test_a_lacking_document_is_left_out_and_a_changed_one_is_an_error(tmp_path):
    path = "someone/project/c0ffee/README.md"
    assert list(annotated_texts(written(tmp_path, pointer(path)), tmp_path)) == []
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(DOCUMENT)
    with pytest.raises(Changed, match=r"a: someone/project/c0ffee/README\.md holds another text"):
        list(annotated_texts(written(tmp_path, pointer(path, "It was slower.")), tmp_path))


def test_hits_readings_and_annotations_are_counted():
    count = {"span": [19, 20], "value": 8, "of": "devices"}
    doubted = {"span": [0, 2], "value": 3, "of": "runs", "unsure": True}
    figures = measure.measured([{"id": "a", "text": TEXT, "counts": [count, doubted]}])
    assert figures["counts"] == {"hits": 1, "read": 1, "annotated": 2}
    assert figures["counts, sure"] == {"hits": 1, "read": 1, "annotated": 1}
    assert figures["comparisons"] == {"hits": 0, "read": 1, "annotated": 0}


def test_the_first_sight_of_a_set_stays(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{measure.BEGIN}{measure.END}after\n")
    monkeypatch.setattr(measure, "FIGURES", tmp_path / "figures.json")
    monkeypatch.setattr(measure, "PAGE", page)
    monkeypatch.setattr(measure, "KINDS", tmp_path / "first_sight.json")
    for hits in (5, 7, 9):
        kinds = {"count": {"hits": hits, "read": 10}}
        measure._write("new", 10, {"counts": {"hits": hits, "read": 10, "annotated": 10}}, kinds)
    assert json.loads((tmp_path / "first_sight.json").read_text()) == {"count": {"hits": 5, "read": 10}}
    kept = json.loads((tmp_path / "figures.json").read_text())["new"]
    assert kept["first_sight"]["figures"]["counts"]["hits"] == 5
    assert kept["after_mending"]["figures"]["counts"]["hits"] == 9
    assert page.read_text().startswith("before\n")
    assert page.read_text().endswith("after\n")
    assert "| new | first sight | counts | 0.500 " in page.read_text()


def test_the_peer_is_scored_leniently():
    gold = {"span": [0, 5], "value": 80e9, "unit": "B"}
    found = {"span": [3, 8], "values": [80.0], "unit": "B", "scale": 1e9}
    assert peer.number_fits(gold, found)
    assert peer.unit_fits(gold, found)
    assert not peer.unit_fits(gold, {**found, "unit": None})
    assert not peer.number_fits(gold, {**found, "values": [81.0]})
