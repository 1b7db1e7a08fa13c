"""Keys: numbers that are the value of a named setting ("batch size 256", "TP=8"), and the sizes of models.

A key is added to `nouns.json` under the class that its value counts.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache

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
MOST_DESCRIBED = 60
"""Tokens of a line that describes an option."""
SIGNS = ("=", ":", ">", "<", ">=", "<=", "≥", "≤")
VALUE_JOINS = ("to", "=", ":", "equals", "equal")
MEASURED = ("batch_size", "sequence_length", "accumulation")
"""Their values are counted in things of another class: "a batch size of 64 images"."""
FEWEST_OF_BATCH = 8
"""From here on the value of "-b" is a batch."""
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
    return made


def by_key(tokens: Tokens, number: Number, owner: Owner) -> Count | None:
    """Return the value of a key to the left: "batch size 12", "TP=8", "sequence length of 2048"."""
    joins, at, joined = lexicon.words("nouns", "key_joins"), number.first - 1, ""
    if tokens.lows(at - 1, at + 1) == ["such", "as"]:  # "batch sizes, such as 8"
        at, joined = at - 2 - (tokens.low(at - 2) == ","), "of"
    at -= tokens.low(at) == "[" and (tokens.low(at - 1) in ("=", ":") or tokens.low(number.last) == ",")
    values = lexicon.words("nouns", "value_nouns")
    while number.first - at < MOST_OF and tokens.low(at) in (joins | {"with", "a"} if joined == "=" else joins):
        joined = tokens.low(at) if tokens.low(at) in SIGNS else joined or tokens.low(at)
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
    if default and tokens.low(at) == ",":  # "batch size, default 1"
        at -= 1
    if tokens.low(at) == ")":  # "batch size (per GPU): 8"
        at = _opening(tokens, at) - 1
    if tokens.kind(at) not in (WORD, NUMBER) and not default:
        return None
    found = _key_at(tokens, number, owner, at, joined)
    if number.low < 0:
        return None
    if found is None and tokens.low(at + 1) in lexicon.words("nouns", "says_value"):
        found = _key_at(tokens, number, owner, _before_aside(tokens, at), joined)
    found = found or _option(tokens, at, joined)
    if found is None and default:
        found = _key_at(tokens, number, owner, at, "=") or _described(tokens, at)
    if found is None and joined in (*lexicon.words("nouns", "says_value"), *VALUE_JOINS):
        found = _number_of(tokens, at)
    whole = number.low == int(number.low)
    if found and found[0] not in MEASURED and _says_its_own(tokens, number, found[0]):
        return None
    return counted(tokens, number, *found) if found and (whole or found[0] in ("parameters", "setting")) else None


def _says_its_own(tokens: Tokens, number: Number, kind: str) -> bool:
    """Whether the noun behind a number says what it counts instead: "bucket size: 512 tokens", not "dp 8 tp 2"."""
    own = lexicon.classes("nouns", "heads").get(tokens.low(number.last), "other")
    keyed = tokens.low(number.last + 1) in ("=", ":", "_", "-") or tokens.kind(number.last + 1) == NUMBER
    return own not in ("other", kind) and not keyed


def _opening(tokens: Tokens, at: int) -> int:
    """Return the token that opens the short bracket which closes at a token; 0 where none does."""
    return next((k for k in range(at, max(-1, at - MOST_OF), -1) if tokens.low(k) == "("), 0)


def _key_at(tokens: Tokens, number: Number, owner: Owner, at: int, joined: str) -> tuple[str, str] | None:
    """Return the class and the phrase of the key that ends at a token."""
    for size, (kind, phrase) in _keys(-1).match(tokens[max(0, at - 7) : at + 1][::-1], 0, SOFT):
        begin = at - size + 1
        flag = tokens.low(begin - 1) == tokens.low(begin - 2) == "-" and tokens.glued(begin)
        counted_already = tokens.counts(begin - 1) and owner(begin - 1) is None and not tokens[begin].text.isupper()
        named = owner(begin) is not None and owner(begin) is not owner(number.first)
        of_name = named and kind not in ("tokens", "data_parallel")
        if (counted_already and joined == "=") or (of_name and joined not in ("=", ":")):
            continue
        if _key_fits(tokens, begin, at, phrase, "=" if flag else joined, number):
            return kind, phrase
    return None


def _option(tokens: Tokens, at: int, joined: str) -> tuple[str, str] | None:
    """Return the class of an option by its noun: --warmup_epochs 5, num_files_train: 20; not --gpus 0."""
    begin = at
    while tokens.glued(begin) and tokens.low(begin - 1) in ("_", "-") and tokens.kind(begin - 2) == WORD:
        begin -= 2
    if begin == at or (tokens.lows(begin - 2, begin) != ["-", "-"] and joined not in ("=", ":")):
        return None
    heads, words = lexicon.classes("nouns", "heads"), tokens.lows(begin, at + 1)[::-2]
    if words[-1] in lexicon.words("nouns", "number_words"):
        noun = next((low for low in words if low in heads), words[0])
        return (heads.get(noun, "other"), noun) if noun not in lexicon.table("units")["plain"] else None
    kind = heads.get(words[0])
    return (kind, words[0]) if kind and words[0].endswith("s") and kind != "devices" else None


def _described(tokens: Tokens, at: int) -> tuple[str, str] | None:
    """Return the class of the option whose description a line is: "`iterations`: steps of a loop (default: 500)"."""
    begin = next((k + 1 for k in range(at, max(-1, at - MOST_DESCRIBED), -1) if tokens.kind(k) == BREAK), 0)
    while begin < at and tokens.kind(begin) == SIGN:
        begin += 1
    end = begin + 1
    while tokens.low(end) in SOFT and tokens.glued(end) and tokens.kind(end + 1) == WORD:
        end += 2
    if begin == at or not (tokens.low(begin - 1) in ("`", "-") or tokens.low(end) == ":"):
        return None
    phrase = " ".join(tokens.lows(begin, end)[::2])
    kind = lexicon.classes("nouns", "keys").get(phrase)
    return (kind, phrase) if kind else _option(tokens, end - 1, "=")


def _number_of(tokens: Tokens, at: int) -> tuple[str, str] | None:
    """Return what is counted by words that end at a token: "the number of warm-up passes", "total number of GPUs"."""
    heads = lexicon.classes("nouns", "heads")
    for k in range(at, max(0, at - MOST_OF), -1):
        if tokens.kind(k) != WORD and tokens.low(k) != "-":
            return None
        if tokens.low(k) == "of":
            said = not lexicon.words("nouns", "number_words").isdisjoint(tokens.lows(k - 1, k))
            phrase = [low for low in tokens.lows(k + 1, at + 1) if low not in lexicon.words("nouns", "stops")]
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
    at = number.last + joined
    hits = _keys(1).match(tokens, at + (tokens.low(at) == "way"), SOFT)
    kind = hits[0][1] if hits else _in_bracket(tokens, number)
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
    if phrase in ("batch", "batches") and joined == "of":
        return lexicon.classes("nouns", "heads").get(tokens.low(number.last)) not in ("devices", "nodes")
    if phrase == "context of" and number.low < SHORTEST_CONTEXT:
        return False
    loose = phrase in ("bs", "batch", "seq")
    if plain and (loose or (phrase in lexicon.words("nouns", "parallel_keys") and tokens[at].text.isupper())):
        version = phrase == "fsdp" and number.low <= NEWEST_FSDP
        part = before in SOFT and tokens.glued(begin - 1) and tokens.kind(begin - 2) == WORD  # "--kmer-per-seq 100"
        of_one = phrase == "batch" and before in ("a", "the", "each", "per")
        return begin == at and not (of_one or version or part)
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
    short = len(phrase) <= 3 and phrase not in lexicon.words("nouns", "clear_keys")
    if short and tokens.glued(begin) and before in ("-", "_"):
        return before == "-"
    return not (plain and phrase in ("parameters", "model size", "depth"))


def _is_listed(tokens: Tokens, first: int, last: int) -> bool:
    """Whether a key and its value stand alone in a list: ", steps 100,"."""
    return tokens.low(first - 1) in (",", ";") and tokens.low(last) in (",", ";", ")", "")


def glued_keys(tokens: Tokens, owner: Owner) -> list[Count]:
    """Return the counts of keys written as one word with their number: TP8, bs16."""
    found: list[Count] = []
    known, lower = lexicon.words("nouns", "glued_keys"), lexicon.words("nouns", "glued_lower")
    for at, key in enumerate(tokens):
        if key.low not in known or not (key.text.isupper() or key.low in lower) or not tokens.glued(at + 1):
            continue
        value = tokens[at + 1].value if tokens.kind(at + 1) == NUMBER and owner(at) is None else None
        if tokens.low(at + 2) == "." and tokens.glued(at + 3) and tokens.kind(at + 3) == WORD:  # "train_bs8.sh"
            continue
        if value is not None and value == int(value):
            kind = lexicon.classes("nouns", "keys")[key.low]
            found.append(Count(*over(tokens, at, at + 2), value, value, Decimal("0.5"), kind, noun=key.low))
    return found


def _ends_name(tokens: Tokens, first: int) -> bool:
    """Whether a size ends the name of a model that no list knows: "for T0 3B", "than Foo 7B"; not "Train 7B"."""
    begin = first - 1 - (tokens.kind(first - 1) == NUMBER and tokens.glued(first - 1))
    opens = tokens.kind(begin - 1) in ("", BREAK) or (tokens.kind(begin - 1) == SIGN and tokens.low(begin - 1) != ",")
    titled = tokens.kind(begin) == WORD and tokens[begin].text[:1].isupper() and not tokens.glued(first)
    return titled and not opens and tokens.low(begin) not in lexicon.words("nouns", "stops")


def parameters(tokens: Tokens, number: Number, owner: Owner) -> Count | None:
    """Return the size of a model: "7B model", "(124M)", "0.8B FP16", "1.3 billion parameters"."""
    low = tokens.low(number.last)
    named = not {"parameters", "params", "parameter"}.isdisjoint(tokens.lows(number.last, number.last + 6))
    if number.suffix == "b" and len(tokens[number.first].text) == YEAR:  # "Springer, 2015b"
        return None
    falling = number.suffix == "B" and tokens.low(number.last + 2) == "m"  # operations and parameters: "0.4B/5M"
    listed = low == "/" and tokens.kind(number.last + 1) == NUMBER and not falling
    if not (named or listed) and low not in lexicon.words("nouns", "model_heads") and _ends_name(tokens, number.first):
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
    return counted(tokens, number, "parameters", "m") if number.suffix in ("M", "T") and of_model else None
