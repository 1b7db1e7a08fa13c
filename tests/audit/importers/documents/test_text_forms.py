"""Markdown, HTML and plain text as blocks: what each is, the words that a reader sees, and where they stand."""

import time

import pytest
from dlaudit.audit.importers.documents.reader import written
from dlaudit.audit.importers.report_file import open_report
from support import pace


def blocks(text, name="a.md"):
    return written(open_report(name, text.encode())).blocks


def shown(text, name="a.md"):
    return [(each.kind, each.text) for each in blocks(text, name) if each.kind != "table"]


def cells(text, name="a.md"):
    return [[[cell.text for cell in row] for row in each.cells] for each in blocks(text, name) if each.kind == "table"]


MARKDOWN = """---
license: mit
---
# Results

We are **2.4x** faster[^1] than
[the baseline](https://example.org) &amp; others.

> 1. first `item`
>    goes on
>    - inside

Table 2: images per second

| net | images/s |
|---|---|
| a | 10.5 |

```console
$ bench
done in 3 s
```

[^1]: On 8 GPUs.
[link]: https://example.org

Small
-----
    indented code
"""


class TestMarkdown:
    def test_each_block_is_what_its_reader_sees(self):
        assert shown(MARKDOWN) == [
            ("heading", "Results"),
            ("paragraph", "We are 2.4x faster than the baseline & others."),
            ("item", "first item goes on"),
            ("item", "inside"),
            ("caption", "Table 2: images per second"),
            ("console", "$ bench\ndone in 3 s"),
            ("footnote", "On 8 GPUs."),
            ("heading", "Small"),
            ("code", "indented code"),
        ]
        assert cells(MARKDOWN) == [[["net", "images/s"], ["a", "10.5"]]]

    def test_every_character_stands_where_it_is_written(self):
        lines = MARKDOWN.split("\n")
        for each in blocks(MARKDOWN):
            for offset, sign in enumerate(each.text):
                place = each.place(offset)
                written_as = lines[place.line - 1][place.column - 1 :][:1]
                assert written_as in {sign, "&"} or sign in " \n", (each, offset)
            for cell in (cell for row in each.cells for cell in row):
                assert lines[cell.place.line - 1][cell.place.column - 1 :].startswith(cell.text)

    def test_blocks_stand_under_their_headings(self):
        document = written(open_report("a.md", b"# A\n\n## B\n\nx\n\n## C\n\n### D\n\ny\n\n# E\n\nz\n"))
        found = {each.text: [title.text for title in document.titles(each)] for each in document.blocks}
        assert (found["x"], found["y"], found["z"]) == (["A", "B"], ["A", "C", "D"], ["E"])

    @pytest.mark.parametrize("text", ["[![build](a.svg)](b)\n\n# A\n\ntext\n", "[1] A\n\n# A\n\ntext\n"])
    def test_a_text_that_begins_with_a_bracket_is_what_it_is(self, text):
        assert ("paragraph", "text") in shown(text)

    def test_comments_and_scripts_are_not_seen(self):
        assert shown("a <!-- b --> c\n\n<!--\nd\n-->\n\n<script>\ne\n</script>\n\nf\n") == [
            ("paragraph", "a c"),
            ("paragraph", "f"),
        ]

    def test_html_inside_is_read_with_what_it_holds(self):
        text = "<div align=center>\n<h1>Fast</h1>\n<p>3x <b>faster</b></p>\n</div>\n\n<summary>More</summary>\n\ntext\n"
        assert shown(text) == [
            ("heading", "Fast"),
            ("paragraph", "3x faster"),
            ("paragraph", "More"),
            ("paragraph", "text"),
        ]

    def test_a_table_may_stand_in_a_list_a_quotation_or_a_paragraph(self):
        table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
        for text in (
            table.replace("| a", "text\n| a"),
            "> " + table.replace("\n|", "\n> |"),
            "- x\n\n  " + table.replace("\n|", "\n  |"),
        ):
            assert cells(text) == [[["a", "b"], ["1", "2"]]]


