"""Tokens: numbers as printed, words, signs and links; each knows its place and whether a space precedes it.

What is glued decides what a number is: `8xA100` are eight, `A100` is a name, `1h23m` is a duration, `8k-16k` a range.
A number that belongs to an identifier is `fixed`: nothing is counted by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from ...schemas.pattern import Pattern
from . import lexicon
from .text import THIN, Text

NUMBER, WORD, SIGN, LINK, BREAK = "number", "word", "sign", "link", "break"
MOST_DIGITS = 40
WIDE = "\u2e80"
"""From here on characters are those of scripts without blanks: a word of these does not go on with Latin letters."""
_LONG_SIGNS = ("+/-", "-->", "->", "=>", "<=", ">=", "==", "..", "+-", "~=")
_BULLETS = "-*•+#|>"
_URL_ENDS = " )]>\"'\n|" + THIN
_WHITE = " \n" + THIN
_PARTED = Pattern(r"[1-9][0-9]{0,2}(?P<groups>(?: [0-9]{3})+)(?P<decimals>\.[0-9]+)?(?![0-9]|[.,][0-9]| [0-9])")
"""Groups of three digits that blanks part: "668 734 693.88"; a list of sizes may look the same."""


class Place(Struct, frozen=True):
    """A piece of a text.

    Attributes:
        first: first token.
        last: token after the last one.
        start: first place in the source.
        end: place after the last one.
    """

    first: int
    last: int
    start: int
    end: int

    @property
    def span(self) -> tuple[int, int]:
        """The place in the source."""
        return self.start, self.end


def over(tokens: Sequence[Token], first: int, last: int) -> tuple[int, int, int, int]:
    """Return the fields of the place of some tokens."""
    return first, last, tokens[first].start, tokens[last - 1].end


class Token(Struct, frozen=True):
    """One token.

    Attributes:
        kind: number, word, sign, link, or the break between two blocks of text.
        text: its normalised characters.
        low: the same in lower case.
        start: first place in the source.
        end: place after the last one.
        gap: whether a space stands before it.
        value: value of a number; None for a version such as 1.2.3.
        fixed: whether a number belongs to an identifier or a date.
    """

    kind: str
    text: str
    low: str
    start: int
    end: int
    gap: bool
    value: Decimal | None = None
    fixed: bool = False

    @property
    def counts(self) -> bool:
        """Whether it is a number that may have a meaning of its own."""
        return self.kind == NUMBER and not self.fixed and self.value is not None


class Tokens(tuple[Token, ...]):
    """The tokens of a text; what is asked of a place outside the text is empty or false."""

    __slots__ = ()

    def low(self, at: int) -> str:
        """Return a token's characters in lower case."""
        return self[at].low if 0 <= at < len(self) else ""

    def kind(self, at: int) -> str:
        """Return a token's kind."""
        return self[at].kind if 0 <= at < len(self) else ""

    def glued(self, at: int) -> bool:
        """Whether a token stands directly behind the one before it."""
        return 0 <= at < len(self) and not self[at].gap

    def past_words(self, at: int, most: int) -> int:
        """Return the place behind so many words from one on; "state-of-the-art" is one word."""
        last = at
        while last < len(self) and (most > 0 or self._joined(last)):
            most -= not (last > at and self._joined(last))
            last += 1
        return last

    def _joined(self, at: int) -> bool:
        """Whether a token is of one word with the one before it."""
        return self.glued(at) and "-" in (self.low(at), self.low(at - 1))

    def counts(self, at: int) -> bool:
        """Whether a token is a number that may have a meaning of its own."""
        return 0 <= at < len(self) and self[at].counts

    def lows(self, first: int, last: int) -> list[str]:
        """Return the tokens of a stretch in lower case."""
        return [token.low for token in self[max(0, first) : max(0, last)]]


def tokenise(text: Text) -> Tokens:
    """Return the tokens of a text."""
    plain, size = text.plain, len(text.plain)
    found: list[Token] = []
    at, gap = 0, True
    while at < size:
        start = at
        while at < size and plain[at] in _WHITE:
            at += 1
        if at > start:
            gap = True
            if _is_break(plain, start, at) and found:
                found.append(Token(BREAK, "\n", "\n", text.place(start), text.place(at - 1) + 1, True))
            continue
        kind, end, value = _scan(plain, at, not gap and bool(found) and found[-1].kind == NUMBER, gap)
        piece = plain[at:end]
        found.append(Token(kind, piece, piece.lower(), text.place(at), text.place(end - 1) + 1, gap, value))
        at, gap = end, False
    return Tokens(_with_fixed(found))


def _is_break(plain: str, start: int, end: int) -> bool:
    """Whether white space parts two blocks: an empty line, or a line before a bullet, a heading or a row."""
    lines = plain.count("\n", start, end)
    if lines == 0 or end >= len(plain):
        return lines > 1
    if lines > 1 or (plain[end] in _BULLETS and plain[end + 1 : end + 2] in (" ", "#", "|")):
        return True
    digits = end
    while digits - end < 3 and plain[digits : digits + 1].isdigit():
        digits += 1
    return digits > end and plain[digits : digits + 2] in (". ", ") ")


