"""PDF by PDFium: the characters of each page with their boxes. Nothing is run, opened or fetched."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from ....schemas.errors import UserError
from .blocks import Written
from .layout import Page, Segment, laid_out

MOST_PAGES = 400
MOST_CHARACTERS = 100_000
"""Of a page."""
WORD_GAP, SEGMENT_GAP = 0.17, 0.8
"""Of the size of a letter: blank space that parts words, and that parts what stands side by side."""
HYPHEN = 2
"""What PDFium writes for one that parts a word at the end of a line."""
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "\u00ad": "-", "\u00a0": " "})


def read(data: bytes) -> Written:
    """Return the document that the bytes of a PDF are.

    Raises:
        UserError: it is encrypted or broken.
    """
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        said = str(error).casefold()
        if "password" in said:
            raise UserError("this PDF asks for a password", "save it without one") from None
        raise UserError("this PDF is broken or cut off", "save it again, or hand in its text") from None
    pages, unread = [], []
    for number in range(1, min(len(document), MOST_PAGES) + 1):
        page = document[number - 1]
        width, height = page.get_size()
        segments = tuple(_segments(page.get_textpage(), height))
        pages.append(Page(number, width, height, segments))
        if not segments:
            unread.append(f"page {number}: no text, an empty page or a scanned image")
    if len(document) > MOST_PAGES:
        unread.append(f"pages beyond the first {MOST_PAGES}")
    return Written("pdf", laid_out(pages), tuple(unread))


class _Character:
    """One character: what it is, its box from the upper left corner, its baseline and its size."""

    __slots__ = ("base", "bottom", "left", "right", "sign", "size", "top")

    def __init__(self, sign: str, box: tuple[float, float, float, float], base: float, size: float) -> None:
        self.sign, self.base, self.size = sign, base, size
        self.left, self.top, self.right, self.bottom = box


def _segments(text: Any, height: float) -> Iterator[Segment]:
    """Yield what stands on one line without a wide gap, in the order in which the page draws it."""
    held: list[_Character] = []
    blank = False
    for each in _characters(text, height):
        if each.sign.isspace():
            blank = True
            continue
        if held and not _goes_on(held[-1], each) and not _is_ligature(held[-1], each):
            yield _segment(held)
            held = []
        elif held and _is_ligature(held[-1], each):
            blank = False
        elif held and (blank or each.left - held[-1].right > WORD_GAP * each.size):
            each.sign = " " + each.sign
        held.append(each)
        blank = False
    if held:
        yield _segment(held)


def _is_ligature(last: _Character, each: _Character) -> bool:
    """Whether two characters are drawn as one sign, in one box."""
    return abs(each.left - last.left) + abs(each.right - last.right) < 0.1 * each.size


def _goes_on(last: _Character, each: _Character) -> bool:
    size = max(last.size, each.size)
    gap = each.left - last.right
    return abs(each.base - last.base) < 0.45 * size and -0.6 * size < gap < SEGMENT_GAP * size


def _segment(held: list[_Character]) -> Segment:
    sizes = sorted(each.size for each in held)
    size = sizes[len(sizes) // 2]
    base = sorted(each.base for each in held)[len(held) // 2]
    text = "".join(each.sign for each in held).translate(_LIGATURES)
    left, right = min(each.left for each in held), max(each.right for each in held)
    return Segment(text, left, base - size * 0.8, right, base + size * 0.2, base, size)


def _characters(text: Any, height: float) -> Iterator[_Character]:
    """Yield the characters of a page that stand upright."""
    box, x, y = pdfium.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
    for index in range(min(text.count_chars(), MOST_CHARACTERS)):
        code = pdfium.FPDFText_GetUnicode(text, index)
        code = ord("-") if code == HYPHEN else code
        if code < 32 or code in {0xFFFE, 0xFFFF} or 0xD800 <= code < 0xE000:
            continue
        sign = chr(code)
        if sign.isspace():
            yield _Character(sign, (0, 0, 0, 0), 0, 0)
            continue
        if not -0.2 < pdfium.FPDFText_GetCharAngle(text, index) < 0.2:
            continue
        pdfium.FPDFText_GetLooseCharBox(text, index, ctypes.byref(box))
        pdfium.FPDFText_GetCharOrigin(text, index, ctypes.byref(x), ctypes.byref(y))
        size = pdfium.FPDFText_GetFontSize(text, index)
        # some files scale a font of size 1
        size = size if size >= 2 else max(box.top - box.bottom, 2.0)
        yield _Character(sign, (box.left, height - box.top, box.right, height - box.bottom), height - y.value, size)