HTML = """<!DOCTYPE html>
<html><head><title>A post</title><style>p { x: 1 }</style>
<script>document.write("<p>9x faster</p>")</script></head>
<body><h2>Speed</h2>
<p>It is <em>2.4x</em> faster
on 8&nbsp;GPUs.
<ul><li>one<li>two<ul><li>three</ul></ul>
<figure><figcaption>Figure 1</figcaption></figure>
<pre>$ bench
3 &lt; 4</pre>
<table><caption>Rates</caption><tr><th>net<th>images/s<tr><td>a<td>10.5</table>
a &lt;b&gt; < c <!-- d
--> e
</body></html>
"""


class TestHtml:
    def test_each_block_is_what_its_reader_sees(self):
        assert shown(HTML, "a") == [
            ("title", "A post"),
            ("heading", "Speed"),
            ("paragraph", "It is 2.4x faster on 8 GPUs."),
            ("item", "one"),
            ("item", "two"),
            ("item", "three"),
            ("caption", "Figure 1"),
            ("console", "$ bench\n3 < 4"),
            ("caption", "Rates"),
            ("paragraph", "a <b> < c e"),
        ]
        assert cells(HTML, "a") == [[["net", "images/s"], ["a", "10.5"]]]

    def test_words_keep_their_places(self):
        lines = HTML.split("\n")
        (found,) = (each for each in blocks(HTML, "a") if each.text.startswith("It is"))
        for word in ("2.4x", "GPUs"):
            place = found.place(found.text.index(word))
            assert lines[place.line - 1][place.column - 1 :].startswith(word)


TEXT = """Fast training on 8 GPUs
=======================

It takes 3 days. It was
2x faster.

3.1 Throughput

   model       A100      H100
   --------    ------    -----
   ResNet-50   100.1     200
   BERT        90        180

- first
  goes on
- second

+------+------+
| net  | ms   |
+======+======+
| x    | 3.5  |
| long |      |
+------+------+
| y    | 4    |
+------+------+
"""


class TestText:
    def test_each_block_is_what_its_reader_sees(self):
        assert shown(TEXT, "a") == [
            ("heading", "Fast training on 8 GPUs"),
            ("paragraph", "It takes 3 days. It was 2x faster."),
            ("heading", "3.1 Throughput"),
            ("item", "first goes on"),
            ("item", "second"),
        ]

    def test_tables_may_be_drawn_with_blanks_or_in_frames(self):
        assert cells(TEXT, "a") == [
            [["model", "A100", "H100"], ["ResNet-50", "100.1", "200"], ["BERT", "90", "180"]],
            [["net", "ms"], ["x long", "3.5"], ["y", "4"]],
        ]

    def test_a_table_of_a_database_has_a_row_a_line(self):
        drawn = "┌─────┬──────┐\n│ net │ ms   │\n├─────┼──────┤\n│ x   │ 3.5  │\n│ y   │ 4    │\n└─────┴──────┘\n"
        assert cells(drawn, "a") == [[["net", "ms"], ["x", "3.5"], ["y", "4"]]]

    def test_a_text_with_wide_gaps_is_no_table(self):
        assert cells("if x:      # why\n  return   # so\n  else     # no\n", "a") == []


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt"])
@pytest.mark.parametrize(
    "hostile",
    [
        *("> " * 25_000, "- " * 25_000, "\n".join(" " * n + "- a" for n in range(1_000)), "[" * 50_000),
        *(
            "<div>" * 25_000,
            "<script>" * 25_000,
            "<svg>" * 25_000,
            "<!" * 50_000,
            "<ul><li>" * 10_000,
            "</p>" * 25_000,
        ),
        *('<p a="' * 15_000, "<p a='>" * 15_000, "&" * 100_000, "[^" * 25_000, "![" * 25_000, "**" * 50_000),
        *("a  b\n" * 25_000, "+--+\n" * 25_000, "a | b\n" * 25_000, "  " * 50_000 + "a", "1.1." * 25_000),
        *("a | b\n-|-\n" * 10_000, "<pre>" * 10_000 + "a", "[a]: b\n" * 25_000, "[^a]: b\n" * 25_000, "\\" * 50_000),
    ],
    ids=lambda text: repr(text[:8]),
)
def test_hostile_documents_take_no_long_time(hostile, name):
    began = time.process_time()
    blocks(hostile, name)
    assert time.process_time() - began < pace.seconds(2.5)
