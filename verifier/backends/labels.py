"""Which output of a classifier means what, by the names its configuration gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from factdesk.kernel import ConfigError
from verifier.types import NLIScores

NLIClass = Literal["entailment", "neutral", "contradiction"]

_NAMES: dict[NLIClass, frozenset[str]] = {
    "entailment": frozenset({"entailment", "entailed", "entail", "entails", "supports", "supported", "support"}),
    "neutral": frozenset({"neutral", "nei", "not enough info", "not enough information"}),
    "contradiction": frozenset(
        "contradiction contradicted contradictory contradicts contradict refutes refuted refute".split()
    ),
}
_NOT_SUPPORTED = frozenset({"unsupported", "not supported", "not entailment", "not entailed", "non entailment"})


@dataclass(frozen=True)
class Heads:
    """Places of the classes among a model's outputs; a class the model does not have is ``None``."""

    entailment: int
    neutral: int | None = None
    contradiction: int | None = None

    @property
    def can_contradict(self) -> bool:
        """Whether the model tells a contradiction from what is merely not supported."""
        return self.contradiction is not None

    def scores(self, logits: Sequence[float]) -> NLIScores:
        """Probabilities of one pair, to six places: softmax of the logits, or a sigmoid where there is one.

        A two-class model's "not supported" counts as neutral; its contradiction is always 0.
        """
        values = np.asarray(logits, dtype=np.float64)
        if len(values) == 1:
            shares = np.exp(-np.logaddexp(0.0, -values))
        else:
            powers = np.exp(values - values.max())
            shares = powers / powers.sum()
        entailment = round(float(shares[self.entailment]), 6)
        if self.contradiction is None or self.neutral is None:
            return NLIScores(entailment=entailment, neutral=round(1 - entailment, 6), contradiction=0.0)
        neutral, contradiction = (round(float(shares[i]), 6) for i in (self.neutral, self.contradiction))
        return NLIScores(entailment=entailment, neutral=neutral, contradiction=contradiction)


def heads_of(labels: Mapping[int, str], model: str) -> Heads:
    """Read ``id2label``; case, ``_`` and ``-`` do not matter. A single output is taken as "supported".

    Raises:
        ConfigError: a name is unknown (``LABEL_0`` is never guessed), two classes have the same meaning,
            or the classes are neither entailment, neutral, contradiction nor supported, unsupported.
    """
    if len(labels) == 1:
        return Heads(entailment=0)
    names = {index: " ".join(re.split(r"[\s_-]+", name.strip().casefold())) for index, name in labels.items()}
    places: dict[str, int] = {}
    for index, name in names.items():
        meaning = next((known for known, words in _NAMES.items() if name in words), None)
        if meaning is None and name in _NOT_SUPPORTED and len(labels) == 2:
            meaning = "neutral"
        if meaning is None or meaning in places:
            raise _refusal(labels, model, "unknown" if meaning is None else "doubled", labels[index])
        places[meaning] = index
    if len(labels) == 3:
        return Heads(**places)
    if places.keys() == {"entailment", "neutral"}:
        return Heads(entailment=places["entailment"])
    raise _refusal(labels, model, "unfit", next(iter(labels.values())))


def _refusal(labels: Mapping[int, str], model: str, why: str, label: str) -> ConfigError:
    given = ", ".join(repr(labels[index]) for index in sorted(labels))
    reason = {
        "unknown": f"label {label!r} is not known",
        "doubled": f"label {label!r} means the same as another one",
        "unfit": "with these classes it cannot say that evidence is not enough",
    }[why]
    return ConfigError(
        f"cross-encoder {model!r} has the labels {given}: {reason}. Needed are entailment, neutral and "
        "contradiction, or supported and unsupported; correct id2label in a local copy of its config.json."
    )
