"""LaTeX by pylatexenc: sections, paragraphs, captions, lists and tables. Nothing is executed, and no file included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Any

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexCommentNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexNode,
    LatexSpecialsNode,
    LatexWalker,
)

from ....schemas.pattern import Pattern
from .aligned import Lines, aligned, one_line
from .blocks import Block, Cell, Kind, Written
from .pieces import sectioned, tabled

_SECTIONS = {
    "part": 1,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
}
_TABULARS = frozenset({"tabular", "tabular*", "tabularx", "tabulary", "longtable", "array", "tabu"})
_LISTS = frozenset({"itemize", "enumerate", "description"})
_CODES = frozenset({"verbatim", "lstlisting", "minted", "Verbatim", "alltt"})
_SKIPPED = frozenset({"tikzpicture", "thebibliography", "comment", "algorithm", "algorithmic"})
_EMPTY = frozenset({
    *("label", "cite", "citep", "citet", "vspace", "hspace", "centering", "includegraphics", "usepackage"),
    *("documentclass", "arraystretch", "tabcolsep", "small", "footnotesize", "scriptsize", "noindent"),
    *("bibliography", "bibliographystyle", "newcommand", "renewcommand", "setlength", "input", "include", "maketitle"),
    *("toprule", "midrule", "bottomrule", "hline", "cmidrule", "cline", "addlinespace", "rowcolor", "cellcolor"),
})  # fmt: skip
_ARGUMENTS = {"rowcolor": 1, "cellcolor": 1, "cmidrule": 1, "cline": 1, "addlinespace": 0, "vspace": 1, "hspace": 1}
_LINKS = frozenset({"input", "include", "subfile"})
_RULES = frozenset({"midrule", "hline"})
_BLANK_LINE = Pattern(r"\n[ \t]*\n")
MOST_SPAN = 500
Nodes = Sequence[LatexNode]


def read(data: bytes) -> Written:
    """Return the document that the bytes of a LaTeX source are."""
    text = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    nodes, _, _ = LatexWalker(text, tolerant_parsing=True).get_latex_nodes()
    reader = _Reader(text)
    blocks = sectioned(reader.blocks(nodes, "paragraph", 0))
    return Written("latex", blocks, tuple(reader.unread))


class _Reader:
    """Goes through the nodes of one source."""

    def __init__(self, text: str) -> None:
        known = get_default_latex_context_db()
        known.add_context_category("links", prepend=True, macros=[MacroTextSpec("href", simplify_repl=_linked)])
        self._lines, self._words = Lines(text.split("\n")), LatexNodes2Text(known, math_mode="text")
        self.unread: list[str] = []

    def blocks(self, nodes: Nodes, kind: Kind, level: int) -> Iterator[Block]:
        """Yield the blocks that nodes make; words between blocks are of a kind and a level."""
        held: list[LatexNode] = []
        after: list[Block] = []
        nodes = list(nodes)
        at = 0
        while at < len(nodes):
            node = nodes[at]
            at += 1
            if isinstance(node, LatexEnvironmentNode):
                yield from self._flushed(held, kind, level, after)
                yield from self._environment(node, level)
            elif isinstance(node, LatexMacroNode) and node.macroname in {
                *_SECTIONS,
                "title",
                "caption",
                "footnote",
                "item",
            }:
                argument, at = _argument(nodes, at, node)
                if node.macroname == "footnote":
                    after += self._one(argument, "footnote", 0)
                    continue
                yield from self._flushed(held, kind, level, after)
                if node.macroname != "item":
                    found = _SECTIONS.get(node.macroname, 0)
                    named: Kind = "heading" if found else "title" if node.macroname == "title" else "caption"
                    yield from self._one(argument, named, found)
            elif isinstance(node, LatexMacroNode) and node.macroname in _EMPTY:
                if node.macroname in _LINKS:
                    named_, at = _argument(nodes, at, node)
                    self.unread.append(f"{one_line(self._text(named_))}: another file, which is not opened")
                else:
                    for _ in range(_ARGUMENTS.get(node.macroname, 0)):
                        _, at = _argument(nodes, at, node)
            elif isinstance(node, LatexCharsNode):
                for index, part in enumerate(_parted(node)):
                    if index:
                        yield from self._flushed(held, kind, level, after)
                    held.append(part)
            elif not isinstance(node, LatexCommentNode):
                held.append(node)
        yield from self._flushed(held, kind, level, after)

    def _flushed(self, held: list[LatexNode], kind: Kind, level: int, after: list[Block]) -> Iterator[Block]:
        yield from self._one(held, kind, level)
        yield from after
        held.clear()
        after.clear()

    def _one(self, nodes: Nodes, kind: Kind, level: int) -> Iterator[Block]:
        found = aligned(kind, self._text(nodes), self._lines.piece(*_extent(nodes)), level) if nodes else None
        if found is not None:
            yield found

    def _text(self, nodes: Nodes) -> str:
        return str(self._words.nodelist_to_text(list(nodes)))

    def _environment(self, node: LatexEnvironmentNode, level: int) -> Iterator[Block]:
        name = node.environmentname
        if name in _TABULARS:
            found = tabled(self._rows(list(node.nodelist), node.pos))
            yield from () if found is None else (found,)
        elif name in _CODES:
            shown = self._lines.piece(*_extent(node.nodelist) if node.nodelist else (node.pos, node.pos + node.len))
            block = aligned("code", shown.text.strip("\n"), shown)
            yield from () if block is None else (block,)
        elif name in _LISTS:
            yield from self.blocks(node.nodelist, "item", level + 1)
        elif name not in _SKIPPED:
            yield from self.blocks(node.nodelist, "item" if level else "paragraph", level)

    def _rows(self, nodes: list[LatexNode], start: int) -> tuple[tuple[Cell, ...], ...]:
        """Return the rows of a table: those above the first rule between rows are its headings."""
        row: list[tuple[Nodes, int]] = []
        cell: list[LatexNode] = []
        across, at, heads = 1, 0, 0
        laid: list[list[Cell]] = []

        def end_row() -> None:
            nonlocal row, cell, across
            row.append((cell, across))
            if any(self._text(each).strip() for each, _ in row):
                laid.append(self._laid(row, start))
            row, cell, across = [], [], 1

        while at < len(nodes):
            node = nodes[at]
            at += 1
            if isinstance(node, LatexSpecialsNode) and node.specials_chars == "&":
                row.append((cell, across))
                cell, across = [], 1
            elif isinstance(node, LatexMacroNode) and node.macroname in {"\\", "tabularnewline", "cr"}:
                end_row()
            elif isinstance(node, LatexMacroNode) and node.macroname in {"multicolumn", "multirow"}:
                (count, _, content), at = _arguments(nodes, at, node, 3)
                if node.macroname == "multicolumn":
                    digits = self._text(count).strip()
                    across = min(int(digits), MOST_SPAN) if digits.isdecimal() and len(digits) < 5 else 1
                cell += content
            elif isinstance(node, LatexMacroNode) and node.macroname in _EMPTY:
                heads = len(laid) if node.macroname in _RULES and not heads and laid else heads
                for _ in range(_ARGUMENTS.get(node.macroname, 0)):
                    _, at = _argument(nodes, at, node)
            elif not isinstance(node, LatexCommentNode):
                cell.append(node)
        end_row()
        return tuple(
            tuple(Cell(each.text, each.place, index < max(heads, 1)) for each in cells)
            for index, cells in enumerate(laid)
        )

    def _laid(self, row: Sequence[tuple[Nodes, int]], start: int) -> list[Cell]:
        found: list[Cell] = []
        last = self._lines.piece(start, start + 1).place(0)
        for cell, across in row:
            nodes = list(dropwhile(_is_blank, cell))
            if nodes:
                piece = self._lines.piece(*_extent(nodes))
                last = piece.place(len(piece.text) - len(piece.text.lstrip()) if piece.text.strip() else 0)
            found += [Cell(one_line(self._text(nodes)), last)] * across
        return found


def _linked(macro: LatexMacroNode, l2tobj: LatexNodes2Text) -> str:
    """Return the words of a link; none where the source ends before them, or they follow as a group of their own."""
    own = [each for each in macro.nodeargd.argnlist if each] if macro.nodeargd is not None else []
    return str(l2tobj.nodelist_to_text(own[1:2]))


def _is_blank(node: LatexNode) -> bool:
    return isinstance(node, LatexCharsNode) and not node.chars.strip()


def _parted(node: LatexCharsNode) -> Iterator[LatexCharsNode]:
    """Yield characters by the blank lines among them."""
    at = 0
    for end in [*(match.start() for match in _BLANK_LINE.finditer(node.chars)), len(node.chars)]:
        text = node.chars[at:end]
        yield LatexCharsNode(text, parsing_state=node.parsing_state, pos=node.pos + at, len=len(text))
        at = end


def _extent(nodes: Nodes) -> tuple[int, int]:
    return nodes[0].pos, nodes[-1].pos + nodes[-1].len


def _argument(nodes: Nodes, at: int, macro: LatexMacroNode) -> tuple[list[LatexNode], int]:
    """Return the nodes of a macro's last argument, and the index behind it: it has it, or it follows in braces."""
    (found,), at = _arguments(nodes, at, macro, 1)
    return found, at


def _arguments(nodes: Nodes, at: int, macro: LatexMacroNode, count: int) -> tuple[list[list[LatexNode]], int]:
    own: list[Any] = [each for each in (macro.nodeargd.argnlist or ()) if each] if macro.nodeargd is not None else []
    found = [list(each.nodelist) if isinstance(each, LatexGroupNode) else [each] for each in own]
    while len(found) < count and at < len(nodes):
        node = nodes[at]
        blank = _is_blank(node)
        optional = isinstance(node, LatexCharsNode) and node.chars.lstrip()[:1] in {"[", "(", "*", "="}
        if isinstance(node, LatexGroupNode):
            found.append(list(node.nodelist))
        elif not (blank or optional):
            break
        at += 1
    return [*found[-count:], *[[] for _ in range(count - len(found))]], at
