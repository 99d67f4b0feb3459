"""Trust over a stored corpus: drawn, paired, related, kept, ranked, explained; the commands around it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluation.runs.runner import MeasuredChecker
from evidence.types import Document, Query
from factdesk.cli import cli
from factdesk.corpora.stored import Corpora
from factdesk.corpus_trust.open import named_seeds, open_cached, open_desk
from factdesk.corpus_trust.publisher_table import read_publishers
from factdesk.corpus_trust.ranking import TrustDesk
from factdesk.kernel import BackendUnavailable, ConfigError, InputError, sha256_text
from factdesk.parallel.stages import LocalExecutor, Models
from factdesk.settings import Settings, load_settings
from trust.types import RankOptions
from verifier.types import Assessment, PairText

TEXTS = {
    "wire": "The Elbe bridge in Hamburg reopened on 4 May 2024. Its repair cost 12 million euros.",
    "paper": "Hamburg's Elbe bridge was opened again on 4 May 2024. Hamburg paid 12 million euros.",
    "gossip": "The Elbe bridge in Hamburg did not reopen on 4 May 2024. Paul Klein was seen in Madrid.",
    "farm": "Farmers in Bavaria harvested 40 tons of potatoes in 2023.",
}


def document(doc_id: str, text: str, publisher: str | None = None) -> Document:
    return Document(
        doc_id=doc_id,
        title=doc_id,
        text=text,
        sha256=sha256_text(text),
        publisher=publisher,
        published=date(2024, 5, 6),
    )


def documents(texts: dict[str, str] = TEXTS) -> list[Document]:
    return [document(d, t, "Elbe Post" if d == "paper" else None) for d, t in texts.items()]


def desk_of(texts: dict[str, str] = TEXTS) -> TrustDesk:
    return open_cached(load_settings(), "c", documents(texts))


def store_corpus(settings: Settings, name: str = "news") -> None:
    from store.documents import SqlDocumentStore
    from store.engine import open_engine

    SqlDocumentStore(open_engine(settings.paths.database)).put_documents(name, documents())


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments), catch_exceptions=False)


def test_claims_are_kept_with_their_exact_place_and_related_both_ways() -> None:
    steps: list[str] = []
    desk = desk_of()
    built = desk.update(progress=lambda step, done, total: steps.append(step))
    assert built.documents == 4
    assert built.claims >= 6
    assert built.candidates == built.scored >= 2
    assert built.supporting + built.refuting + built.unrelated == 2 * built.scored
    assert list(dict.fromkeys(steps)) == ["drawing claims", "looking for pairs", "relating claims"]
    graph = desk.graph
    for claim in graph.claims.values():
        assert TEXTS[claim.doc_id][claim.start : claim.end].strip()
        assert claim.claim_id.startswith(f"{claim.doc_id}#c")
    ends = {(link.source, link.target) for link in graph.links}
    assert ends == {(b, a) for a, b in ends}
    assert not any("farm" in a or "farm" in b for a, b in ends)
    scores = graph.rank(RankOptions(coverage=True)).scores
    assert scores["wire"] > scores["farm"] == 0.5


def test_a_denial_bears_nothing_out() -> None:
    texts = {
        "rumour": "Tram line 4 in Port Selwick derailed twice in June 2025.",
        "office": "No tram derailed on line 4 in Port Selwick in June 2025, the transport office stated.",
    }
    desk = desk_of(texts)
    desk.update()
    links = desk.graph.links
    assert links, "the two are near enough to be looked at"
    assert all(link.denied or link.weight < 0 for link in links)
    assert desk.rank().scores["rumour"] <= 0.5


def test_an_update_works_on_what_is_new_alone() -> None:
    desk_of().update()
    again = desk_of().update()
    assert (again.documents, again.scored) == (0, 0)
    more = {**TEXTS, "late": "The Elbe bridge in Hamburg was reopened by the mayor on 4 May 2024."}
    grown = desk_of(more).update()
    assert grown.documents == 1
    assert 1 <= grown.scored < grown.candidates
    fewer = {d: t for d, t in more.items() if d != "wire"}
    after = desk_of(fewer)
    assert not any("wire" in link.source for link in after.graph.links)
    assert after.update().documents == 0
    changed = {**fewer, "paper": "Hamburg's town hall was painted green in 2021 by Anna Weber."}
    assert desk_of(changed).update().documents == 1


def test_what_was_stopped_is_taken_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, inner: object) -> None:
            self.fingerprint = inner.fingerprint  # type: ignore[attr-defined]

        def assess(self, pairs: Sequence[PairText], *, contested_from: float = 0.0) -> tuple[Assessment, ...]:
            raise BackendUnavailable("gone")

    desk = desk_of()
    whole = desk.models
    broken = Models(whole.embedder, lambda: Broken(whole.verifier()))  # type: ignore[arg-type, return-value]
    monkeypatch.setattr(desk, "executor", LocalExecutor(broken))
    with pytest.raises(BackendUnavailable):
        desk.update()
    after = desk_of().update()
    assert after.documents == 0, "the claims were kept"
    assert after.scored == after.candidates >= 2


def test_only_the_nearest_pairs_are_scored_where_a_cap_is_set_and_the_rest_later() -> None:
    first = desk_of().update(overall=1)
    assert first.scored == 1 < first.candidates
    assert desk_of().update(overall=1).scored == 0
    assert desk_of().update().scored == first.candidates - 1


def test_another_model_scores_anew() -> None:
    desk = desk_of()
    desk.update()
    store, corpus = desk.store, desk.corpus
    store.put_relations(corpus, [r.model_copy(update={"model": "older"}) for r in store.relations(corpus)[:1]])
    assert desk_of().update().scored == 1


def test_seeds_by_document_and_by_publisher() -> None:
    desk = desk_of()
    desk.add_seeds("document", ["wire"])
    desk.add_seeds("publisher", ["elbe post"])
    assert desk.seeds() == ("paper", "wire")
    assert desk.rank().scores["wire"] > 0.5
    with pytest.raises(InputError, match="no document 'zebra'"):
        desk.add_seeds("document", ["zebra"])
    assert desk.remove_seeds("document", ["wire", "zebra"]) == 1
    assert desk.seeds() == ("paper",)
    with pytest.raises(InputError, match="there is no corpus 'nowhere'"):
        open_desk(load_settings(), "nowhere")


def test_the_commands(tmp_path: Path) -> None:
    settings = load_settings()
    assert named_seeds(settings, ["news"]) == []
    store_corpus(settings)
    ranked = json.loads(run("trust", "rank", "news", "--json").stdout)
    assert [row["rank"] for row in ranked["ranking"]] == [1, 2, 3, 4]
    assert ranked["converged"]
    assert ranked["options"]["coverage"]
    shown = json.loads(run("trust", "show", "wire", "--corpus", "news", "--json").stdout)
    assert shown["connected"]
    assert shown["claims"][0]["text"].startswith("The Elbe bridge")
    assert "trust" in run("trust", "show", "farm", "--corpus", "news").stdout
    assert "no other document" in run("trust", "explain", "farm", "--corpus", "news").stdout
    why = json.loads(run("trust", "explain", "wire", "--corpus", "news", "--json").stdout)
    assert {v["source"] for v in why["raised"]} >= {"paper"}
    assert "paper" in run("trust", "explain", "wire", "--corpus", "news").stdout
    assert run("trust", "show", "zebra", "--corpus", "news").exit_code == 2
    run("trust", "seed", "add", "wire", "--corpus", "news")
    table = tmp_path / "p.csv"
    table.write_text("publisher,trusted\nElbe Post,yes\nGossip,no\n", encoding="utf-8")
    assert "1 publisher(s) named" in run("trust", "import", str(table), "--corpus", "news").stdout
    assert named_seeds(settings, ["news", "folder/"]) == ["paper", "wire"]
    assert "Elbe Post" in run("trust", "seed", "list", "--corpus", "news").stdout
    assert "1 removed" in run("trust", "seed", "remove", "wire", "--corpus", "news").stdout
    first = run("trust", "rank", "news", "--no-update", "--variant", "published").stdout.splitlines()[0]
    assert "paper" in first
    assert "seed" in first


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name\nx\n", "no column 'publisher'"),
        ("publisher,trusted\nx,perhaps\n", "write yes or no"),
        ("publisher,trusted\nx,yes\nx,no\n", "as trusted and as not"),
    ],
)
def test_tables_that_do_not_fit(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read_publishers(path)


def test_evidence_in_the_order_of_trust_as_well(tmp_path: Path) -> None:
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.txt").write_text(text)
    claim = "The Elbe bridge in Hamburg reopened on 4 May 2024."
    assert run("corpus", "add", str(tmp_path), "--name", "news").exit_code == 0
    refused = CliRunner().invoke(cli, ["check", claim, "--corpus", "news", "--ranking", "score"])
    assert isinstance(refused.exception, InputError)
    assert "factdesk trust rank" in str(refused.exception)
    assert run("trust", "rank", "news").exit_code == 0
    found = run("check", claim, "--corpus", "news", "--ranking", "score", "--json")
    assert found.exit_code == 0
    certificate = json.loads(found.output)["certificate_id"]
    body = json.loads(run("history", "show", certificate, "--certificate").output)["body"]
    assert (body["settings"]["ranking"], body["settings"]["trust_weight"]) == ("score", 0.5)
    assert any(f["version"].endswith("by trust") for f in body["fingerprints"])


def test_measuring_keeps_the_order_of_score_over_two_corpora() -> None:
    store_corpus(load_settings())
    run("trust", "rank", "news")
    settings = load_settings(ranking="score", trust_weight=1.0)
    other = {f"{d} again": f"{t} The mayor of Hamburg spoke to reporters." for d, t in TEXTS.items()}
    Corpora(settings).add_documents("other", documents(other))
    run("trust", "rank", "other")
    query = Query(text="When did the Elbe bridge in Hamburg reopen?", limit=10)
    shipped = Corpora(settings).open(["news", "other"], "hybrid").retrieve(query)
    measured = MeasuredChecker(settings)
    found = measured.corpora.open(["news", "other"], "hybrid").retrieve(query)
    assert [h.span.span_id for h in found] == [h.span.span_id for h in shipped]
    assert measured.counts.calls == 1
    by_score = sorted(shipped, key=lambda h: (-(h.scores.last or 0.0), h.span.span_id))
    assert [h.span.span_id for h in by_score] != [h.span.span_id for h in shipped], "no case at all"


def test_a_folder_is_ranked_as_it_is_with_its_own_alpha_and_variants(tmp_path: Path) -> None:
    for name, text in TEXTS.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    wide = json.loads(run("trust", "rank", str(tmp_path), "--json").stdout)
    assert wide["options"]["alpha"] == 0.85
    assert (wide["documents"], wide["converged"]) == (len(TEXTS), True)
    assert run("trust", "rank", str(tmp_path), "--alpha", "0.3").exit_code == 0
    narrow = json.loads(run("trust", "rank", str(tmp_path), "--no-update", "--alpha", "0.3", "--json").stdout)
    apart = [abs(r["score"] - 0.5) for r in (wide["ranking"][0], narrow["ranking"][0])]
    assert apart[0] > apart[1] > 0
    settings = load_settings(claimrank={"alpha": 0.3, "independence": False, "coverage": False})
    assert settings.claimrank == RankOptions(alpha=0.3)
    with pytest.raises(ConfigError, match="alpha"):
        load_settings(claimrank={"alpha": 1.0})


KNOWN = {
    "letter": "The Marlow Footbridge was repainted in green in April 2024. On 3 May 2024 Peter Holt met Anna Reed and "
    "12 neighbours in Ashby Road. Clara Voss, Jan Mertens and Ruth Okafor sent 45 letters on 7 May 2024. In 2019 the "
    "Elmstead Rowing Club raised 800 euros for Kofi Adams. From 2015 to 2018 Lena Brandt, Ivo Stern and Paul Weiss "
    "lived in Elmstead. On 9 May 2024 Elmstead Radio played 3 songs. The harbour of Elmstead has 40 berths.",
    "port": "The harbour of Elmstead has 55 berths. Ships come in as before.",
    "sailors": "There are 55 berths in the harbour of Elmstead. Some are free on most days.",
}
"""What two documents refute in the first is not among its five most checkable sentences."""


def test_a_check_knows_what_the_whole_corpus_says_of_its_documents(tmp_path: Path) -> None:
    folder, recording, certificate = tmp_path / "corpus", tmp_path / "run.zst", tmp_path / "certificate.json"
    folder.mkdir()
    for name, text in KNOWN.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    check = ("check", "The Marlow Footbridge was repainted in green.", "--corpus", str(folder), "--json")
    known = json.loads(run(*check, "--corpus-trust", "build", "--record", str(recording)).stdout)
    certificate.write_text(run("history", "show", known["certificate_id"], "--certificate").stdout, encoding="utf-8")
    body = json.loads(certificate.read_text(encoding="utf-8"))["body"]
    letter = next(t for t in body["trust"] if t["doc_id"] == "letter")
    assert letter["score"] < letter["alone"] == 0.5
    assert letter["explanation"].endswith("0.50 without what is known of the whole corpus.")
    assert {e["source"] for e in body["trust_graph"]["edges"] if e.get("known")} >= {"port", "sailors"}
    assert "(0.50 without what is known of the whole corpus)" in run("history", "show", known["certificate_id"]).stdout
    assert run("verify", str(certificate), "--rerun").exit_code == 0
    assert run("replay", str(recording)).exit_code == 0
    alone = json.loads(run(*check, "--corpus-trust", "off", "--mode", "debug").stdout)
    assert {s["trust"] for c in alone["claims"] for s in c["evidence"] if s["doc_id"] == "letter"} == {0.5}
