"""Every way to forge a certificate that we could think of, on real ones, and which answer notices it.

The tables in ``docs/threat-model.md`` are what these tests find; ``UPDATE_DOCS=1`` writes them anew.
``FULL_TAMPER=1`` alters every single field of 51 certificates (see ``tests/factdesk/tampering.py``).
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from report.certificate.keys import Keyring, PrivateKey
from report.certificate.sealing import load, parse
from report.policy.fingerprints import policy_record
from report.types import Head
from report.verification.files import make_tools
from report.verification.integrity import verify_chain, verify_integrity
from report.verification.rerun import reverify
from tests.factdesk.tampering import (
    EVERY,
    FULL,
    Desk,
    Tally,
    body_leaves,
    canonical_once,
    chosen,
    remembering,
)
from tests.report.forging import (
    Forge,
    Path_,
    altered,
    at,
    head_for,
    pattern,
    read,
    rehashed,
    reordered_evidence,
    resigned,
    swapped_evidence,
    text_of,
    unsigned,
    with_leaf,
)
from verifier.backends.factory import SMALL, make_verifier
from verifier.backends.score_cache import ScoreCache

THREATS = Path(__file__).resolve().parents[2] / "docs" / "threat-model.md"
CLAIMS: tuple[tuple[str, str | None], ...] = (
    ("The refurbishment of the Tollgate Library cost £6.2 million.", None),
    (
        "At the start of 2025, 18,740 people lived in Harrowmere. The shelves hold 48,000 books.",
        None,
    ),
    ("The sign says that Harrowmere is twinned with Saint-Aubry.", "sign.png"),
)
TWO_HOP = "The firm that repaired the front of Aldmoor Library has been in business since 1938."
"""Its certificate has two statements with a name in them; its corpus is of two documents."""
WITHOUT_THE_KEY = ("and re-hashed", "and the signature taken off", "and re-signed with another key")


@pytest.fixture(scope="module")
def desk(stocked_home: Path, repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """Real checks, real keys, the shipped model."""
    import shutil

    home = tmp_path_factory.mktemp("tamper") / "home"
    shutil.copytree(stocked_home, home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FACTDESK_HOME", str(home))
        patch.setattr("report.certificate.sealing.canonical", canonical_once)
        from factdesk.checker import FactChecker, open_ledger
        from factdesk.settings import load_settings

        checker = FactChecker(load_settings(verifier=SMALL))
        for claim, image in _claims(repository):
            checker.check(claim, images=[repository / "examples" / "images" / image] if image else [])
        two_hop = repository / "tests" / "data" / "two-hop-unseen" / "corpus"
        shelf = tmp_path_factory.mktemp("shelf")
        for name in ("aldmoor-library.md", "builders-dinner.md"):
            shutil.copy(two_hop / name, shelf)
        checker.check(TWO_HOP, corpus=(str(shelf),))
        ledger = open_ledger(checker.settings)
        ring = Keyring(checker.settings.paths.keys)
        tools = make_tools(SMALL)
        cached = make_verifier(SMALL, cache=ScoreCache(home / "again.sqlite"))
        head = ledger.head()
        assert head is not None
        yield Desk(
            tuple(ledger.texts()),
            head,
            ring.signer,
            ring.known(),
            remembering(tools, cached),
        )


def _claims(repository: Path) -> list[tuple[str, str | None]]:
    if not FULL:
        return list(CLAIMS)
    lines = (repository / "examples" / "claims.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines][:50]
    return [(row["claim"], Path(row["image"]).name if row.get("image") else None) for row in rows]


def attacks(data: Any, path: Path_) -> Any:
    return with_leaf(data, path, altered(at(data, path), path[-1]))


def test_the_real_certificates_hold_in_every_answer(desk: Desk) -> None:
    states = set()
    for text in desk.texts:
        certificate, integrity = verify_integrity(text, desk.known)
        assert certificate is not None
        assert integrity.ok, integrity.problems
        assert integrity.signature == "valid"
        assert desk.in_history(certificate).ok is True
        again = reverify(certificate, desk.tools, policy_record())
        assert again.ok is True, (again.problems, again.differences, again.badge_mismatches)
        assert again.max_score_diff == 0.0
        assert again.spans >= 1
        states |= {d.state for d in certificate.body.decisions}
        assert certificate.body.retrieval is not None
        assert certificate.body.prompts_sha256 is not None
    assert {"VERIFIED", "UNVERIFIED"} <= states
    assert desk.chain(list(desk.texts)).ok is True
    assert any(load(t).body.bridges for t in desk.texts), "no statement with a name was put again"
    assert any(g.edges for t in desk.texts if (g := load(t).body.trust_graph)), "no relation was scored again"


@pytest.fixture(scope="module")
def tally(desk: Desk) -> Tally:
    return Tally(certificates=len(desk.forges))


def test_every_field_altered_is_noticed_by_integrity(desk: Desk, tally: Tally) -> None:
    """Altered; altered and re-hashed; without its signature; and signed with another key."""
    other = _new_key()
    number = 0
    for forge, paths in chosen(desk):
        for path in paths:
            number += 1
            body = forge.altered(path)
            assert not verify_integrity(forge.as_it_was(body), desk.known)[1].ok, path
            tally.add("altered", "integrity")
            for name in WITHOUT_THE_KEY if FULL else [WITHOUT_THE_KEY[number % 3]]:
                forged = sealed(forge, body, name, other)
                assert not verify_integrity(forged, desk.known)[1].ok, (name, path)
                tally.add(name, "integrity")
        tally.write()
    assert number > 100
    for name, value in desk.data[0]["envelope"].items():
        forged = with_leaf(desk.data[0], ("envelope", name), altered(value, name))
        for one in (forged, rehashed(forged), resigned(forged, other)):
            if text_of(one) != desk.texts[0]:
                assert not verify_integrity(text_of(one), desk.known)[1].ok, name


def sealed(forge: Forge, body: bytes, way: str, other: PrivateKey) -> str:
    """A certificate with an altered body and what an attacker can seal it with."""
    if way == "and re-hashed":
        return forge.rehashed(body)
    return forge.unsigned(body) if way == "and the signature taken off" else forge.resigned(body, other)


@pytest.fixture(scope="module")
def fields(desk: Desk, tally: Tally) -> dict[str, str]:
    """Per kind of field: which answer notices an alteration signed with the true key, completeness aside."""
    found: dict[str, set[str]] = defaultdict(set)
    for forge, paths in chosen(desk):
        for path in paths:
            answer = noticed_by(desk, forge.resigned(forge.altered(path), desk.key), path)
            found[pattern(path[1:])].add(answer)
            tally.add("and re-signed with the true key", answer)
        tally.write()
    return {name: ", ".join(sorted(answers)) for name, answers in found.items()}


def noticed_by(desk: Desk, forged: str, path: Path_) -> str:
    """The answer that notices what was signed with the true key; ``completeness``: only that does."""
    certificate, integrity = verify_integrity(forged, desk.known)
    assert certificate is None or desk.in_history(certificate).ok is False, f"{path} was altered unnoticed"
    if certificate is None or not integrity.ok:
        return "integrity"
    assert integrity.signature == "valid"
    again = reverify(certificate, desk.tools, policy_record())
    return {False: "reverified", None: "could not decide", True: "completeness"}[again.ok]


def test_every_field_altered_and_signed_with_the_true_key_is_noticed(fields: dict[str, str]) -> None:
    """By the schema, by the re-run, or at least by a history that somebody kept (see the fixture)."""
    assert len(fields) > 100
    assert all(fields.values())
    for name, answers in fields.items():
        if name.startswith(("claims[].spans[].assessment", "bridges", "decisions", "verdict", "thresholds.tau")):
            assert "completeness" not in answers, name


def test_a_score_altered_and_signed_with_the_true_key_fails_the_rerun(desk: Desk) -> None:
    tried = 0
    for forge in desk.forges:
        for path in body_leaves(forge.data):
            if path[-1] not in {"entailment", "contradiction", "neutral"} or "assessment" not in path:
                continue
            tried += 1
            if not EVERY and tried % (40 if FULL else 10_000) not in {1, 2, 3, 39}:
                continue
            forged = forge.resigned(forge.altered(path), desk.key)
            certificate, integrity = verify_integrity(forged, desk.known)
            assert certificate is not None
            assert integrity.ok, "the signature is the true one, so integrity cannot notice"
            again = reverify(certificate, desk.tools, policy_record())
            assert again.ok is False, path
            assert again.max_score_diff is not None
            assert again.max_score_diff >= 0.0199


def test_a_badge_altered_and_signed_with_the_true_key_is_named(desk: Desk) -> None:
    data = next(d for d in map(read, desk.texts) if d["body"]["decisions"][0]["state"] == "UNVERIFIED")
    decision = data["body"]["decisions"][0]
    decision.update(state="VERIFIED", label="entailed", conflicting=False)
    spans = data["body"]["claims"][0]["spans"]
    decision["span_ids"] = [spans[0]["span"]["span_id"]]
    data["body"]["verdict"] = "supported" if len(data["body"]["decisions"]) == 1 else data["body"]["verdict"]
    certificate = parse(text_of(resigned(data, desk.key)))
    again = reverify(certificate, desk.tools, policy_record())
    assert again.ok is False
    assert {(m.recorded, m.recomputed, m.how) for m in again.badge_mismatches} == {
        ("VERIFIED", "UNVERIFIED", "policy"),
        ("VERIFIED", "UNVERIFIED", "model"),
    }
    assert reverify(certificate, None, policy_record()).ok is False, "by the policy"


def test_other_weights_or_none_leave_it_open_and_say_why(desk: Desk) -> None:
    certificate = load(desk.texts[0])
    without = reverify(certificate, None, policy_record(), missing="no weights here")
    assert (without.ok, without.max_score_diff, without.differences) == (None, None, ("no weights here",))
    verifier = desk.tools.verifier

    class Other:
        fingerprint = verifier.fingerprint.model_copy(update={"sha256": "0" * 64})
        can_contradict = True
        thresholds = verifier.thresholds

        def assess(self, pairs: Any) -> Any:
            raise AssertionError("other weights must not be asked")

    again = reverify(certificate, dataclasses.replace(desk.tools, verifier=Other()), policy_record())
    assert again.ok is None
    assert "verifier:minilm-fact" in again.differences[0]
    assert "0000000000000000" in again.differences[0]


def test_other_rules_leave_it_open_and_are_named(desk: Desk) -> None:
    certificate, here = load(desk.texts[0]), policy_record()
    altered_rules = tuple(
        r.model_copy(update={"sha256": "0" * 64, "version": "0" * 12}) if r.name == "verifier.guard" else r
        for r in desk.tools.rules
    )
    again = reverify(certificate, dataclasses.replace(desk.tools, rules=altered_rules), here)
    assert again.ok is None
    assert [d.split(":")[0] for d in again.differences] == ["verifier.guard"]
    first, *rest = here.constants
    other = here.model_copy(update={"constants": (first.model_copy(update={"value": 9.0}), *rest)})
    again = reverify(certificate, desk.tools, other)
    assert again.ok is None
    assert again.differences == (f"constant {first.name!r}: {first.value!r} there, 9.0 here",)
    twice = here.model_copy(update={"constants": (first, *here.constants)})
    assert reverify(certificate, desk.tools, twice).ok is None
    assert reverify(certificate, desk.tools, here.model_copy(update={"sha256": "0" * 64})).ok is None


def chain_attacks(desk: Desk) -> dict[str, tuple[list[str], Head, bool]]:
    """Per attack: the texts, the head that comes with them, and whether a kept head is needed to notice."""
    texts, data, key = list(desk.texts), desk.data, desk.key
    twin = text_of(resigned(with_leaf(data[1], ("body", "claim_text"), "Another."), key))
    again = text_of(
        resigned(data[0], key, sequence=len(texts) + 1, previous_sha256=data[-1]["envelope"]["envelope_sha256"])
    )
    rewritten = text_of(resigned(data[-1], key, created="2020-01-01T00:00:00Z"))
    return {
        "the end cut off": (texts[:-1], desk.head, False),
        "the end cut off, head signed anew with the true key": (
            texts[:-1],
            head_for(texts[:-1], key),
            True,
        ),
        "the last one replaced, it and the head signed with the true key": (
            [*texts[:-1], rewritten],
            head_for([*texts[:-1], rewritten], key),
            True,
        ),
        "the beginning cut off": (texts[1:], desk.head, False),
        "one taken out of the middle": ([texts[0], *texts[2:]], desk.head, False),
        "order changed": ([texts[0], *reversed(texts[1:])], desk.head, False),
        "forked: two at one place, both with the true key": (
            [*texts[:2], twin, *texts[2:]],
            desk.head,
            False,
        ),
        "one replaced by a twin signed with the true key": ([texts[0], twin, *texts[2:]], desk.head, False),
        "replayed: a copy of an old one at the end": ([*texts, texts[0]], desk.head, False),
        "replayed: an old one placed anew, signed with the true key": (
            [*texts, again],
            head_for([*texts, again], key),
            False,
        ),
        "the head of another history": (texts, head_for([twin], key), False),
        "the head signed with another key": (texts, head_for(texts, _new_key()), False),
    }


def test_every_attack_on_the_chain_is_noticed(desk: Desk) -> None:
    for name, (texts, head, needs_kept) in chain_attacks(desk).items():
        alone = desk.chain(texts, head)
        assert (alone.ok is False) is not needs_kept, name
        assert desk.chain(texts, head, desk.head).ok is False, name
    assert verify_chain(desk.texts, head=None, known=(), keys=desk.known, scope="export").ok is False
    assert desk.chain([]).ok is False
    assert desk.chain([*desk.texts, "{}"]).ok is False


def _new_key() -> PrivateKey:
    from report.certificate.keys import _new_key as make

    return make()


def answers_on(desk: Desk, forged: Any) -> tuple[str, str, str]:
    text = text_of(forged)
    certificate, integrity = verify_integrity(text, desk.known)
    whole = desk.in_history(certificate).ok if certificate else None
    again = reverify(certificate, desk.tools, policy_record()).ok if certificate else False
    words = {True: "-", False: "**fails**", None: "open"}
    return words[integrity.ok], words[whole], words[again]


def attack_table(desk: Desk) -> list[str]:
    """The rows of the first table: one alteration of a score, and the attacks on whole certificates."""
    data = desk.data[0]
    span = ("body", "claims", 0, "spans", 0, "assessment", "calibrated", "entailment")
    score = attacks(data, span)
    other = _new_key()
    rows = {
        "a score altered": score,
        "... and re-hashed": rehashed(score),
        "... and the signature taken off": unsigned(score),
        "... and re-signed with another key": resigned(score, other),
        "... and re-signed with the true key": resigned(score, desk.key),
        "evidence swapped, true key": resigned(swapped_evidence(read(desk.texts[0])), desk.key),
        "assessments swapped between spans, true key": resigned(reordered_evidence(read(desk.texts[0])), desk.key),
        "the time altered, true key": resigned(data, desk.key, created="2020-01-01T00:00:00Z"),
    }
    lines = ["| attack on a certificate | integrity | completeness | reverified |", "|---|---|---|---|"]
    for name, forged in rows.items():
        found = answers_on(desk, forged)
        assert "**fails**" in found, name
        lines.append(f"| {name} | {' | '.join(found)} |")
    lines += ["", "| attack on the chain | completeness | with a head kept before |", "|---|---|---|"]
    for name, (texts, head, needs_kept) in chain_attacks(desk).items():
        assert desk.chain(texts, head, desk.head).ok is False
        lines.append(f"| {name} | {'-' if needs_kept else '**fails**'} | **fails** |")
    return lines


def field_table(fields: dict[str, str]) -> list[str]:
    groups: dict[str, list[str]] = defaultdict(list)
    for name, answers in sorted(fields.items()):
        groups[answers].append(f"`{name}`")
    lines = ["| noticed by | fields |", "|---|---|"]
    for answers in sorted(groups):
        lines.append(f"| {answers} | {', '.join(groups[answers])} |")
    return lines


@pytest.mark.skipif(FULL, reason="the tables are those of the four certificates")
def test_the_tables_in_the_threat_model_are_what_is_found(desk: Desk, fields: dict[str, str]) -> None:
    text = THREATS.read_text(encoding="utf-8")
    for marker, lines in (("attacks", attack_table(desk)), ("fields", field_table(fields))):
        begin, end = f"<!-- {marker}: begin -->\n", f"<!-- {marker}: end -->"
        before, rest = text.split(begin)
        stored, after = rest.split(end)
        made = "\n".join(lines) + "\n"
        text = before + begin + made + end + after
        assert os.environ.get("UPDATE_DOCS") or stored == made
    if os.environ.get("UPDATE_DOCS"):
        THREATS.write_text(text, encoding="utf-8")
