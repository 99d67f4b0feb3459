"""The pages end to end: what the command line does for a desk, in forms, within the bounds of the service."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from factdesk.certificates.verifying import verify_data
from factdesk.checker import open_ledger
from factdesk.corpus_trust.open import open_desk
from factdesk.kernel import ConfigError
from factdesk.service.app import build_app
from factdesk.service.check_queue import CheckQueue
from factdesk.service.uploads import document_name
from report.certificate.history_file import read_history
from tests.report.builders import make_certificate
from tests.service.conftest import ARTICLE, CLAIM, LOOPBACK, TOKEN, Make, ask, ended, settings_in

OWN = {"origin": "http://127.0.0.1"}
PROGRAMS = {"/checks", "/annotations"}
"""Routes that take POST from programs too, which name no page."""
OTHER = """---
title: Library costs
publisher: Harrow Herald
published: 2024-05-09
---
The refurbishment of the Tollgate Library cost 6.2 million pounds. Samir Oakes opened the Tollgate Library.
"""


def paths(app: FastAPI | APIRouter, method: str) -> Iterator[str]:
    """Paths of all routes that take a method, with something in the place of their parameters."""
    for route in app.routes:
        if isinstance(inner := getattr(route, "original_router", None), APIRouter):
            yield from paths(inner, method)
        elif isinstance(route, APIRoute) and method in route.methods:
            yield re.sub(r"\{\w+\}", "abcd1234", route.path)


def posts(app: FastAPI) -> list[str]:
    found = list(paths(app, "POST"))
    assert len(found) >= 10
    return found


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site", **OWN}, 403),
        ({"referer": "https://evil.example/page"}, 403),
        ({"host": "rebound.example", **OWN}, 400),
        ({"content-length": "6000", **OWN}, 413),
    ],
)
def test_no_form_is_taken_from_elsewhere(make: Make, headers: dict[str, str], code: int) -> None:
    _, app = make(max_body=5_000, checks_per_minute=1_000)
    for path in posts(app):
        answer = ask(app, "POST", path, headers=headers, content=b"x" * 6_000 if code == 413 else b"")
        assert answer.status_code == code, path


def test_a_form_says_which_page_it_is_from(make: Make) -> None:
    _, app = make(checks_per_minute=1_000)
    for path in posts(app):
        if path not in PROGRAMS:
            answer = ask(app, "POST", path, data={"text": "A claim."})
            assert (answer.status_code, "page of this service" in answer.text) == (403, True), path


def test_every_route_asks_for_the_token_and_counts(make: Make) -> None:
    _, app = make(TOKEN, requests_per_minute=10_000, checks_per_minute=2)
    for path in paths(app, "GET"):
        assert ask(app, "GET", path).status_code == 401, path
    codes = [ask(app, "POST", path, headers=OWN).status_code for path in posts(app)]
    assert codes == [401, 401, *[429] * (len(codes) - 2)]
    assert ask(app, "GET", "/verified/abcd1234?rerun=true").status_code == 429


def test_a_browser_gets_its_errors_as_a_page(make: Make) -> None:
    _, app = make()
    for path, code in (("/reports/abcd1234.html", 404), ("/corpora/none", 404), ("/watch/a%00", 422)):
        answer = ask(app, "GET", path, headers={"accept": "text/html,*/*"})
        assert answer.status_code == code
        assert 'role="alert"' in answer.text
        assert "require-trusted-types-for" in answer.headers["content-security-policy"]
    refused = ask(app, "GET", "/", headers={"accept": "text/html", "host": "rebound.example"})
    assert (refused.status_code, "not called by this name" in refused.text) == (400, True)


@pytest.fixture
def form(client: httpx.Client) -> httpx.Client:
    """A client that says, as a browser does, that it stands on the service's own page."""
    client.headers["origin"] = str(client.base_url).rstrip("/")
    client.headers["accept"] = "text/html"
    return client


def accepted(client: httpx.Client, answer: httpx.Response) -> dict[str, Any]:
    """The check that a form was sent for, once it has ended."""
    assert answer.status_code == 303, answer.text
    return ended(client, answer.headers["location"].removeprefix("/watch/"))


