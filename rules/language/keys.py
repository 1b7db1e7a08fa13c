"""Keys: numbers that are the value of a named setting ("batch size 256", "TP=8"), and the sizes of models.

A key is added to `nouns.json` under the class that its value counts.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from itertools import takewhile

from . import lexicon
from .lexicon import SOFT, Phrases
from .modifiers import TIMES
from .numbers import Number
from .phrases import Count, counted
from .quantity import Owner
from .tokens import BREAK, NUMBER, SIGN, WORD, Tokens, over

MOST_ASIDE = 10
SHORTEST_CONTEXT = 64
"""Fewer tokens are none: "in the context of 3 workloads"."""
MOST_OF = 7
"""Tokens behind "number of" that say what is counted, or between a key and its value."""
SIGNS = ("=", ":", ">", "<", ">=", "<=", "≥", "≤")
SIZED = ("size", "length", "len", "level", "degree", "window")
"""Last words of keys that may stand in the plural."""
VALUE_JOINS = ("to", "from", "=", ":", "equals", "equal")
MEASURED = ("batch_size", "sequence_length", "accumulation")
"""Their values are counted in things of another class: "a batch size of 64 images"."""
FEWEST_OF_BATCH = 8
"""From here on the value of "-b" is a batch."""
LEAST_OF_BLOCK, MOST_STAGES = 512, 256
"""From here on a block is one of tokens; up to here a pipeline has stages."""
MOST_DESCRIBED = 60
"""Tokens from the option that a line describes to its default."""
STARTS = ("", BREAK)
NUMBERED = ("gpu", "npu", "tpu", "hpu", "xpu")
"""Devices of which a command says how many there are."""
YEAR = 4
"""Digits of one."""
NEWEST_FSDP = 2
"""Up to here a number behind it is its version."""


@cache
def _keys(step: int) -> Phrases[tuple[str, str]]:
    """Return the keys as they are matched leftwards from their value (-1), or rightwards from it (1)."""
    made: Phrases[tuple[str, str]] = Phrases()
    for kind, phrases in lexicon.table("nouns")["keys"].items():
        for phrase in phrases:
            words = phrase.split()
            if step < 0 or (len(words) > 1 and words[-1] not in ("of", "requests", "users", "prompts", "gpu")):
                made.add(lexicon.cut(phrase)[::step], (kind, phrase))
            if step < 0 and words[-1] in SIZED and len(words) > 1:  # "the sequence lengths 512 and 2048"
                made.add(lexicon.cut(f"{phrase}s")[::step], (kind, phrase))
    return made


def by_key(tokens: Tokens, number: Number) -> Count | None:
    """Return the value of a key to the left: "batch size 12", "TP=8", "sequence length of 2048"."""
    joins, at, joined = lexicon.words("nouns", "key_joins"), number.first - 1, ""
    if tokens.lows(number.last, number.last + 2) == ["as", "default"] and tokens.low(at) == ",":
        said = _number_of(tokens, at - 1)  # "number of samples, 128 as default"
        return counted(tokens, number, *said) if said else None
    if tokens.lows(at - 1, at + 1) == ["such", "as"]:  # "batch sizes, such as 8"
        at, joined = at - 2 - (tokens.low(at - 2) == ","), "of"
    if tokens.low(at - 1) == "in" and tokens.low(at) in ("(", "{", "["):  # "tp in (1, 2)"
        at, joined = at - 2, "="
    at -= tokens.low(at) == "[" and (tokens.low(at - 1) in ("=", ":") or tokens.low(number.last) == ",")
    values = lexicon.words("nouns", "value_nouns")
    while number.first - at < MOST_OF and tokens.low(at) in (joins | {"with", "a"} if joined == "=" else joins):
        sign = tokens.low(at).replace("==", "=")
        joined = sign if sign in SIGNS else joined or sign
        at -= 1
        if tokens.low(at) in values and joined == "of":  # "TP with a degree of 2"
            at, joined = at - 1, "="
    end = number.last
    while end - number.last < 6 and (tokens.kind(end) == NUMBER or tokens.low(end) in TIMES):
        end += 1
    word = tokens.kind(number.last) == WORD and tokens.glued(number.last) and tokens.low(number.last) not in TIMES
    if word and len(tokens[number.last].text) > 2 and tokens[number.last].text.isupper():  # "3LDF"
        return None
    if tokens.low(end) == "=" and end > number.last:  # "batch size = 8 x 4 = 32"
        return None
    headed = tokens.low(number.last) in lexicon.classes("nouns", "heads")
    while joined == "=" and not headed and (tokens.kind(at) == NUMBER or tokens.low(at) in (*TIMES, *joins, ")")):
        at = _opening(tokens, at) - 1 if tokens.low(at) == ")" else at - 1
    default = not {"default", "defaults"}.isdisjoint(tokens.lows(at + 1, number.first))
    if tokens.low(at) == ")":  # "batch size (per GPU): 8"
        at = _opening(tokens, at) - 1
    found = _key_at(tokens, number, at, joined)
    if number.low < 0 or (found is not None and found[0] == "sequence_length" and _is_side(tokens, number)):
        return None
    if found is None and tokens.low(at + 1) in {":", *lexicon.words("nouns", "says_value")}:
        found = _key_at(tokens, number, _before_aside(tokens, at), joined)
    found = found or _option(tokens, at, joined)
    if found is None and default:
        found = _key_at(tokens, number, at, "=") or _described(tokens, number)
    if found is None and joined == "=":
        found = _counted_noun(tokens, number, at)
    if found is None and joined in (*lexicon.words("nouns", "says_value"), *VALUE_JOINS):
        found = _number_of(tokens, at)
    whole = number.low == int(number.low)
    if found and found[0] not in MEASURED and _says_its_own(tokens, number, found[0]):
        return None
    return counted(tokens, number, *found) if found and (whole or found[0] in ("parameters", "setting")) else None


def _described(tokens: Tokens, number: Number) -> tuple[str, str] | None:
    """Return the key of the option that a line describes: "`--batch_size`: samples that fit at once; default is 8"."""
    begin = next(
        (k for k in range(number.first, number.first - MOST_DESCRIBED, -1) if tokens.kind(k - 1) in STARTS), -1
    )
    while 0 <= begin < number.first and tokens.kind(begin) == SIGN:
        begin += 1
    end = begin + 1
    while tokens.low(end) in SOFT and tokens.glued(end) and tokens.kind(end + 1) == WORD:
        end += 2
    said = 0 <= begin < end < number.first and tokens.kind(end) == SIGN
    return _key_at(tokens, number, end - 1, "=") if said else None


def _counted_noun(tokens: Tokens, number: Number, at: int) -> tuple[str, str] | None:
    """Return what a noun before a sign of equality counts: "npu=8", "experts = 64"; "device=3" is one of several."""
    low = tokens.low(at)
    kind = lexicon.classes("nouns", "heads").get(low)
    plain = kind is not None and tokens.low(at - 1) not in (*SOFT, ".") and tokens.low(number.first - 1) == "="
    several = low.endswith("s") or (low in NUMBERED and number.low > 1)
    return (kind, low) if kind and plain and several else None


def _is_side(tokens: Tokens, number: Number) -> bool:
    """Whether a number is one side of a block: "128x64"."""
    return tokens.low(number.last) in TIMES and tokens.kind(number.last + 1) == NUMBER


def _says_its_own(tokens: Tokens, number: Number, kind: str) -> bool:
    """Whether the noun behind a number says what it counts instead: "bucket size: 512 tokens", not "dp 8 tp 2"."""
    own = lexicon.classes("nouns", "heads").get(tokens.low(number.last), "other")
    keyed = tokens.low(number.last + 1) in ("=", ":", "_", "-") or tokens.kind(number.last + 1) == NUMBER
    return own not in ("other", kind) and not keyed


def _opening(tokens: Tokens, at: int) -> int:
    """Return the token that opens the short bracket which closes at a token; 0 where none does."""
    return next((k for k in range(at, max(-1, at - MOST_OF), -1) if tokens.low(k) == "("), 0)


def _key_at(tokens: Tokens, number: Number, at: int, joined: str) -> tuple[str, str] | None:
    """Return the class and the phrase of the key that ends at a token."""
    for size, (kind, phrase) in _keys(-1).match(tokens[max(0, at - 7) : at + 1][::-1], 0, SOFT):
        begin = at - size + 1
        flag = tokens.low(begin - 1) == tokens.low(begin - 2) == "-" and tokens.glued(begin)
        if _key_fits(tokens, begin, at, phrase, "=" if flag else joined, number):
            return kind, phrase
    return None


def _option(tokens: Tokens, at: int, joined: str) -> tuple[str, str] | None:
    """Return the class of an option by its noun: --warmup_epochs 5, num_files_train: 20; not --gpus 0."""
    begin = at
    while tokens.glued(begin) and tokens.low(begin - 1) in ("_", "-") and tokens.kind(begin - 2) == WORD:
        begin -= 2
    if begin == at or (tokens.lows(begin - 2, begin) != ["-", "-"] and joined not in (*SIGNS, "is")):
        return None
    heads, words = lexicon.classes("nouns", "heads"), tokens.lows(begin, at + 1)[::-2]
    if words[-1] in lexicon.words("nouns", "number_words"):
        noun = next((low for low in words if low in heads), words[0])
        counted = noun in heads or words[-1] != "total"  # "total_training_time"
        return (heads.get(noun, "other"), noun) if counted and noun not in lexicon.table("units")["plain"] else None
    kind = heads.get(words[0])
    return (kind, words[0]) if kind and words[0].endswith("s") and kind != "devices" else None


def _number_of(tokens: Tokens, at: int) -> tuple[str, str] | None:
    """Return what is counted by words that end at a token: "the number of warm-up passes", "total number of GPUs"."""
    heads = lexicon.classes("nouns", "heads")
    stops = lexicon.words("nouns", "stops") - lexicon.words("nouns", "determiners")
    for k in range(at, max(0, at - MOST_ASIDE), -1):
        if tokens.kind(k) != WORD and tokens.low(k) != "-":
            return None
        if tokens.low(k) == "of":
            said = not lexicon.words("nouns", "number_words").isdisjoint(tokens.lows(k - 1, k))
            rest = " ".join(tokens.lows(k, at + 1))
            said = said and not any(clause in rest for clause in (" but ", " and the ", " and a "))
            phrase = list(takewhile(lambda low: low not in stops, tokens.lows(k + 1, at + 1)))
            noun = next((low for low in reversed(phrase) if low in heads), phrase[-1] if phrase else "")
            return (heads.get(noun, "other"), noun) if said and noun else None
    return None


def _before_aside(tokens: Tokens, at: int) -> int:
    """Return the end of the key before "for all models": the batch size for all models is set to 8; else -1."""
    for k in range(at, max(0, at - MOST_ASIDE), -1):
        if tokens.kind(k) != WORD and tokens.low(k) not in SOFT:
            return -1
        if tokens.low(k) in lexicon.words("nouns", "asides"):
            hits = _keys(-1).match(tokens[max(0, k - 7) : k][::-1], 0, SOFT)
            if any(" " in phrase or "size" in phrase for _, (_, phrase) in hits):
                return k - 1
    return -1


def by_key_behind(tokens: Tokens, number: Number) -> Count | None:
    """Return the value of a key behind it: "a 2048 hidden size", "4k sequence length", "4 (`accum_iter`)"."""
    joined = tokens.low(number.last) == "-"
    if joined and not tokens.glued(number.last):  # "-gpu 0 -batch_size 10"
        return None
    said = tokens.low(number.last) == "as"  # "using 64 as the batch size"
    at = number.last + joined + said + (said and tokens.low(number.last + 1) in lexicon.words("nouns", "determiners"))
    hits = _keys(1).match(tokens, at + (tokens.low(at) == "way"), SOFT)
    kind = hits[0][1] if hits else _in_bracket(tokens, number)
    parallel = tokens.low(at + 1 + (tokens.low(at + 1) == "-")) if tokens.low(at) == "way" else ""
    if parallel in lexicon.words("nouns", "parallel_keys"):  # "2-way DP"
        kind = lexicon.classes("nouns", "keys")[parallel], parallel
    whole = number.low == int(number.low)
    return counted(tokens, number, *kind) if kind and (whole or kind[0] == "parameters") else None


def _in_bracket(tokens: Tokens, number: Number) -> tuple[str, str] | None:
    """Return the key or the noun that fills the bracket behind a number: 32 (`batch_size` per gpu) * 8 (gpus)."""
    if tokens.low(number.last) != "(" or tokens.low(number.first - 1) in lexicon.words("numbers", "references"):
        return None
    words: list[str] = []
    for at in range(number.last + 1, number.last + MOST_OF):
        if tokens.low(at) == ")":
            break
        if tokens.kind(at) == WORD:
            words.append(tokens.low(at))
        elif tokens.low(at) not in ("`", *SOFT):
            return None
    known = lexicon.classes("nouns", "keys")
    whole = " ".join(words)
    phrase = whole if whole in known else whole.partition(" per ")[0]
    kind = known.get(phrase) or (lexicon.classes("nouns", "heads").get(phrase) if phrase.endswith("s") else None)
    return (kind, phrase) if kind else None


def _key_fits(tokens: Tokens, begin: int, at: int, phrase: str, joined: str, number: Number) -> bool:
    """Whether a key may stand so: short and common ones only with a sign, or after "number of"."""
    before, signed, plain = tokens.low(begin - 1), joined in SIGNS, joined == ""
    if phrase == "context" and joined in ("", "of") and number.low % 128 == 0:
        return True
    if phrase in ("input", "output"):  # "lengths of input 1024 and output 256"
        said = not {"length", "lengths"}.isdisjoint(tokens.lows(begin - MOST_ASIDE, begin))
        return said and number.low >= SHORTEST_CONTEXT
    if phrase == "bs" and joined == "of":
        return True
    if phrase in ("batch", "batches") and joined == "of":
        return lexicon.classes("nouns", "heads").get(tokens.low(number.last)) not in ("devices", "nodes")
    if phrase in ("context", "context of", "block size") and joined not in ("=", ":") and number.low < SHORTEST_CONTEXT:
        return False
    if phrase == "block size" and joined not in SIGNS and number.low < LEAST_OF_BLOCK:  # of threads
        return False
    if phrase == "pp" and number.low > MOST_STAGES:  # the length of a prompt
        return False
    loose = phrase in ("bs", "batch", "seq")
    if plain and (loose or (phrase in lexicon.words("nouns", "parallel_keys") and tokens[at].text.isupper())):
        version = phrase == "fsdp" and number.low <= NEWEST_FSDP
        part = before in SOFT and tokens.glued(begin - 1) and tokens.kind(begin - 2) == WORD  # "--kmer-per-seq 100"
        return begin == at and not (version or part or (phrase == "batch" and before in ("a", "the", "each", "per")))
    if phrase == "b" and plain and before == "-" and tokens.low(begin - 2) != "-":  # "-b 128"
        return tokens.glued(begin) and number.low >= FEWEST_OF_BATCH
    if phrase in lexicon.words("nouns", "strict_keys") and not signed:
        if plain and _is_listed(tokens, begin, number.last):
            return len(phrase) > 3 and phrase.endswith("s")
        bounded = before in ("max", "maximum") and joined == "to"
        counting = bounded or not lexicon.words("nouns", "number_words").isdisjoint(tokens.lows(begin - 4, begin))
        return counting and joined in ("to", "of", "is", "from", "was")
    if phrase == "b" and not (joined == "=" and tokens[at].text == "B"):
        return False
    of_matrix = phrase == "n" and tokens[at].text == "N" and (before != "(" or tokens.low(number.last) != ")")
    if of_matrix or (phrase == "n" and (before not in ("", "(", ",", "[", ";") or joined == ":")):
        return False
    return not (plain and phrase in ("parameters", "model size", "depth"))


def _is_listed(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a key and its value stand alone in a list: ", steps 100,"."""
    return tokens.low(first - 1) in (",", ";", "/", "|") and tokens.low(last) in (",", ";", "/", "|", ")", "")


