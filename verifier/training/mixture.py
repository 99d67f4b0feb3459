"""The training mixture: which sets, how much of each, and what is made by rule from them."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from factdesk.kernel import InputError
from verifier.calibration.labelled_pairs import Pair, read_pairs
from verifier.training.context_augment import dated, headed_pairs
from verifier.training.handwritten import make_handwritten_pairs, read_items
from verifier.training.hard_negatives import NEUTRAL, RULES, denial
from verifier.training.literal import literal_pairs
from verifier.training.neutral_pairs import furniture_pairs, same_story_pairs
from verifier.training.retrieved_negatives import retrieved_negatives
from verifier.training.rows import make_row_pairs
from verifier.training.stories import read_stories, story_pairs
from verifier.training.templates import make_template_pairs


@dataclass(frozen=True)
class Portion:
    """How one set enters the mixture.

    ``caps`` limits each label (``None``: all of it), in the order of ``LABELS``;
    ``repeat`` is how often the kept pairs are seen in one pass.
    """

    source: str
    repeat: int = 1
    caps: tuple[int | None, int | None, int | None] = (None, None, None)


PORTIONS = (
    Portion("fever_gg", caps=(24_000, None, 22_000)),
    Portion("fever_gg_nei", caps=(None, 14_000, None)),
    Portion("ling_in_loop", repeat=2),
    Portion("mnli_10k", repeat=4),
    Portion("mnli_matched_dev", repeat=4),
    Portion("snli_cat18k"),
    Portion("snli_dev"),
    Portion("snli_cad"),
    Portion("infotabs"),
    Portion("healthver"),
    Portion("scifact", repeat=2),
    Portion("conjnli", caps=(2_400, 2_400, None)),
    Portion("mpe", caps=(1_300, 1_300, 1_300)),
    Portion("folio", repeat=2),
    Portion("cannot", caps=(None, None, 4_000)),
)
RULE_COUNTS = {
    "number_flip": 12_000,
    "date_flip": 7_000,
    "entity_flip": 11_000,
    "negation_flip": 7_000,
    "direction_flip": 6_000,
    "unit_flip": 5_000,
}
DENIALS = 9_000
DATED = 30_000
TEMPLATES = 45_000
ROWS = 9_000
HANDWRITTEN_REPEAT = 1
FRESH = "*22-*"
"""Hand-written batches that came with the fourth stage and so have been seen least."""
FRESH_REPEAT = 6
"""How often they are seen besides."""
STORY_REPEAT = 4
LITERAL = 45_000
LITERAL_REPEAT = 3
SAME_STORY_REPEAT = 1
FURNITURE = 9_000
NEAR_MISSES = 13_000
RETRIEVED = {
    "healthver": 4_000,
    "scifact": 1_500,
    "handwritten": 8_000,
    "fever_gg": 5_000,
    "mnli_10k": 4_000,
    "mnli_matched_dev": 4_000,
    "infotabs": 2_000,
    "ling_in_loop": 4_000,
}
"""How many claims of each set are paired with evidence that was merely found for them."""
DISTRACTORS = 9_000

_PRONOUN = re.compile(r"^(He|She|It|They|His|Her|Its|Their)\b")
_SUBJECT = re.compile(
    r"^(?:The |A |An )?(?:[A-Z][\w.'’-]*|\(.+?\)|of|the|and|de|van)"
    r"(?:\s+(?:[A-Z0-9][\w.'’-]*|of|the|de|van|von))*"
)


def with_subject(pair: Pair) -> Pair:
    """Prepend the claim's subject where the evidence opens with a pronoun (its page title is lost)."""
    if not _PRONOUN.match(pair.premise):
        return pair
    subject = _SUBJECT.match(pair.hypothesis)
    name = subject.group().strip() if subject else ""
    name = re.sub(r"\s+(of|the|and|de|van|von)$", "", name)
    if len(name) < 4 or name.lower() in {"there", "this", "they", "some", "both"}:
        return pair
    return replace(pair, premise=f"{name}. {pair.premise}")


def _load(folder: Path, source: str) -> list[Pair]:
    files = sorted(folder.glob(f"{source}-*.jsonl.gz"))
    if not files:
        raise InputError(f"no file {source}-*.jsonl.gz in {str(folder)!r}")
    return [replace(pair, source=source) for file in files for pair in read_pairs(file)]


def _capped(pairs: list[Pair], portion: Portion, rng: random.Random) -> list[Pair]:
    kept: list[Pair] = []
    for index, cap in enumerate(portion.caps):
        group = [p for p in pairs if p.target[index] == 1.0]
        rng.shuffle(group)
        kept += group[:cap]
    return kept