def test_a_check_with_choices_is_handed_out_checked_again_and_compared(form: httpx.Client, queue: CheckQueue) -> None:
    fields = {"text": CLAIM, "method": "tree", "mode": "mixed", "veracity": "", "date": "2024-06-01"}
    state = accepted(form, form.post("/", data=fields))
    ledger = open_ledger(queue.settings)
    old = ledger.get(state["id"])
    assert (old.body.settings["method"], old.body.mode, old.body.claim_date) == ("tree", "mixed", "2024-06-01")
    assert old.body.settings["veracity"] == queue.settings.veracity

    page = form.get(f"/records/{state['id']}").text
    for address in re.findall(r'href="(/certificates/[^"]+)"', page):
        assert form.get(address).status_code == 200, address
    data = form.get(f"/certificates/{state['id']}/bundle.zip").content
    assert {"certificate.json", "public-key.pem"} <= set(zipfile.ZipFile(io.BytesIO(data)).namelist())
    assert verify_data(queue.settings, data, "check.zip", rerun=False).integrity.ok is True
    review = form.get(f"/certificates/{state['id']}/claimreview.json", params={"author": "Courier"}).json()
    assert (review["@type"], review["author"]["name"]) == ("ClaimReview", "Courier")
    assert form.get(f"/certificates/{state['id']}/passwd").status_code == 422

    newer = ledger.get(accepted(form, form.post(f"/records/{state['id']}/again"))["id"])
    assert newer.envelope.supersedes == state["id"]
    assert (newer.body.claim_text, newer.body.mode, newer.body.claim_date) == (CLAIM, "mixed", "2024-06-01")
    assert newer.body.settings["method"] == queue.settings.method
    ids = [newer.envelope.certificate_id, state["id"]]
    told = form.get("/compare", params={"id": ids}).text
    assert "What changed" in told
    assert told.index(ids[1]) < told.index(ids[0]), "the older one first"
    history = read_history(form.get("/history.jsonl").text)
    assert {json_id for json_id in ids if any(json_id in text for text in history.texts)} == set(ids)


def test_a_question_is_answered(form: httpx.Client, queue: CheckQueue) -> None:
    asked = {"text": "How much did the refurbishment of the Tollgate Library cost?", "answer_sources": "1"}
    body = open_ledger(queue.settings).get(accepted(form, form.post("/ask", data=asked))["id"]).body
    assert body.asked is not None
    assert (body.asked.question, body.settings["answer_sources"]) == (asked["text"], 1)
    refused = form.post("/ask", data={"text": "Why?", "corpus": "../../etc"})
    assert (refused.status_code, "no stored corpus" in refused.text) == (422, True)
    assert form.post("/ask", data={"text": "Why?", "method": "tree"}).status_code == 422


def test_documents_come_in_are_read_and_go(form: httpx.Client, queue: CheckQueue, tmp_path: Path) -> None:
    files = [("file", ("../Über uns.md", ARTICLE.encode())), ("file", ("broken.pdf", b"no pdf"))]
    taken = form.post("/corpora", data={"name": "desk"}, files=files)
    assert taken.status_code == 303, "loading the page again adds nothing twice"
    page = form.get(taken.headers["location"]).text
    assert "1 added" in page
    assert "broken.pdf" in page
    assert str(tmp_path.parent) not in page
    assert "Not everything could be read" in page
    assert queue.checker.corpora.has("desk")
    found = form.get("/corpora/desk", params={"q": "cost of the library"}).text
    place = re.findall(r'href="(/corpora/desk/text[^"]+)"', found)[0].replace("&amp;", "&")
    assert '<mark id="here">' in form.get(place).text
    assert form.get("/corpora/desk/text?id=nothing").status_code == 404
    assert form.post("/corpora/desk/remove", data={"doc_id": "nothing"}).status_code == 422
    assert form.post("/corpora/desk/remove").status_code == 422
    assert form.post("/corpora/desk/remove", data={"doc_id": "Über uns"}).status_code == 303
    assert "It holds no documents" in form.get("/corpora/desk").text
    assert form.post("/corpora/desk/remove", data={"whole": "other"}).status_code == 422
    assert form.post("/corpora/desk/remove", data={"whole": "desk"}).headers["location"] == "/corpora"
    assert not queue.checker.corpora.has("desk")


@pytest.mark.parametrize(
    ("fields", "files", "why"),
    [
        ({"name": "../x"}, [("file", ("a.md", b"Some words."))], "is not allowed"),
        ({"name": "desk"}, [], "no document was given"),
        ({"name": "desk", "link": "file:///etc/passwd"}, [], "is no web address"),
        ({"name": "desk", "link": "http://127.0.0.1:9/x"}, [], "127.0.0.1"),
        ({"name": "desk"}, [("file", ("a.exe", b"MZ"))], "a.exe"),
    ],
)
def test_what_cannot_be_added_is_told(
    form: httpx.Client, queue: CheckQueue, fields: dict[str, str], files: list[Any], why: str
) -> None:
    answer = form.post("/corpora", data=fields, files=files or [("file", ("", b""))])
    assert (answer.status_code, why in answer.text) == (422, True), answer.text
    assert not queue.checker.corpora.has("desk")


