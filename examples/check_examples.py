"""Check that the shipped examples are complete and honest about themselves.

Counts of articles, roles, images and claims; front matter; that every quoted sentence is an exact substring
of its article; that copies are copies; that at least 45 claims are paraphrases. Needs the standard library
alone.

Usage::

    python examples/check_examples.py

Exit code 0 when everything holds, otherwise 1 with one sentence per problem on stderr.
"""

# ruff: noqa: T201  (a script: printing is what it is for)

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from example_files import (
    CORPUS,
    RUN,
    Article,
    Claim,
    Findings,
    is_iso_date,
    read_article,
    read_claim,
    read_json_lines,
    runs,
    text_of,
)
from image_texts import TEXTS

HERE = Path(__file__).resolve().parent

TOPICS = (
    "local",
    "science",
    "business",
    "health",
    "sports",
    "transport",
    "energy",
    "environment",
    "culture",
    "technology",
)
PER_TOPIC = 6
WORDS = (120, 260)
ROLES = {"agreeing": 28, "disagreeing": 10, "outdated": 10, "copied": 6, "untrustworthy": 6}
LABELS = {"supported": 20, "refuted": 20, "not_enough_evidence": 20}
IMAGES = 8
IMAGE_BYTES = 200_000
WITH_IMAGE = 15
QUESTIONS = 50
PARAPHRASES = 45
COPY_OVERLAP = 0.7
OTHER_OVERLAP = 0.3
FRONT_KEYS = ("title", "publisher", "published", "url", "author")


def check_articles(articles: list[Article], findings: Findings) -> None:
    """Check number, topics, front matter and length of the articles."""
    findings.expect(len(articles) == PER_TOPIC * len(TOPICS), f"{len(articles)} articles instead of 60")
    per_topic = Counter(article.doc_id.split("/")[0] for article in articles)
    findings.expect(per_topic == Counter(dict.fromkeys(TOPICS, PER_TOPIC)), f"articles per topic: {dict(per_topic)}")
    lengths: list[int] = []
    for article in articles:
        lengths.append(len(article.body.split()))
        low, high = WORDS
        findings.expect(
            low <= lengths[-1] <= high, f"{article.doc_id}: {lengths[-1]} words, allowed are {low} to {high}"
        )
        findings.expect(tuple(article.front) == FRONT_KEYS, f"{article.doc_id}: front matter has {list(article.front)}")
        findings.expect(is_iso_date(article.front.get("published", "")), f"{article.doc_id}: published is no ISO date")
        findings.expect(
            re.fullmatch(r"https://[a-z0-9-]+\.example/\S+", article.front.get("url", "")) is not None,
            f"{article.doc_id}: url must be https://<publisher>.example/…",
        )
    addresses = Counter(article.front.get("url", "") for article in articles)
    findings.expect(max(addresses.values(), default=0) <= 1, "two articles have the same url")
    findings.facts.append(f"{len(articles)} articles, {min(lengths)} to {max(lengths)} words, {sum(lengths)} in all")


def check_roles(articles: list[Article], rows: list[dict[str, object]], findings: Findings) -> None:
    """Check ``roles.jsonl``: one role per article, and exactly the declared copies are near-duplicates."""
    by_id = {article.doc_id: article for article in articles}
    roles = {text_of(row, "doc_id"): text_of(row, "role") for row in rows}
    findings.expect(roles.keys() == by_id.keys(), "roles.jsonl and corpus/ name different articles")
    counted = Counter(roles.values())
    findings.expect(counted == Counter(ROLES), f"roles: {dict(counted)} instead of {ROLES}")
    declared = {frozenset((text_of(row, "doc_id"), text_of(row, "copy_of"))) for row in rows if "copy_of" in row}
    shingles = {article.doc_id: runs(article.body) for article in articles}
    ids = sorted(shingles)
    for index, first in enumerate(ids):
        for second in ids[index + 1 :]:
            union = len(shingles[first] | shingles[second])
            overlap = len(shingles[first] & shingles[second]) / union if union else 0.0
            if frozenset((first, second)) in declared:
                same = by_id[first].front.get("publisher") == by_id[second].front.get("publisher")
                findings.expect(overlap >= COPY_OVERLAP, f"{first} and {second}: overlap only {overlap:.2f}")
                findings.expect(not same, f"{first} and {second}: a copy needs another publisher")
            else:
                findings.expect(overlap <= OTHER_OVERLAP, f"{first} and {second}: overlap {overlap:.2f}, no copy")
    findings.facts.append("roles: " + ", ".join(f"{count} {role}" for role, count in sorted(counted.items())))