def near_misses(entailed: list[Pair], count: int, rng: random.Random) -> list[Pair]:
    """FEVER claims with the evidence of *another* claim about the same subject: neutral, weakly.

    Pairs whose two pieces of evidence share a sentence, or whose claims share most
    words, are left out, since they may well entail.
    """
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in entailed:
        groups[" ".join(pair.hypothesis.split()[:2])].append(pair)
    made: list[Pair] = []
    usable = [g for g in groups.values() if len(g) > 1]
    for _ in range(count * 20):
        if len(made) >= count:
            break
        a, b = rng.sample(rng.choice(usable), 2)
        words_a, words_b = set(a.hypothesis.lower().split()[2:]), set(b.hypothesis.lower().split()[2:])
        if not words_a or len(words_a & words_b) / len(words_a | words_b) > 0.3:
            continue
        if set(re.split(r"(?<=\.)\s+", a.premise)) & set(re.split(r"(?<=\.)\s+", b.premise)):
            continue
        content = {w for w in words_a if len(w) > 3}
        if content and len([w for w in content if w.strip(".,") in b.premise.lower()]) / len(content) > 0.5:
            continue
        made.append(Pair(b.premise, a.hypothesis, NEUTRAL, "near_miss"))
    return made


def with_distractor(pairs: list[Pair], count: int, rng: random.Random) -> list[Pair]:
    """Evidence with an unrelated sentence before or after it; the label stays."""
    made = []
    for pair in rng.sample(pairs, min(count, len(pairs))):
        other = rng.choice(pairs).premise
        if len(other.split()) > 45 or len(pair.premise.split()) > 45:
            continue
        premise = f"{pair.premise} {other}" if rng.random() < 0.5 else f"{other} {pair.premise}"
        made.append(replace(pair, premise=premise, source="distractor"))
    return made


FLIPPED = (
    "fever_gg", "ling_in_loop", "infotabs", "healthver", "mnli_10k", "mnli_matched_dev", "scifact",
)  # fmt: skip
"""Sets whose entailed pairs are made false or open by rule."""


def build_mixture(folder: Path, *, seed: int = 13) -> list[Pair]:
    """Read the sets of ``folder`` (``nli/train``) and make one shuffled pass of training pairs."""
    rng = random.Random(seed)
    mixture: list[Pair] = []
    sets: dict[str, list[Pair]] = {}
    for portion in PORTIONS:
        pairs = _capped(_load(folder, portion.source), portion, rng)
        if portion.source.startswith("fever"):
            pairs = [with_subject(p) for p in pairs]
        sets[portion.source] = pairs
        mixture += pairs * portion.repeat
    handwritten = make_handwritten_pairs(rng)
    mixture += _own_pairs(handwritten, sets, rng)
    mixture += _flipped_pairs(handwritten, sets, rng)
    fever = [p for p in sets["fever_gg"] if p.target[0] == 1.0]
    mixture += near_misses(fever, NEAR_MISSES, rng)
    for name, count in RETRIEVED.items():
        mixture += retrieved_negatives(handwritten if name == "handwritten" else sets[name], count, rng)
    mixture += make_template_pairs(TEMPLATES, rng)
    mixture += make_row_pairs(ROWS, rng)
    mixture += with_distractor(sets["fever_gg"] + sets["ling_in_loop"], DISTRACTORS, rng)
    rng.shuffle(mixture)
    return mixture


def _own_pairs(handwritten: list[Pair], sets: dict[str, list[Pair]], rng: random.Random) -> list[Pair]:
    """What was written for factdesk, and what is made of it: heads, days, cuts word for word, furniture."""
    pairs = handwritten * HANDWRITTEN_REPEAT
    pairs += make_handwritten_pairs(rng, pattern=FRESH) * FRESH_REPEAT
    pairs += story_pairs(read_stories(), rng) * STORY_REPEAT
    pairs += same_story_pairs(read_items(), rng) * SAME_STORY_REPEAT
    apart = same_story_pairs(read_items(), rng) + handwritten
    rng.shuffle(apart)
    pairs += [p for p in (dated(pair, rng) for pair in apart) if p is not None][:DATED]
    pairs += headed_pairs(read_items(), rng)
    passages = sorted({p.premise for p in handwritten} | {p.premise for p in sets["scifact"]})
    rng.shuffle(passages)
    pairs += literal_pairs(passages, LITERAL, rng) * LITERAL_REPEAT
    return pairs + furniture_pairs(handwritten + sets["fever_gg"], FURNITURE, rng)


def _flipped_pairs(handwritten: list[Pair], sets: dict[str, list[Pair]], rng: random.Random) -> list[Pair]:
    """Entailed pairs with one detail changed by rule, and denials of what is contradicted."""
    pairs: list[Pair] = []
    entailed = [p for p in handwritten if p.target[0] == 1.0]
    entailed += [p for name in FLIPPED for p in sets[name] if p.target[0] == 1.0]
    rng.shuffle(entailed)
    for name, count in RULE_COUNTS.items():
        made = (RULES[name](pair, rng) for pair in entailed)
        kept = [replace(p, source=name) for p in made if p is not None]
        rng.shuffle(kept)
        pairs += kept[:count]
    false = [p for p in handwritten + sets["fever_gg"] if p.target[2] == 1.0]
    rng.shuffle(false)
    denied = (denial(pair, rng) for pair in false)
    return pairs + [replace(p, source="denial") for p in denied if p is not None][:DENIALS]


def describe(mixture: list[Pair]) -> dict[str, dict[str, int]]:
    """Count of pairs per source and label, for the model card."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in mixture:
        table[pair.source][pair.label] += 1
    return {source: dict(sorted(counts.items())) for source, counts in sorted(table.items())}
