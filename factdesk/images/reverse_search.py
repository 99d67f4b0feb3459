"""Earlier uses of a submitted picture on the web: found by reverse image search, compared by ourselves.

What an engine says is a hint where to look. A page counts as an earlier use only when a picture on it,
fetched under the rules for pages, is the submitted one by our own comparison. Anybody can put a picture and
a caption on a page, so these uses are told and never decide; who vets one adds it to the known images.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from pydantic import JsonValue

from agent.tools.web.fetch import PICTURES, PageFetcher
from agent.tools.web.http import retried
from agent.tools.web.page import read_page
from agent.tools.web.page_images import figures_of
from agent.tools.web.search_engines import SERPAPI, SerpApiImages
from agent.web_ports import FetchedPage, SearchResult, WebSearch
from evidence.images.files import decode
from evidence.images.records import line_spans
from evidence.types import Document, EarlierUse, ImageFinding, Span
from factdesk.bounds import blocked_on_web
from factdesk.images.caption_file import Description
from factdesk.images.found import Found
from factdesk.images.known import make_known
from factdesk.images.matching import Submitted, matched, use_sentence
from factdesk.kernel import (
    BackendUnavailable,
    ConfigError,
    Failure,
    InputError,
    TransientError,
    sha256_bytes,
    sha256_text,
)
from factdesk.recording.recorder import Recorder, today
from factdesk.settings import Settings


def make_image_search(settings: Settings) -> WebSearch:
    """The engine of the settings. Raises ``ConfigError``."""
    options = settings.imagesearch
    if options.provider == "serpapi":
        key = options.api_key.get_secret_value() if options.api_key else ""
        return SerpApiImages(key, options.url or SERPAPI)
    raise ConfigError("no reverse image search is set; set imagesearch.provider, e.g. 'serpapi'")


def search_web(settings: Settings, name: str, picture: Submitted, address: str, recorder: Recorder) -> Found:
    """Earlier uses of one picture on the web, with what stands with it on these pages as spans that settle nothing.
    ``address``: where the picture stands in public; engines fetch it themselves.
    """
    if not address:
        message = f"{name!r} was not looked for on the web: give its public address (--image-url)"
        return Found(failures=(_failure("address", message),))
    matches = _matches(settings, address, recorder)
    if isinstance(matches, Failure):
        return Found(failures=(matches,))
    blocked, day = blocked_on_web(settings), today(recorder)
    pages, pictures = PageFetcher(recorder, blocked), PageFetcher(recorder, blocked, types=PICTURES)
    fetched = (pages.fetch(match.url).page for match in matches)
    uses = [use for page in fetched if page is not None and (use := _use_on(page, picture, pictures, day)) is not None]
    return _as_found(uses, picture.sha256, len(matches))


def _matches(settings: Settings, address: str, recorder: Recorder) -> tuple[SearchResult, ...] | Failure:
    def ask() -> JsonValue:
        try:
            engine = make_image_search(settings)
            found = retried(lambda: engine.search(address, settings.imagesearch.results), attempts=2)
        except (TransientError, BackendUnavailable, ConfigError) as error:
            return {"failure": f"the picture was not looked for on the web: {error}"}
        return {"results": [m.model_dump(mode="json") for m in found]}

    answer = recorder.call("imagesearch", address, ask)
    if not isinstance(answer, dict) or "failure" in answer:
        message = str(answer.get("failure")) if isinstance(answer, dict) else "the answer has no form"
        return _failure("unavailable", message)
    rows = answer.get("results")
    return tuple(SearchResult.model_validate(row) for row in rows) if isinstance(rows, list) else ()


def _use_on(page: FetchedPage, picture: Submitted, pictures: PageFetcher, day: date) -> EarlierUse | None:
    """The first picture of the page that is the submitted one, if any."""
    for figure in figures_of(page):
        image = pictures.fetch(figure.address).page
        if image is None:
            continue
        try:
            pixels = decode(image.body, figure.address[-40:]).pixels
        except InputError:
            continue
        told = Description(caption=figure.caption, url=page.final_url, **_published(page, day))
        known = make_known(pixels, sha256_bytes(image.body), figure.address[-60:], told, text=True)
        matches = [matched(picture, known, mirrored=turned) for turned in (False, True)]
        uses = [match.use for match in matches if match is not None]
        if uses:
            best = max(uses, key=lambda use: (use.match != "similar", use.similarity))
            return best.model_copy(update={"origin": "web"})
    return None


def _as_found(uses: list[EarlierUse], digest: str, named: int) -> Found:
    """Oldest first; says how many pages were named where none of them has the picture."""
    uses = sorted(uses, key=lambda u: (u.published is None, str(u.published), u.url or ""))
    findings = [
        ImageFinding(
            kind="altered" if use.match == "altered" else "earlier_use",
            text=f"On the web: {use_sentence(use)}",
            image=digest,
        )
        for use in uses
    ]
    if named and not uses:
        text = f"Of {named} pages that a reverse image search names, none was found to have this picture."
        findings.append(ImageFinding(kind="earlier_use", text=text, image=digest))
    captions = [_caption_span(use) for use in uses if use.caption.strip() and use.url]
    return Found(uses=tuple(uses), spans=tuple(captions), findings=tuple(findings))


def _caption_span(use: EarlierUse) -> Span:
    """The caption of a page as a span of kind ``caption``: a question may cite it, a claim never rests on it."""
    document = Document(
        doc_id=f"web-caption:{sha256_text(f'{use.url}|{use.caption}')[:16]}",
        title=f"Caption of the picture on {use.source or use.url}",
        text=use.caption,
        sha256=sha256_text(use.caption),
        url=use.url,
        published=use.published,
    )
    return line_spans(document, kind="caption")[0]


def _published(page: FetchedPage, day: date) -> dict[str, Any]:
    """Day and publisher as the page's own reading gives them; neither where it has no text."""
    try:
        document = read_page(page, day)
    except InputError:
        return {}
    return {"published": document.published, "source": document.publisher}


def _failure(kind: str, message: str) -> Failure:
    return Failure(where="web.images", kind=kind, message=message, deciding=False)