def glued_keys(tokens: Tokens, owner: Owner) -> list[Count]:
    """Return the counts of keys written as one word with their number: TP8, bs16."""
    found: list[Count] = []
    known, lower = lexicon.words("nouns", "glued_keys"), lexicon.words("nouns", "glued_lower")
    for at, key in enumerate(tokens):
        if key.low not in known or not (key.text.isupper() or key.low in lower) or not tokens.glued(at + 1):
            continue
        last = at + 2 + (key.low == "batch" and tokens.low(at + 1) == "-" and tokens.glued(at + 2))  # "batch-16"
        value = tokens[last - 1].value if tokens.kind(last - 1) == NUMBER and owner(at) is None else None
        if tokens.low(last) == "." and tokens.glued(last + 1) and tokens.kind(last + 1) == WORD:  # "train_bs8.sh"
            continue
        if value is not None and value == int(value):
            kind = lexicon.classes("nouns", "keys")[key.low]
            found.append(Count(*over(tokens, at, last), value, value, Decimal("0.5"), kind, noun=key.low))
    return found


def _ends_name(tokens: Tokens, first: int) -> bool:
    """Whether a size ends the name of a model that no list knows: "for T0 3B", "than Foo 7B"; not "Train 7B"."""
    begin = first - 1 - (tokens.kind(first - 1) == NUMBER and tokens.glued(first - 1))
    opens = tokens.kind(begin - 1) in ("", BREAK) or (tokens.kind(begin - 1) == SIGN and tokens.low(begin - 1) != ",")
    titled = tokens.kind(begin) == WORD and not tokens[begin].text.islower() and not tokens.glued(first)
    return titled and not opens and tokens.low(begin) not in lexicon.words("nouns", "stops")