def test_trust_and_graph_are_drawn_of_the_stored_corpus(form: httpx.Client, queue: CheckQueue) -> None:
    form.post(
        "/corpora", data={"name": "two"}, files=[("file", (f"{n}.md", t)) for n, t in enumerate((ARTICLE, OTHER))]
    )
    assert "was not built yet" in form.get("/corpora/two/graph").text
    assert form.get("/corpora/two/graph.json").status_code == 422
    assert form.post("/corpora/two/graph").status_code == 303
    page = form.get("/corpora/two/graph", params={"entity": "Samir Oakes"}).text
    assert "Samir Oakes opened the Tollgate Library." in page
    elements = form.get("/corpora/two/graph.json", params={"entity": "Samir Oakes"}).json()["elements"]
    ids = {e["data"]["id"] for e in elements}
    assert any(e["data"].get("chosen") for e in elements)
    assert all({e["data"]["source"], e["data"]["target"]} <= ids for e in elements if "source" in e["data"])

    assert "No relations" in form.get("/corpora/two/trust").text
    assert form.post("/corpora/two/trust").status_code == 303
    page = form.get("/corpora/two/trust").text
    assert all(f"{score:.2f}" in page for _, _, score in open_desk(queue.settings, "two").rank().order())
    drawn = form.get("/corpora/two/trust.json").json()["elements"]
    assert {e["data"]["id"] for e in drawn if "score" in e["data"]} == {"0", "1"}
    assert "raised by" in form.get("/corpora/two/trust", params={"document": "0"}).text
    assert form.post("/corpora/two/trust/seeds", data={"document": "0", "trusted": "yes"}).status_code == 303
    assert "trusted from the start" in form.get("/corpora/two/trust", params={"document": "0"}).text
    assert form.post("/corpora/two/trust/seeds", data={"document": "nothing", "trusted": "yes"}).status_code == 422
    assert form.get("/corpora/two/trust", params={"document": "nothing"}).status_code == 422


def test_a_text_is_annotated_in_colours(form: httpx.Client) -> None:
    page = form.post("/annotate", data={"text": f"{CLAIM} It opened in 1850.", "corpus": "default"}, timeout=120).text
    assert 'class="mark attributable" href="#claim-1"' in page
    assert 'id="claim-1"' in page
    assert "/?claim=" in page
    assert "default-src 'none'" in form.get("/annotate").headers["content-security-policy"]
    assert form.post("/annotate", data={"text": CLAIM, "corpus": "none"}).status_code == 422
    assert form.post("/annotate", data={"text": " "}).status_code == 422


def test_long_work_is_done_one_at_a_time(make: Make) -> None:
    queue, app = make()
    queue.checker.corpora.add_documents("default", [])
    desk = app.state.desk
    with desk.alone("this"):
        for path in ("/corpora/default/graph", "/corpora/default/trust", "/annotate"):
            answer = ask(app, "POST", path, data={"text": CLAIM, "corpus": "default"}, headers=OWN)
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "10"), path


def test_a_picture_that_is_not_kept_is_told(make: Make) -> None:
    queue, app = make()
    open_ledger(queue.settings).append(make_certificate("ours-1"))
    assert ask(app, "GET", "/checks").json() == []
    assert "check the claim anew" in ask(app, "GET", "/records/ours-1").text
    again = ask(app, "POST", "/records/ours-1/again", headers=OWN)
    assert (again.status_code, "no longer kept here" in again.text) == (422, True)
    assert ask(app, "GET", "/records/none-such").status_code == 404


def test_corpora_are_ticked_where_the_service_has_none_of_its_own(make: Make) -> None:
    queue, app = make()
    queue.checker.corpora.add_documents("news", [])
    assert 'value="news" checked' in ask(app, "GET", "/").text
    queue.checker.corpora.add_documents("default", [])
    assert 'value="news">' in ask(app, "GET", "/").text


def test_a_check_chooses_among_settings_that_no_model_depends_on(queue: CheckQueue) -> None:
    made = queue.checker.choosing(method="tree", mode=None)
    assert (made.settings.method, made.settings.mode) == ("tree", queue.settings.mode)
    assert made.corpora is queue.checker.corpora
    assert queue.checker.settings.method == "chain"
    with pytest.raises(ConfigError, match="'verifier' cannot be chosen"):
        queue.checker.choosing(verifier="onnx:other")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("Bericht Übersee.pdf", "Bericht Übersee.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\y.docx", "y.docx"),
        (".htaccess", "htaccess"),
        ("a\0b\n.md", "a_b_.md"),
        ("", "document-1"),
        ("x" * 300 + ".pdf", "x" * 50 + ".pdf"),
        ("..", "document-1"),
    ],
)
def test_names_of_documents(given: str, name: str) -> None:
    assert document_name(given, 1) == name


@pytest.mark.parametrize("served", [True, False])
def test_the_page_asks_for_documents_where_there_are_none(tmp_path: Path, served: bool) -> None:
    (tmp_path / "library.md").write_text(ARTICLE, encoding="utf-8")
    settings = settings_in(tmp_path / "home")
    if served:
        settings = settings.model_copy(update={"corpus": (str(tmp_path / "library.md"),)})
    queue = CheckQueue(settings)
    try:
        shown = ask(build_app(queue, None, LOOPBACK), "GET", "/").text
    finally:
        queue.close(0.0)
    assert ("No documents are stored yet" in shown) != served