def _scan(plain: str, at: int, after_number: bool, gap: bool) -> tuple[str, int, Decimal | None]:
    """Return the kind, the end and the value of the token at a place."""
    c = plain[at]
    if c == "h" and plain.startswith(("http://", "https://"), at):
        return LINK, next((k for k in range(at, len(plain)) if plain[k] in _URL_ENDS), len(plain)), None
    if (c.isdigit() and c.isascii()) or (c == "." and gap and plain[at + 1 : at + 2].isdigit()):
        end, value = _number(plain, at)
        return NUMBER, end, value
    if c == "'" and plain[at + 1 : at + 2] == "s" and not plain[at + 2 : at + 3].isalnum() and not gap:
        return WORD, at + 2, None
    if c.isalpha() or c in "°µ":
        return WORD, _word_end(plain, at, after_number), None
    long = next((sign for sign in _LONG_SIGNS if plain.startswith(sign, at)), c)
    return SIGN, at + len(long), None


def _word_end(plain: str, at: int, after_number: bool) -> int:
    if after_number and plain[at] in "xX" and _is_times(plain, at):
        return at + 1
    end = at
    wide = plain[at] >= WIDE
    while end < len(plain) and (plain[end].isalpha() or plain[end] in "'°µ") and (plain[end] >= WIDE) == wide:
        end += 1
    while end > at + 1 and plain[end - 1] == "'":
        end -= 1
    if plain[at:end].endswith("'s") and end - at > 2 and not plain[at:end].isupper():
        end -= 2
    if end - at > 3 and plain[end - 1] in "vV" and plain[end : end + 1].isdigit():
        end -= 1
    return max(end, at + 1)


def _is_times(plain: str, at: int) -> bool:
    """Whether an x glued to a number is a sign of its own: 3x, 8xA100, 8xh100, 4xGPU; not the one of 24xlarge."""
    rest = plain[at + 1 : at + 5]
    if not rest[:1].islower():
        return True
    return rest[1:2].isdigit() or rest.lower().startswith(tuple(lexicon.words("numbers", "after_times")))


def _number(plain: str, at: int) -> tuple[int, Decimal | None]:
    """Return the end and the value of the digits at a place; a version or a monster has no value."""
    if (parted := _parted(plain, at)) is not None:
        return parted
    end, whole = _digits(plain, at)
    if "." in whole.partition(",")[0] and "," in whole:
        return end, Decimal(whole.replace(".", "").replace(",", "."))
    if whole.count(".") > 1:
        head, *groups = whole.split(".")
        grouped = 0 < len(head) <= 3 and all(len(group) == 3 for group in groups) and "," not in whole
        if not grouped or (len(groups) == 2 and head == "0"):
            return end, None
        whole = head + "".join(groups)
    if len(whole) > MOST_DIGITS:
        return end, None
    decimal = whole.count(",") == 1 and "." not in whole and not _grouped(whole)
    number = whole.replace(",", "." if decimal else "")
    if plain[end : end + 1] in ("e", "E") and not plain[max(0, at - 1) : at].isalpha():
        return _exponent(plain, end, number)
    return end, Decimal(number)


def _parted(plain: str, at: int) -> tuple[int, Decimal] | None:
    """Return the end and the value of a number whose thousands blanks part; None where it may be several numbers.

    It is one where a group begins with a zero, where a sign of a factor is glued to it, or where it alone has decimals
    and stands behind several groups or a sign: "160 000", "1 250x", "= 4 166.67".
    """
    found = _PARTED.match(plain, at)
    before = plain[max(0, at - 3) : at].rstrip()[-1:]
    if found is None or before.isdigit() or before == ",":
        return None
    groups, end = found["groups"].split(), found.end()
    times = plain[end : end + 1] in ("x", "×") and end < len(plain) and not plain[end + 1 : end + 2].isalnum()
    decimal = found["decimals"] is not None and (len(groups) > 1 or before in ("=", "~", "≈", "("))
    if not (times or decimal or any(group.startswith("0") for group in groups)):
        return None
    return end, Decimal(found[0].replace(" ", ""))


def _digits(plain: str, at: int) -> tuple[int, str]:
    """Return the digits at a place with their separators: 1,200 / 1.2 / 1 200 (thin space) / 3,2."""
    out: list[str] = []
    end, size = at, len(plain)
    while end < size:
        c = plain[end]
        if c.isdigit() and c.isascii():
            out.append(c)
        elif c in ",_'" + THIN and out and "." not in out and _three(plain, end + 1):
            if c == ",":
                out.append(c)
        elif c == "," and out and _decimal_comma(plain, at, end) and ("." not in out or _pointed(out, plain, end)):
            if "," in out:
                break
            out.append(c)
        elif c == "." and plain[end + 1 : end + 2].isdigit() and not ("," in out and "." in out):
            out.append(c)
        else:
            break
        end += 1
        if end - at > 4 * MOST_DIGITS and len(out) > MOST_DIGITS:
            while end < size and plain[end].isdigit():
                end += 1
            break
    return end, "".join(out)


