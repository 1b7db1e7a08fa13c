"""Pages saved from a browser: the text of the post is read, and nothing of the site around it."""

from pathlib import Path

import pytest
from dlaudit.audit.importers.documents.markup import read
from dlaudit.audit.lint.reports import of_file

PAGE = Path(__file__).with_name("saved_post.html").read_text(encoding="utf-8")


def claims(page=PAGE):
    draft = of_file("post.html", page.encode(), Path()).draft
    return draft.value["claims"]


def test_the_numbers_of_a_post_are_read_and_none_of_the_site():
    found = claims()
    said = {claim["value"]: claim["statement"] for key, claim in found.items() if key.startswith("line-")}
    assert set(said) == {"2", "41.6", "2.1", "82"}
    assert said["2"] == "Osprey 3: serving twice as fast"
    assert said["82"] == "The median time to the first token falls from 120 ms to 82 ms."
    cells = [claim["value"] for key, claim in found.items() if key.startswith("t1-")]
    assert sorted(cells, key=float) == ["1.40", "2.10", "2.80", "10.2", "14.3", "19.8", "20.1", "36.2", "41.6"]


def test_headings_captions_and_code_are_told_apart():
    blocks = read(PAGE.split("\n")).blocks
    texts = {block.kind: [each.text for each in blocks if each.kind == block.kind] for block in blocks}
    assert texts["heading"] == ["Osprey 3: serving twice as fast", "Results"]
    assert [text.partition(":")[0] for text in texts["caption"]] == ["Figure 1", "Table 1"]
    assert "INFO: 512 tokens/s" in (texts.get("code") or texts["console"])[0]
    assert "title" not in texts


@pytest.mark.parametrize(
    "around",
    [
        '<div class="sidebar-layout">{}</div>',
        '<form id="share">{}</form>',
        '<div role="dialog"><div class="related">{}</div></div>',
    ],
)
def test_what_holds_the_text_is_no_part_of_the_site_whatever_it_is_called(around):
    body = "<main><p>The fused loop reaches 512 images/s.</p></main>"
    (claim,) = claims(f"<html><body>{around.format(body)}</body></html>").values()
    assert claim["value"] == "512"


def test_a_title_that_no_heading_repeats_is_read():
    page = "<title>Fused loops are 3x faster</title><body><h1>Our blog</h1><p>Read on.</p></body>"
    (claim,) = claims(page).values()
    assert claim["statement"] == "Fused loops are 3x faster"
