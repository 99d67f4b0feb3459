"""The claim-only baseline: how far the labels can be guessed without the evidence.

Words and word pairs of the claim alone, by logistic regression, trained on the pairs the model was
trained on. What a set gives away here, the verifier's accuracy on it does not prove.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from verifier.calibration.labelled_pairs import LABELS, Pair

MAX_TRAIN = 150_000


def claim_only(train: Sequence[Pair], sets: Mapping[str, Sequence[Pair]]) -> dict[str, float]:
    """Accuracy of the claim-only guess on each set, restricted to the labels present in it."""
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
