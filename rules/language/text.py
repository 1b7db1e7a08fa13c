"""Normalised characters of a text, each with its place in the source.

Typography is undone, look-alikes of Latin letters are read as these, and marks that only format are dropped: ligatures,
soft hyphens, full-width forms, Markdown bold and code marks, HTML tags, the addresses of links, LaTeX signs. What is
read is plain; what is quoted is the source.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from msgspec import Struct

from ...schemas.pattern import Pattern
from ..caching import remembered

THIN = "\u2009"
"""A space that may stand inside a number."""
_LONGEST_TAG, _LONGEST_ADDRESS, _LONGEST_FORMULA, _LONGEST_ENTITY = 300, 400, 120, 10


class Text(Struct, frozen=True):
    """A text as it is read.

    Attributes:
        source: the text as it was given.
        plain: its normalised characters.
        places: for each normalised character, its place in the source; empty where they are equal.
    """

    source: str
    plain: str
    places: tuple[int, ...]

    def place(self, at: int) -> int:
        """Return the place in the source of a normalised character."""
        if not self.places:
            return at
        return self.places[at] if at < len(self.places) else len(self.source)


@cache
def _same_length() -> dict[int, str]:
    """Return the characters that are replaced by one other character."""
    groups = {
        "-": "\u2010\u2011\u2212\ufe63\uff0d",
        "–": "\u2012\u2013",
        THIN: "\u00a0\u2007\u2009\u200a\u202f",
        " ": "\t\r\u000b\u000c\u2002\u2003\u2004\u2005\u2006\u2008\u3000",
        "×": "\u2715\u2716\u2a09",
        "*": "\u22c5",
        "'": "\u2018\u2019\u02bc\u00b4",
        '"': "\u201c\u201d\u201e\u00ab\u00bb",
        "µ": "\u03bc",
        "~": "\u223c\u2248\u2243\u2245",
        "≤": "\u2a7d\u2266",
        "≥": "\u2a7e\u2267",
        "→": "\u21d2\u27a1\u279c\u2794\u2b95\u27f6",
        "|": "\u2502\u2503\uff5c",
    }
    table = {ord(c): to for to, members in groups.items() for c in members}
    table.update({code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)})
    return table


_LOOK_ALIKES = {
    "A": "АΑ", "B": "ВΒ", "C": "СϹ", "E": "ЕΕ", "F": "Ϝ", "G": "Ԍ", "H": "НΗ", "I": "ІΙӀ", "J": "ЈͿ", "K": "КΚ",
    "M": "МΜ", "N": "Ν", "O": "ОΟ", "P": "РΡ", "Q": "Ԛ", "S": "Ѕ", "T": "ТΤ", "V": "Ѵ", "W": "Ԝ", "X": "ХΧ",
    "Y": "ҮΥ", "Z": "Ζ", "a": "а", "c": "сϲ", "d": "ԁ", "e": "е", "h": "һ", "i": "і", "j": "јϳ", "l": "ӏ", "o": "оο",
    "p": "р", "q": "ԛ", "s": "ѕ", "v": "ѵ", "w": "ԝ", "x": "х", "y": "уү",
}  # fmt: skip
"""Cyrillic and Greek letters that are printed as a Latin one is; of small Greek letters the formulas have none."""
_LATIN = {ord(letter): latin for latin, letters in _LOOK_ALIKES.items() for letter in letters}
_WORD = Pattern(r"[^\W_]+")


def latin(source: str) -> str:
    """Return a text with Latin letters for look-alikes, in words that are none of another script: "ВF16", "А100"."""
    return source if source.isascii() else _WORD.sub(lambda word: _latin_word(word[0]), source)


def _latin_word(word: str) -> str:
    told = word.translate(_LATIN)
    return told if told.isascii() and any(character.isascii() for character in word) else word


_HIDDEN = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff")
"""Characters that are not seen where they stand in a word."""


@remembered(1024)
def seen(source: str) -> str:
    """Return a name as it looks: look-alikes of any word as Latin letters, full-width forms and dashes plain."""
    if source.isascii():
        return source
    plain = "".join(character for character in source if character not in _HIDDEN)
    return plain.translate(_LATIN).translate(_same_length()).replace(THIN, " ")


def disguised(source: str) -> str:
    """Return the first character of a name that is not what it looks like beside its neighbours; empty where none is.

    That is a look-alike in a word of Latin letters or digits, or a character that is not seen.
    """
    if source.isascii():
        return ""
    hidden = next((character for character in source.strip("\ufeff") if character in _HIDDEN), "")
    return hidden or next((old for old, new in zip(source, latin(source), strict=True) if old != new), "")


_DROPPED = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\ufeff®™`")
_SUPERSCRIPT = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
_SUBSCRIPT = dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
_FRACTION = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅛": "1/8"}
_LIGATURE = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "…": "...", "㎐": "Hz", "℃": "°C"}
_SPECIAL = frozenset("<*_\\$[]&(^") | _DROPPED | set(_SUPERSCRIPT) | set(_SUBSCRIPT) | set(_FRACTION) | set(_LIGATURE)
_PICTURE = Pattern("[\U0001f000-\U0001faff\u26a1\u2728\u2b50\ufe0f]")
"""What only decorates: "3x 🎉 faster"."""
_ESCAPABLE = frozenset("%$_#&*{}~^-+.()[]|<>!`")
_MARKS = ("(R)", "(r)", "(TM)", "(tm)")
_COMMANDS = {
    "times": "×", "approx": "~", "sim": "~", "pm": "±", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "cdot": "*",
    "to": "→", "rightarrow": "→", "mu": "µ", "textbf": "", "textit": "", "text": "", "mathrm": "", "mathbf": "",
    "emph": "", "texttt": "", "underline": "", "bf": "", "left": "", "right": "", "quad": " ", "ll": "<", "gg": ">",
    "uparrow": "↑", "downarrow": "↓", "Delta": "Δ", "percent": "%", "textsc": "", "mathbb": "", "mathcal": "",
}  # fmt: skip
_ENTITIES = {
    "&times;": "×", "&nbsp;": THIN, "&lt;": "<", "&gt;": ">", "&amp;": "&", "&plusmn;": "±", "&ndash;": "–",
    "&mdash;": "—", "&le;": "≤", "&ge;": "≥", "&micro;": "µ", "&asymp;": "~", "&rarr;": "→", "&thinsp;": THIN,
}  # fmt: skip


def normalised(source: str) -> Text:
    """Return a text with plain characters."""
    plain = source if source.isascii() else _PICTURE.sub(" ", latin(source).translate(_same_length()))
    if _SPECIAL.isdisjoint(plain) and (plain.isascii() or unicodedata.is_normalized("NFC", plain)):
        return Text(source, plain.replace("\t", " ").replace("\r", " "), ())
    return _Walk(source, plain).text()


class _Walk:
    """One pass over a text with marks; what is put out keeps its place."""

    def __init__(self, source: str, plain: str) -> None:
        self._source, self._plain = source, plain
        self._out: list[str] = []
        self._places: list[int] = []
        self._formula_ends = _formula_marks(plain)
        self._emphasis = False

    def text(self) -> Text:
        at, size = 0, len(self._plain)
        while at < size:
            character = self._plain[at]
            if character in _SPECIAL:
                at = self._special(at, character)
            else:
                self._put(" " if character in "\t\r" else character, at)
                at += 1
        return Text(self._source, "".join(self._out), tuple(self._places))

    def _put(self, characters: str, at: int) -> None:
        self._out.extend(characters)
        self._places.extend([at] * len(characters))

    def _special(self, at: int, c: str) -> int:
        """Read what begins with a special character; return the place after it."""
        if c == "<":
            end = _tag_end(self._plain, at)
            return self._raised(at, end) if self._plain[at:end] == "<sup>" else self._tagged(at, end)
        if c in "\\&":
            return self._command(at) if c == "\\" else self._entity(at)
        if c == "]" and self._plain.startswith("](", at):
            end = self._plain.find(")", at, at + _LONGEST_ADDRESS)
            self._put("]", at)
            return end + 1 if end > 0 else at + 2
        if c == "(" and (mark := next((m for m in _MARKS if self._plain.startswith(m, at)), "")):
            return at + len(mark)
        if not self._is_mark(at, c):
            self._put(self._replaced(at, c), at)
        return at + 1

    def _tagged(self, at: int, end: int) -> int:
        self._put(" " if end > at + 1 else self._plain[at], at)
        return end

    def _raised(self, at: int, end: int) -> int:
        """Read digits that are raised: a power behind a number, else the mark of a footnote."""
        close = self._plain.find("</sup>", end, end + _LONGEST_ENTITY)
        digits = self._plain[end:close] if close > 0 else ""
        if not digits.isdigit():
            return self._tagged(at, end)
        begin = at
        while begin and at - begin < _LONGEST_ENTITY and self._plain[begin - 1].isalnum():
            begin -= 1
        self._put("^" + digits if self._plain[begin:at].isdigit() else " ", at)
        return close + len("</sup>")

    def _is_mark(self, at: int, c: str) -> bool:
        """Whether a character only formats: bold, code, the dollar of a formula, an invisible one."""
        before = self._plain[at - 1] if at else " "
        after = self._plain[at + 1] if at + 1 < len(self._plain) else " "
        if c in _DROPPED:
            return True
        if c == "$":
            return at in self._formula_ends
        if c == "*":
            opens, closes = before in " \n(|" and after.isalnum(), before.isalnum() and not after.isalnum()
            ended, self._emphasis = self._emphasis and closes, opens or (self._emphasis and not closes)
            return "*" in (before, after) or opens or ended
        if c == "_":
            return (before in " \n(|_*" and (after.isalpha() or after in "*_~")) or (
                after in " \n|).,:;_*" and (before.isalpha() or before in "*_")
            )
        return False

    def _replaced(self, at: int, c: str) -> str:
        before = self._plain[at - 1] if at else " "
        if c in _SUPERSCRIPT:
            return _SUPERSCRIPT[c] if before in _SUPERSCRIPT else "^" + _SUPERSCRIPT[c]
        return _SUBSCRIPT.get(c) or _FRACTION.get(c) or _LIGATURE.get(c) or c

    def _command(self, at: int) -> int:
        """Read a LaTeX command or an escaped sign."""
        plain, end = self._plain, at + 1
        if end < len(plain) and not plain[end].isalpha():
            if plain[end] in ",;: ":
                self._put(THIN if plain[end] != " " else " ", at)
            elif plain[end] in _ESCAPABLE:
                self._put(plain[end], end)
            else:
                self._put("\\", at)
                return at + 1
            return end + 1
        while end < len(plain) and end - at < 20 and plain[end].isalpha() and plain[end].isascii():
            end += 1
        if plain[at + 1 : end] not in _COMMANDS:
            self._put("\\", at)
            return at + 1
        self._put(_COMMANDS[plain[at + 1 : end]], at)
        ends_command = plain[end : end + 1] == " " and plain[at - 1 : at].isdigit()  # the space of "3\\times 3"
        return end + ends_command

    def _entity(self, at: int) -> int:
        end = self._plain.find(";", at, at + _LONGEST_ENTITY) + 1
        known = _ENTITIES.get(self._plain[at:end]) if end else None
        self._put(known or "&", at)
        return end if known else at + 1


def _tag_end(plain: str, at: int) -> int:
    """Return the end of a tag or comment that opens at a place, else the next place."""
    following = plain[at + 1 : at + 2]
    if following.isalpha() or following in ("/", "!"):
        end = plain.find(">", at, at + _LONGEST_TAG)
        if end > 0 and "<" not in plain[at + 1 : end] and (following == "!" or _names_a_tag(plain[at + 1 : end])):
            return end + 1
    return at + 1


def _names_a_tag(inside: str) -> bool:
    """Whether one word stands between "<" and ">", or a word with attributes: not "<Python + YOLO, 13 FPS>"."""
    _, _, attributes = inside.partition(" ")
    return not attributes.strip() or attributes.strip()[0].isalpha() or attributes.strip() == "/"


def _formula_marks(plain: str) -> frozenset[int]:
    """Return the places of the dollars that enclose formulas; the others are money."""
    marks: set[int] = set()
    at = plain.find("$")
    while at >= 0:
        end = plain.find("$", at + 1, at + _LONGEST_FORMULA)
        inside = plain[at + 1 : end] if end > 0 else ""
        if end > 0 and "\n\n" not in inside and _is_formula(inside, plain[end + 1 : end + 2]):
            marks |= {at, end}
            at = plain.find("$", end + 1)
        else:
            at = plain.find("$", at + 1)
    return frozenset(marks)


def _is_formula(inside: str, after: str) -> bool:
    if not inside or inside[:1] == " " or inside[-1:] == " " or (after.isdigit() and inside[0] != "\\"):
        return not inside
    return "\\" in inside or "^" in inside or "=" in inside or " " not in inside