def check_quotes(claim: Claim, bodies: dict[str, str], drawn: dict[str, set[str]], findings: Findings) -> None:
    """Check that the quotes of one claim exist where it says, and that it has the kinds its label needs."""
    for quote in claim.quotes:
        if quote.kind == "image_evidence":
            findings.expect(quote.source == claim.image, f"{claim.id}: image evidence from {quote.source!r}")
            known = drawn.get(quote.source, set())
            findings.expect(quote.text in known, f"{claim.id}: {quote.text!r} is not in {quote.source}")
        elif quote.source not in bodies:
            findings.problems.append(f"{claim.id}: no article {quote.source!r}")
        else:
            count = bodies[quote.source].count(quote.text)
            findings.expect(count == 1, f"{claim.id}: quote stands {count} times in {quote.source}: {quote.text!r}")
    kinds = {quote.kind for quote in claim.quotes}
    if claim.label == "not_enough_evidence":
        findings.expect("gold_evidence" not in kinds, f"{claim.id}: has gold evidence, but is undecided")
    else:
        findings.expect(bool(kinds & {"gold_evidence", "image_evidence"}), f"{claim.id}: has no evidence")


def check_claims(claims: list[Claim], articles: list[Article], findings: Findings) -> None:
    """Check number, labels, topics, images, evidence and wording of the claims."""
    bodies = {article.doc_id: article.body for article in articles}
    drawn = {f"images/{name}": set(texts) for name, texts in TEXTS.items()}
    labels = Counter(claim.label for claim in claims)
    findings.expect(labels == Counter(LABELS), f"labels: {dict(labels)} instead of {LABELS}")
    findings.expect(len({claim.id for claim in claims}) == len(claims), "claim ids are not unique")
    findings.expect(len({claim.text for claim in claims}) == len(claims), "two claims have the same text")
    per_cell = Counter((claim.topic, claim.label) for claim in claims)
    wanted = Counter({(topic, label): 2 for topic in TOPICS for label in LABELS})
    findings.expect(per_cell == wanted, f"each topic needs two claims per label: {per_cell - wanted}")
    for claim in claims:
        complete = bool(claim.id and claim.text and claim.note)
        findings.expect(complete, f"{claim.id}: id, claim or note is empty")
        if claim.date is not None:
            findings.expect(is_iso_date(claim.date), f"{claim.id}: {claim.date!r} is no ISO date")
        if claim.image is not None:
            findings.expect((HERE / claim.image).is_file(), f"{claim.id}: no image {claim.image!r}")
        check_quotes(claim, bodies, drawn, findings)
    with_image = Counter(claim.label for claim in claims if claim.image)
    findings.expect(sum(with_image.values()) == WITH_IMAGE, f"{sum(with_image.values())} claims with an image")
    findings.facts.append("claims: " + ", ".join(f"{count} {label}" for label, count in labels.items()))
    findings.facts.append("with an image: " + ", ".join(f"{count} {label}" for label, count in with_image.items()))


def check_wording(claims: list[Claim], articles: list[Article], findings: Findings) -> None:
    """Check that enough claims share no run of four words with the sentences they point to."""
    pointed = [claim.id for claim in claims if any(runs(claim.text) & runs(quote.text) for quote in claim.quotes)]
    everywhere = set().union(*(runs(article.body) for article in articles))
    anywhere = [claim.id for claim in claims if runs(claim.text) & everywhere]
    decided = {claim.id for claim in claims if claim.label != "not_enough_evidence"}
    free, free_decided = len(claims) - len(pointed), len(decided) - len(decided & set(pointed))
    findings.expect(
        free >= PARAPHRASES, f"only {free} claims are paraphrases, {PARAPHRASES} are needed; not: {pointed}"
    )
    findings.facts.append(
        f"no run of {RUN} words shared with their evidence or near misses: {free} of {len(claims)} claims "
        f"({free_decided} of the {len(decided)} decided ones); "
        f"with any sentence of the corpus: {len(claims) - len(anywhere)}"
    )
    findings.facts.append(f"sharing a run with their evidence: {', '.join(pointed)}")


