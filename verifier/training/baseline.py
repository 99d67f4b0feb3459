"""How far the labels can be guessed from one half of a pair: what a verifier's accuracy does not prove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from verifier.calibration.labelled_pairs import LABELS, Pair
from verifier.training.passages import Passage

MAX_TRAIN = 150_000
FOLDS = 5


def claim_only(train: Sequence[Pair], sets: Mapping[str, Sequence[Pair]]) -> dict[str, float]:
    """Accuracy of the claim-only guess on each set, restricted to the labels present in it.

    Words and word pairs of the claim, by logistic regression, trained on the pairs the model was trained on.
    """
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import SGDClassifier

    words = HashingVectorizer(ngram_range=(1, 2), n_features=2**18, alternate_sign=False)
    hard = [p for p in train if max(p.target) == 1.0][:MAX_TRAIN]
    model = SGDClassifier(loss="log_loss", alpha=1e-6, random_state=0, max_iter=8, tol=None)
    model.fit(words.transform(p.hypothesis for p in hard), [LABELS.index(p.label) for p in hard])
    figures = {}
    for name, pairs in sets.items():
        gold = np.array([LABELS.index(p.label) for p in pairs])
        present = np.unique(gold)
        found = model.predict_proba(words.transform(p.hypothesis for p in pairs))
        scores = np.zeros((len(pairs), len(LABELS)))
        scores[:, model.classes_] = found  # a label the training pairs lack is never guessed
        guess = present[scores[:, present].argmax(axis=1)]
        figures[name] = round(float((guess == gold).mean()), 4)
    return figures


def halves_alone(passages: Sequence[Passage]) -> dict[str, float]:
    """Accuracy on the claims of passages: by the claim alone, by the passage alone, of the majority."""
    rows = [(n, p.text, c.claim, c.label) for n, p in enumerate(passages) for c in p.claims]
    groups, texts, claims, labels = (list(column) for column in zip(*rows, strict=True))
    most = max(labels.count(label) for label in LABELS) / len(labels)
    return {
        "claim only": naive_bayes(claims, labels, groups),
        "evidence only": naive_bayes(texts, labels, groups),
        "majority": round(most, 4),
    }


def naive_bayes(texts: Sequence[str], labels: Sequence[str], groups: Sequence[int]) -> float:
    """Accuracy by words and word pairs, each group of texts judged by a model of the other folds."""
    guess = label_probabilities(texts, labels, groups).argmax(axis=1)
    return round(float((guess == np.array([LABELS.index(label) for label in labels])).mean()), 4)


def label_probabilities(texts: Sequence[str], labels: Sequence[str], groups: Sequence[int]) -> NDArray[np.float64]:
    """What a naive Bayes model of the other folds expects, in the order of ``LABELS``.

    *Shape:* (n_texts, 3), rows sum to 1.
    """
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(CountVectorizer(ngram_range=(1, 2)), MultinomialNB())
    gold = [LABELS.index(label) for label in labels]
    folds = GroupKFold(FOLDS)
    found: NDArray[np.float64] = cross_val_predict(model, texts, gold, groups=groups, cv=folds, method="predict_proba")
    return found
