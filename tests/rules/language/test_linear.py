"""Time grows with the length of a text and no faster, whatever it is made of; a page is read at once."""

import gc
import time

import pytest
from dlaudit.rules.language.reading import Reading

HOSTILE = {
    "dashes": "-", "digits": "9", "parentheses": "(", "closed": "()", "commas": ",", "numbers and commas": "1,",
    "x-chain": "8x", "spaces": " ", "lines": "\n", "names": "A100 ", "long names": "NVIDIA Tesla ",
    "than": "than ", "factors": "2x ", "accumulation": "gradient accumulation ", "percent": "3% ", "points": ".",
    "dollars": "$", "backslashes": "\\", "less": "<a ", "brackets": "[1,", "underscores": "_", "powers": "2^",
    "ranges": "1-", "and": "1 and ", "faster": "faster ", "not": "not ", "ampersands": "&", "to": "3 to ",
    "per": "GB per ", "hours": "3 h ", "stars": "*", "words": "word ", "half": "half the ",
    "equal": "batch size = ", "colons": "1:", "as fast as": "as fast as ", "links": "](", "letters": "a",
    "slashes": "/", "minus": "- 1 ", "contrasts": "not 8. ", "hyphened": "8 a-b-c ", "repeated": "two (2) ",
    "asides": "for batch size is 8 ", "products": "8 x 8 = ", "plurals": "8 odd layouts ",
}  # fmt: skip
NAMES = list(HOSTILE)
GROUPS = [NAMES[at : at + 3] for at in range(0, len(NAMES), 3)]
"""Texts that are read one behind the other: what grows faster in one of them grows so in all."""
SHORT, LONG = 4_000, 32_000
GROWTH = 2.3
DOUBLINGS = 3
LEAST_S = 0.004
ATTEMPTS = 3
"""A quadratic reading fails them all; a neighbour on the processor disturbs one."""


def seconds(text, times):
    best = float("inf")
    for _ in range(times):
        begin = time.process_time()
        reading = Reading(text)
        _ = reading.comparisons(), reading.stance, reading.names(), reading.unbound(), reading.has("within_noise")
        best = min(best, time.process_time() - begin)
    return best


def filled(names, size):
    each = size // len(names)
    return "".join((HOSTILE[name] * each)[:each] for name in names)


@pytest.mark.parametrize("names", GROUPS, ids="+".join)
def test_time_grows_with_length(names):
    gc.collect()
    gc.disable()
    try:
        growths = (
            seconds(filled(names, LONG), 1) / max(seconds(filled(names, SHORT), 2), LEAST_S) for _ in range(ATTEMPTS)
        )
        assert any(growth < GROWTH**DOUBLINGS for growth in growths)
    finally:
        gc.enable()


def test_a_page_is_read_at_once():
    sentence = "On 8 A100 80GB GPUs our kernel is 2.1x faster than cuBLAS and cuts memory by 30 % at batch size {}. "
    page = "".join(sentence.format(k) for k in range(31))[:3000]
    Reading(page).comparisons()
    assert seconds(page + " ", 5) < 0.08
