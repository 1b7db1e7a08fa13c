"""The comment on a pull request, as a Markdown parser reads it: its structure is the same whatever a document says."""

import pytest
from dlaudit.audit.renderers.markdown import LIMIT, MARK, code, render
from markdown_it import MarkdownIt
from msgspec.structs import replace

PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")


def tokens(text):
    """Yield every token, those within paragraphs included."""
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


def structure(text):
    """Return the kinds of tokens, with the content of those that are not code."""
    return [
        (token.type, token.content if token.type in {"html_block", "html_inline", "text"} else "")
        for token in tokens(text)
    ]


def test_snapshot(small, snapshot):
    text = render((small(),))
    assert text == snapshot
    assert text.startswith(MARK)


def test_snapshot_under_a_baseline(small_under_a_baseline, snapshot):
    assert render((small_under_a_baseline(),)) == snapshot


def test_the_verdict_comes_first(small):
    kinds = [token for token in tokens(render((small(),))) if token.type == "text"]
    assert kinds[0].content == "❌ FAIL"


@pytest.mark.parametrize("known", [False, True])
def test_hostile_text_is_code(small, small_under_a_baseline, hostile, known):
    made = small_under_a_baseline if known else small
    expected = structure(render((made(),)))
    for text in hostile:
        out = render((made(text),))
        out.encode()
        assert structure(out) == expected, repr(text)
        assert not {"link_open", "image"} & {token.type for token in tokens(out)}


def test_inline_code_reads_back(hostile):
    for text in hostile:
        if text.isascii() and text.isprintable() and text.strip():
            (inline,) = [token for token in tokens(f"a {code(text)} b") if token.type == "code_inline"]
            assert inline.content == text


def test_what_does_not_fit_is_counted(small):
    item = small()
    claim = item.report.claims[0]
    different = tuple(replace(each, branch=f"b{n}") for n in range(300) for each in claim.findings)
    many = replace(item.report, claims=(replace(claim, findings=different),))
    text = render((replace(item, report=many),))
    assert LIMIT - 2000 < len(text) < 65_536
    assert "further parts do not fit" in text
    assert text.count("<details>") == text.count("</details>")