def check_images(claims: list[Claim], findings: Findings) -> None:
    """Check number, size and use of the images."""
    images = sorted(path for path in (HERE / "images").glob("*") if path.is_file())
    findings.expect(len(images) == IMAGES, f"{len(images)} images instead of {IMAGES}")
    used = {claim.image for claim in claims}
    for path in images:
        size = path.stat().st_size
        findings.expect(0 < size < IMAGE_BYTES, f"{path.name}: {size} bytes, the limit is {IMAGE_BYTES}")
        findings.expect(f"images/{path.name}" in used, f"{path.name}: no claim uses it")
    findings.facts.append(f"{len(images)} images, all used")


def check_questions(rows: list[dict[str, object]], articles: list[Article], findings: Findings) -> None:
    """Check ``questions.jsonl`` and ``sources.txt``: quotes hold an accepted answer; no rumour blog."""
    bodies = {article.doc_id: article.body for article in articles}
    findings.expect(len(rows) == QUESTIONS, f"{len(rows)} questions instead of {QUESTIONS}")
    findings.expect(len({text_of(r, "question") for r in rows}) == len(rows), "two questions are the same")
    for row in rows:
        name, accept, gold = text_of(row, "id"), row.get("accept"), row.get("gold_evidence")
        if not isinstance(accept, list) or not isinstance(gold, list):
            findings.problems.append(f"{name}: accept or gold_evidence is no list")
            continue
        findings.expect(bool(accept) == bool(gold), f"{name}: answers and evidence do not go together")
        quotes = [(str(item.get("doc_id")), str(item.get("quote"))) for item in gold]
        for doc_id, quote in quotes:
            findings.expect(quote in bodies.get(doc_id, ""), f"{name}: {quote!r} is not in {doc_id!r}")
        held = not accept or any(str(a).lower() in quote.lower() for a in accept for _, quote in quotes)
        findings.expect(held, f"{name}: no quote holds an accepted answer")
    sites = {line for line in (HERE / "sources.txt").read_text().splitlines() if line and line[0] != "#"}
    roles = {text_of(r, "doc_id"): text_of(r, "role") for r in read_json_lines(HERE / "roles.jsonl", findings)}
    for article in articles:
        host = article.front.get("url", "").split("/")[2]
        named = roles.get(article.doc_id) != "untrustworthy"
        findings.expect((host in sites) == named, f"sources.txt: {host} must{'' if named else ' not'} be named")
    findings.facts.append(f"{len(rows)} questions, {sum(bool(r.get('accept')) for r in rows)} with an answer")


def check_all() -> Findings:
    """Run every check over the folder this script stands in."""
    findings = Findings()
    articles = [read_article(path, findings) for path in sorted(CORPUS.rglob("*.md"))]
    claims = [read_claim(row, findings) for row in read_json_lines(HERE / "claims.jsonl", findings)]
    check_articles(articles, findings)
    check_roles(articles, read_json_lines(HERE / "roles.jsonl", findings), findings)
    check_claims(claims, articles, findings)
    check_wording(claims, articles, findings)
    check_images(claims, findings)
    check_questions(read_json_lines(HERE / "questions.jsonl", findings), articles, findings)
    return findings


def main() -> int:
    """Print what was found and return the exit code."""
    try:
        findings = check_all()
    except OSError as error:
        print(f"a file of the examples cannot be read: {error}", file=sys.stderr)
        return 1
    for fact in findings.facts:
        print(fact)
    for problem in findings.problems:
        print(problem, file=sys.stderr)
    return 1 if findings.problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
