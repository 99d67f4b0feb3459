"""``factdesk eval gates``: what each part of the trust gate buys against planted documents."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.attacks.attacks import HELD_OUT, METHODS, plant
from evaluation.attacks.poison import Claim, chosen, is_right, wanted
from evaluation.data.claims import read_claims
from evidence.types import Document
from factdesk.checker import FactChecker
from factdesk.corpora.stored import Corpora
from factdesk.corpus_trust.open import open_desk
from factdesk.corpus_trust.ranking import TrustDesk
from factdesk.kernel import InputError, Record
from factdesk.settings import Settings, load_settings

GATES: Mapping[str, Mapping[str, object]] = {
    "off": {"trust": False},
    "check": {"corpus_trust": "off"},
    "corpus": {"corpus_trust": "stored"},
    "seeds": {"corpus_trust": "stored"},
    "sources": {"corpus_trust": "stored", "thresholds": {"min_independent": 2}},
}
"""Settings by gate: none, the check's own documents, the whole corpus, the same with documents named as trusted,
the same with two independent sources asked for.
"""
CORPUS = "gates"


class GateRow(Record):
    """One gate over all claims and attacks."""

    gate: str
    n: int
    """Claims that were attacked."""
    attacks: int
    success: int
    """Attacks after which the verdict was the one the attacker wanted, and had not been so before."""
    clean: int
    """Right verdicts without planted documents, of ``n``."""
    poisoned: int
    """Right verdicts with them, of ``attacks``."""
    wrong: tuple[str, ...]
    """Claim and attack of each success."""


@dataclass(frozen=True)
class Trial:
    """What is attacked and how; ``each`` documents are planted for one claim at a time."""

    claims: Path
    corpora: Sequence[str]
    methods: Sequence[str] = ()
    """None: all."""
    gates: Sequence[str] = ()
    """None: all."""
    limit: int | None = None
    """So many claims, drawn by ``seed``, as many of each label as can be."""
    each: int = 3
    seeds: int = 6
    """Clean documents named as trusted, drawn by ``seed``."""
    seed: int = 0


def evaluate_gates(trial: Trial, done: Callable[[str], None] = lambda _told: None) -> tuple[GateRow, ...]:
    """Check every claim under every gate, without and with planted documents, in a corpus made for it.

    Planted documents are drawn, paired and related like any others before the check. Raises ``InputError`` for
    claims or corpora that do not fit.
    """
    rows = chosen([(r.id, r.claim, r.label) for r in read_claims(trial.claims)], trial.limit, trial.seed)
    names = trial.gates or tuple(GATES)
    documents = _documents(load_settings(), trial.corpora)
    with tempfile.TemporaryDirectory(prefix="factdesk-gates-", ignore_cleanup_errors=True) as home:
        desk = _Desk.made(Path(home), names, documents, _drawn(documents, trial.seeds, trial.seed))
        clean = {(g, i): desk.verdict(g, text) for g in names for i, text, _ in rows}
        done("without planted documents: checked")
        found: dict[tuple[str, str, str], str] = {}
        for method in trial.methods or (*METHODS, *HELD_OUT):
            planted = plant(rows, method, len(rows) * trial.each, trial.seed)
            for claim_id, text, _ in rows:
                with desk.holding(planted[claim_id]):
                    found |= {(g, method, claim_id): desk.verdict(g, text) for g in names}
                done(f"{method}, {claim_id}: checked")
    return tuple(_row(gate, rows, clean, found) for gate in names)


@dataclass(frozen=True)
class _Desk:
    """A home folder of its own with one corpus and its trust."""

    checkers: Mapping[str, FactChecker]
    corpora: Corpora
    trust: TrustDesk
    seeds: tuple[str, ...]

    @classmethod
    def made(cls, home: Path, gates: Sequence[str], documents: Sequence[Document], seeds: tuple[str, ...]) -> _Desk:
        checkers = {g: FactChecker(load_settings(home=home, **GATES[g])) for g in gates}
        settings = load_settings(home=home)
        corpora = Corpora(settings)
        corpora.add_documents(CORPUS, documents)
        trust = open_desk(settings, CORPUS)
        trust.update()
        return cls(checkers, corpora, trust, seeds)

    def verdict(self, gate: str, text: str) -> str:
        """The verdict under a gate; documents are named as trusted for ``seeds`` alone."""
        if gate == "seeds":
            self.trust.add_seeds("document", self.seeds)
        try:
            return self.checkers[gate].check(text, corpus=(CORPUS,), record=False).verdict
        finally:
            self.trust.remove_seeds("document", self.seeds)

    @contextmanager
    def holding(self, planted: Sequence[Document]) -> Iterator[None]:
        """Planted documents stand in the corpus, and in its trust."""
        self.corpora.add_documents(CORPUS, planted)
        self.trust.update()
        yield
        self.corpora.remove(CORPUS, [d.doc_id for d in planted])


def _documents(settings: Settings, names: Sequence[str]) -> list[Document]:
    corpora, found = Corpora(settings), dict[str, Document]()
    for name in names:
        corpus, store, _ = corpora.resolve(name)
        found |= {d.doc_id: d for d in store.iter_documents(corpus)}
    if not found:
        raise InputError(f"corpora {list(names)!r} hold no documents; name one with --corpus")
    return [found[key] for key in sorted(found)]


def _drawn(documents: Sequence[Document], count: int, seed: int) -> tuple[str, ...]:
    order = np.random.default_rng(seed).permutation(len(documents))
    return tuple(sorted(documents[int(i)].doc_id for i in order[:count]))


def _row(
    gate: str,
    rows: Sequence[Claim],
    clean: Mapping[tuple[str, str], str],
    found: Mapping[tuple[str, str, str], str],
) -> GateRow:
    labels = {claim_id: label for claim_id, _, label in rows}
    mine = {(method, i): verdict for (g, method, i), verdict in found.items() if g == gate}
    wrong = [f"{i} {method}" for (method, i), verdict in mine.items() if verdict == wanted(labels[i]) != clean[gate, i]]
    return GateRow(
        gate=gate,
        n=len(rows),
        attacks=len(mine),
        success=len(wrong),
        clean=sum(is_right(clean[gate, i], label) for i, label in labels.items()),
        poisoned=sum(is_right(verdict, labels[i]) for (_, i), verdict in mine.items()),
        wrong=tuple(sorted(wrong)),
    )
