"""The training mixture: which sets, how much of each, and what is made by rule from them."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from factdesk.kernel import InputError
from verifier.calibration.labelled_pairs import Pair, read_pairs
from verifier.training.context_augment import dated, headed_pairs
from verifier.training.handwritten import make_handwritten_pairs, read_items
from verifier.training.hard_negatives import NEUTRAL, RULES, denial
from verifier.training.items import Label
from verifier.training.literal import literal_pairs
from verifier.training.neutral_pairs import furniture_pairs, same_story_pairs
from verifier.training.recipes import Mixture, Portion
from verifier.training.retrieved_negatives import retrieved_negatives
from verifier.training.rows import make_row_pairs
from verifier.training.stories import read_stories, story_pairs
from verifier.training.templates import make_template_pairs

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
    for index, label in enumerate(get_args(Label)):
        group = [p for p in pairs if p.target[index] == 1.0]
        rng.shuffle(group)
        kept += group[: portion.caps.get(label)]
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


FLIPPED = ("fever_gg", "ling_in_loop", "infotabs", "healthver", "mnli_10k", "mnli_matched_dev", "scifact")
"""Sets whose entailed pairs are made false or open by rule."""


def build_mixture(folder: Path, given: Mixture, *, seed: int = 13) -> list[Pair]:
    """Read the sets of ``folder`` (``nli/train``) and make one shuffled pass of training pairs."""
    rng = random.Random(seed)
    mixture: list[Pair] = []
    sets: dict[str, list[Pair]] = {}
    for source, portion in given.sets.items():
        pairs = _capped(_load(folder, source), portion, rng)
        if source.startswith("fever"):
            pairs = [with_subject(p) for p in pairs]
        sets[source] = pairs
        mixture += pairs * portion.repeat
    handwritten = make_handwritten_pairs(rng)
    mixture += _own_pairs(handwritten, sets, given, rng)
    mixture += _flipped_pairs(handwritten, sets, given, rng)
    fever = [p for p in sets["fever_gg"] if p.target[0] == 1.0]
    mixture += near_misses(fever, given.near_misses, rng)
    for name, count in given.retrieved.items():
        mixture += retrieved_negatives(handwritten if name == "handwritten" else sets[name], count, rng)
    mixture += make_template_pairs(given.templates, rng)
    mixture += make_row_pairs(given.rows, rng)
    mixture += with_distractor(sets["fever_gg"] + sets["ling_in_loop"], given.distractors, rng)
    rng.shuffle(mixture)
    return mixture


def _own_pairs(handwritten: list[Pair], sets: dict[str, list[Pair]], given: Mixture, rng: random.Random) -> list[Pair]:
    """What was written for factdesk, and what is made of it: heads, days, cuts word for word, furniture."""
    pairs = handwritten * given.handwritten_repeat
    pairs += make_handwritten_pairs(rng, pattern=given.fresh) * given.fresh_repeat
    pairs += story_pairs(read_stories(), rng) * given.story_repeat
    items = read_items()
    pairs += same_story_pairs(items, rng) * given.same_story_repeat
    apart = same_story_pairs(items, rng) + handwritten
    rng.shuffle(apart)
    pairs += [p for p in (dated(pair, rng) for pair in apart) if p is not None][: given.dated]
    pairs += headed_pairs(items, rng) * given.headed_repeat
    passages = sorted({p.premise for p in handwritten} | {p.premise for p in sets["scifact"]})
    rng.shuffle(passages)
    pairs += literal_pairs(passages, given.literal, rng) * given.literal_repeat
    return pairs + furniture_pairs(handwritten + sets["fever_gg"], given.furniture, rng)


def _flipped_pairs(
    handwritten: list[Pair], sets: dict[str, list[Pair]], given: Mixture, rng: random.Random
) -> list[Pair]:
    """Entailed pairs with one detail changed by rule, and denials of what is contradicted."""
    pairs: list[Pair] = []
    entailed = [p for p in handwritten if p.target[0] == 1.0]
    entailed += [p for name in FLIPPED for p in sets[name] if p.target[0] == 1.0]
    rng.shuffle(entailed)
    for name, count in given.rules.items():
        made = (RULES[name](pair, rng) for pair in entailed)
        kept = [replace(p, source=name) for p in made if p is not None]
        rng.shuffle(kept)
        pairs += kept[:count]
    false = [p for p in handwritten + sets["fever_gg"] if p.target[2] == 1.0]
    rng.shuffle(false)
    denied = (denial(pair, rng) for pair in false)
    return pairs + [replace(p, source="denial") for p in denied if p is not None][: given.denials]


def describe(mixture: Sequence[Pair]) -> dict[str, dict[str, int]]:
    """Count of pairs per source and label, for the model card."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in mixture:
        table[pair.source][pair.label] += 1
    return {source: dict(sorted(counts.items())) for source, counts in sorted(table.items())}
