"""Words of headings: those of other languages in English, and the names of qualities."""

from __future__ import annotations

import re
from functools import lru_cache

from ....rules.language import lexicon
from ....schemas.pattern import Pattern

_AP = (
    r"\bm?ap(?:50|75|@[0-9.:]+|[sml])?(?:[- ]?val(?:idation)?)?\b"
    r"(?!-(?![sml]\b)[a-z]| (?!(?:at|on|for|of|in|with|from|after|before|drop|loss|delta|diff|change|gain|score|metric|"
    r"iou|avg|mean|b?box|mask|segm|(?:val|test|dev|train)[0-9-]*(?:dev)?|coco|lvis|voc|small|medium|large|rare|common|"
    r"fp16|fp32|int8|[sml])\b)[a-z])"
)
"""Average precision: mAP, or AP as a word of its own, or before a word that says which one: `ap_fixed` is a number."""
QUALITY = Pattern(
    rf"accuracy|\bacc\b|\btop-? ?[15]\b|\bs?bleu\b|\bf1\b|{_AP}|\bmiou\b|\brouge|perplexity|"
    r"\bppl\b|\bloss\b|\b[wc]er\b|\b(?:pr-|roc-)?auc\b|\berror\b|\bmcc\b|\bexact match\b|\bndcg\b|\bmrr\b|\bpsnr\b|"
    r"\bssim\b|\blpips\b|\bfid\b|\bmeteor\b|\bchrf\b|\bdice\b|\bmmlu(?:[- ]pro)?\b|\bhellaswag\b|\bwinogrande\b|"
    r"\bgsm-?8k\b|\bhuman ?eval\b|\bmbpp\b|\btruthfulqa\b|\bpiqa\b|\bboolq\b|\barc-?(?:c|e|challenge|easy)\b|"
    r"\bmt-bench\b|\blambada\b|\bopenbookqa\b|\bpass@[0-9]+"
)
NO_SHARE = Pattern(r"loss|perplexity|ppl|psnr|ssim|lpips|\bfid\b|mt-bench")
"""Qualities that are no share of anything, whatever their size."""


@lru_cache(maxsize=4096)
def in_english(heading: str) -> str:
    """Return a heading in lower case with the usual words of other languages in English."""
    text = re.sub(r"[_\s]+", " ", heading.casefold()).strip()
    foreign = {word: english for word, english in lexicon.table("columns")["english"].items() if word in text}
    if not foreign:
        return text
    for word, english in foreign.items():
        text = _word(word).sub(f" {english} " if ord(word[0]) > 0x2E7F and english.isalpha() else english, text)
    return re.sub(r"\s+", " ", re.sub(r"\( ", "(", re.sub(r" (?=[)/])", "", re.sub(r"(?<=/) ", "", text)))).strip()


def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-zäöü]){re.escape(word)}(?![a-zäöüß])" if word[0].isascii() else re.escape(word))