def _pointed(out: list[str], plain: str, comma: int) -> bool:
    """Whether points group the digits before a decimal comma: 1.231,5 but not the list 1.250,1.500 or 0.125,5."""
    head, *groups = "".join(out).split(".")
    few = not plain[comma + 3 : comma + 4].isdigit() and plain[comma + 2 : comma + 3] != "."
    return 0 < len(head) <= 3 and head != "0" and all(len(group) == 3 for group in groups) and few


def _three(plain: str, at: int) -> bool:
    return plain[at : at + 3].isdigit() and len(plain[at : at + 3]) == 3 and not plain[at + 3 : at + 4].isdigit()


def _grouped(whole: str) -> bool:
    head, *groups = whole.split(",")
    return len(head) <= 3 and all(len(group) == 3 for group in groups) and head != "0"


def _decimal_comma(plain: str, start: int, at: int) -> bool:
    """Whether a comma between digits marks decimals, as in German: 3,2x but not the list 1,2,4."""
    end = at + 1
    while end < len(plain) and plain[end].isdigit() and end - at < 4:
        end += 1
    if end == at + 1 or end - at > 3 or plain[end : end + 1] == ",":
        return False
    return not (start and plain[start - 1] in ",[")


def _exponent(plain: str, end: int, number: str) -> tuple[int, Decimal]:
    last = end + 1 + (plain[end + 1 : end + 2] in ("+", "-"))
    begin = last
    while last < len(plain) and plain[last].isdigit() and last - begin < 3:
        last += 1
    if last == begin or last - begin > 2 or plain[last : last + 1].isalnum():
        return end, Decimal(number)
    return last, Decimal(number + "E" + plain[end + 1 : last])


def _with_fixed(found: list[Token]) -> list[Token]:
    """Mark the numbers that belong to identifiers and dates."""
    _mark_dates(found)
    for at, token in enumerate(found):
        if token.kind == NUMBER and not token.fixed and (_opens if token.gap else _belongs)(found, at):
            found[at] = replace(token, fixed=True)
    return found


def _mark_dates(found: list[Token]) -> None:
    for at in range(len(found) - 4):
        part = found[at : at + 5]
        if part[0].kind != NUMBER or part[1].text not in ("-", "/", ".") or part[1].text != part[3].text:
            continue
        glued = not any(t.gap for t in part[1:]) and part[2].kind == part[4].kind == NUMBER
        if glued and 4 in (len(part[0].text), len(part[4].text)):
            found[at : at + 5] = [replace(token, fixed=True) for token in part]


def _opens(found: list[Token], at: int) -> bool:
    """Whether an identifier begins with a number: 1b_lyrics, 2d_conv."""
    glued = [t.gap for t in found[at + 1 : at + 4]] == [False] * 3
    return glued and (found[at + 1].kind, found[at + 2].text) == (WORD, "_")


def _belongs(found: list[Token], at: int) -> bool:
    """Whether a number glued to what stands before it is part of an identifier: A100, ResNet-50, p99, k+1."""
    before = found[at - 1]
    earlier = found[at - 2] if at > 1 else None
    if before.kind == WORD:
        if before.text[0] >= WIDE:
            return False
        after_number = earlier is not None and earlier.kind == NUMBER and not before.gap and not earlier.fixed
        if before.low in lexicon.words("numbers", "time_marks") and after_number:
            return False
        opened = before.gap or (earlier is not None and earlier.text == "(")
        return found[at].text == "86" or not (before.low in ("x", "×") and (opened or after_number))
    if earlier is None or before.gap:
        return before.text == "#"
    if before.text in ("+", "*", "^"):
        measured = at > 2 and found[at - 3].kind == NUMBER and not earlier.gap and not found[at - 3].fixed  # "80GB*8"
        return earlier.kind == WORD and not measured
    if before.text in ("@", "#"):
        return earlier.kind == WORD
    return before.text in ("-", ".", "_", "/") and _chained(found, at, before, earlier)


def _chained(found: list[Token], at: int, before: Token, earlier: Token) -> bool:
    if earlier.low in lexicon.words("numbers", "open_prefixes"):
        return False
    if earlier.kind == NUMBER:
        signed = before.text == "-" and at > 2 and found[at - 3].kind == SIGN
        signed = signed and (at == 3 or found[at - 3].gap or found[at - 4].kind != WORD)  # "FooVL-2-7B"
        return earlier.fixed and before.text != "/" and not signed
    if earlier.kind != WORD:
        return False
    scaled = at > 2 and found[at - 3].kind == NUMBER and not earlier.gap and not found[at - 3].fixed
    if scaled and before.text == "-":
        measures = earlier.low in lexicon.table("units")["plain"]
        return len(earlier.text) > 2 and not measures
    return before.text != "/" or (at > 2 and found[at - 3].fixed)