def _behind_list(tokens: Tokens, number: Number) -> str:
    """Return the word behind the list that a number begins: the tokens of "10B, 30B and 100B tokens"."""
    at = number.last
    while tokens.low(at) in (",", "and", "or") and at - number.first < MOST_ASIDE:
        following = at + 1 + (tokens.low(at + 1) in ("and", "or"))
        if not tokens.counts(following) or tokens.low(following + 1) != number.suffix.lower():
            break
        at = following + 2
    return tokens.low(at)


def parameters(tokens: Tokens, number: Number, owner: Owner) -> Count | None:
    """Return the size of a model: "7B model", "(124M)", "0.8B FP16", "1.3 billion parameters"."""
    low = _behind_list(tokens, number)
    named = not {"parameters", "params", "parameter"}.isdisjoint(tokens.lows(number.last, number.last + 6))
    file = tokens.low(number.last) == "." and tokens.kind(number.last + 1) == WORD and tokens.glued(number.last + 1)
    if file or (number.suffix == "b" and len(tokens[number.first].text) == YEAR):  # "7b.yaml", "Springer, 2015b"
        return None
    falling = number.suffix == "B" and tokens.low(number.last + 2) == "m"  # operations and parameters: "0.4B/5M"
    listed = low == "/" and tokens.kind(number.last + 1) == NUMBER and not falling
    if not (named or listed) and _ends_name(tokens, number.first):
        return None
    behind = owner(number.last)
    own = behind is not None and behind.kind == "model" and low not in lexicon.words("nouns", "model_heads")
    if own and number.suffix and not named:  # "a 70B Llama"
        return None
    if number.suffix in ("B", "b") and (named or listed or low not in lexicon.words("nouns", "not_sized")):
        return counted(tokens, number, "parameters", "b")
    opened, heads = tokens.low(number.first - 1) in ("(", "-"), lexicon.words("nouns", "model_heads")
    names = (owner(number.first - 1 - opened), owner(number.last))
    of_model = any(name is not None and name.kind == "model" for name in names)
    of_model = of_model or not heads.isdisjoint(tokens.lows(number.last, number.last + 2))
    of_model = of_model or (opened and low == ")" and tokens.low(number.first - 2) in heads)
    of_model = of_model and (number.suffix == "M" or (number.suffix == "T" and not opened))  # "Foo-1B (3T)" are tokens
    return counted(tokens, number, "parameters", "m") if of_model else None
