"""Words of headings: those of other languages in English, and the names of qualities."""

from __future__ import annotations

import re

from ....schemas.pattern import Pattern

_ENGLISH = (
    # the longer before what they hold
    *(("优化前", "before"), ("优化后", "optimized"), ("原始", "original"), ("基线", "baseline")),
    *(("吞吐倍率", "throughput speedup"), ("提升倍数", "speedup")),
    *(("混合精度", "mixed precision"), ("吞吐量", "throughput"), ("吞吐", "throughput"), ("加速比", "speedup")),
    *(("批次大小", "batch size"), ("批量大小", "batch size"), ("批大小", "batch size"), ("单步耗时", "step time")),
    *(("训练时间", "training time"), ("推理时间", "inference time"), ("耗时", "time"), ("时间", "time")),
    *(("时延", "latency"), ("延迟", "latency"), ("准确率", "accuracy"), ("显存", "gpu memory"), ("内存", "memory")),
    *(("显卡数量", "gpus"), ("显卡数", "gpus"), ("显卡", "gpu"), ("gpu数量", "gpus"), ("gpu数", "gpus")),
    *(("gpu 数量", "gpus"), ("gpu 数", "gpus"), ("卡数", "gpus"), ("节点数", "nodes"), ("模型", "model")),
    *(("数据集", "dataset"), ("参数量", "parameters"), ("序列长度", "sequence length"), ("图片", "images")),
    *(("图像", "images"), ("样本", "samples"), ("毫秒", "ms"), ("微秒", "us"), ("分钟", "min"), ("小时", "h")),
    *(("每秒", "per second"), ("秒", "s"), ("（", "("), ("）", ")"), ("／", "/"), ("％", "%"), ("：", ":")),
    *(("durchsatz", "throughput"), ("latenz", "latency"), ("beschleunigung", "speedup"), ("genauigkeit", "accuracy")),
    *(("stapelgrösse", "batch size"), ("batchgrösse", "batch size"), ("modell", "model"), ("bilder/s", "images/s")),
    *(("trainingszeit", "training time"), ("speicher", "memory"), ("knoten", "nodes")),
)  # fmt: skip
_FOREIGN = Pattern(
    r"[\u2e80-\u9fff\uff00-\uffef]|stapel|batchgr|latenz|durchsatz|beschleunigung|modell|"
    r"bilder|genauigkeit|trainingszeit|speicher|knoten"
)

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


def in_english(heading: str) -> str:
    """Return a heading in lower case with the usual words of other languages in English."""
    text = re.sub(r"[_\s]+", " ", heading.casefold()).strip()
    if not _FOREIGN.search(text):
        return text
    for word, english in _ENGLISH:
        text = _word(word).sub(f" {english} " if ord(word[0]) > 0x2E7F and english.isalpha() else english, text)
    return re.sub(r"\s+", " ", re.sub(r"\( ", "(", re.sub(r" (?=[)/])", "", re.sub(r"(?<=/) ", "", text)))).strip()


def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-zäöü]){re.escape(word)}(?![a-zäöüß])" if word[0].isascii() else re.escape(word))
