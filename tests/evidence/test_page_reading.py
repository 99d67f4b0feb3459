"""How a page is read: what of it is evidence, what a raised digit is, and which day is its date."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evidence.ingest import IngestResult, read_paths
from evidence.segmentation.spans import spans_of

FILLER = (
    "<p>The parish of Tarnby voted on Monday evening to keep the old ferry in service for another year.</p>"
    "<p>The ferry carries people, bicycles and the post across the sound between the two harbours.</p>"
    "<p>Islanders had asked for it in a letter that nearly all of them had signed, the pilot said.</p>"
)


def read(folder: Path, body: str, name: str = "page.html") -> IngestResult:
    (folder / name).write_text(body, encoding="utf-8")
    return read_paths([folder / name])


def sentences(folder: Path, body: str, name: str = "page.html") -> list[str]:
    """The spans of the only document; each is the exact text at its place."""
    (document,) = read(folder, body, name).documents
    spans = spans_of(document)
    assert all(document.text[s.start : s.end] == s.text for s in spans)
    return [span.text for span in spans]


def article(inner: str, head: str = "", after: str = "") -> str:
    """A page with a headline and enough text to be taken for an article."""
    title = "<title>Ferry stays</title>"
    return (
        f"<!doctype html><html><head>{title}{head}</head><body><main><article><h1>Ferry stays</h1>{inner}"
        f"{FILLER}</article>{after}</main></body></html>"
    )


RAISED = [
    ("The crew has 14<sup>2</sup> members.", "The crew has 14 members."),
    ("The pilot earns 70,000<sup>1</sup> kroner.", "The pilot earns 70,000 kroner."),
    ("The pilot was paid.<sup>[3]</sup> He left.", "The pilot was paid."),
    ('The deck holds 10<sup><a href="#n4">4</a></sup> cars.', "The deck holds 10 cars."),
    ("The lake lost 10<sup>7</sup> litres.", "The lake lost 10⁷ litres."),
    ("The cell is 10<sup>-6</sup> metres long.", "The cell is 10⁻⁶ metres long."),
    ("The marsh covers 31 km<sup>2</sup>.", "The marsh covers 31 km²."),
    ("It opened on the 19<sup>th</sup> of May.", "It opened on the 19th of May."),
    ("The cup holds 2<sup>1</sup>/<sub>2</sub> pints.", "The cup holds 2 1/2 pints."),
    ("It was built in the 1920<sup>s</sup>.", "It was built in the 1920s."),
    ("They measured <sup>14</sup>C and CO<sub>2</sub>.", "They measured ¹⁴C and CO2."),
]


@pytest.mark.parametrize(("markup", "expected"), RAISED)
def test_a_raised_mark_never_joins_the_number_before_it(tmp_path: Path, markup: str, expected: str) -> None:
    assert expected in sentences(tmp_path, article(f"<p>{markup}</p>"))
    assert expected in sentences(tmp_path, f"# Crew\n\n{markup}\n", "crew.md")


def test_footnotes_of_markdown_are_left_out(tmp_path: Path) -> None:
    text = "The crew has 14[^2] members.\n\nThe hull is 9^1^ metres.\n\n[^2]: Without the cook.\n"
    assert sentences(tmp_path, text, "crew.md") == ["The crew has 14 members.", "The hull is 9 metres."]


STRUCK = [
    "The ferry was <del>not</del> sold.",
    "The ferry was <s>not</s> sold.",
    "The ferry was <strike>not</strike> sold.",
    'The ferry was <span style="text-decoration: line-through">not</span> sold.',
    "The ferry was ~~not~~ sold.",
]


@pytest.mark.parametrize("markup", STRUCK)
def test_what_is_struck_out_is_left_out(tmp_path: Path, markup: str) -> None:
    if "~~" not in markup:
        assert "The ferry was sold." in sentences(tmp_path, article(f"<p>{markup}</p>"))
    assert sentences(tmp_path, f"# Ferry\n\n{markup}\n", "ferry.md") == ["The ferry was sold."]


def test_what_is_struck_out_does_not_join_its_neighbours(tmp_path: Path) -> None:
    found = sentences(tmp_path, article("<p>It cost 3<del>1</del>4 kroner, <ins>in</ins> all.</p>"))
    assert "It cost 3 4 kroner, in all." in found


NOT_SHOWN = [
    "<template><p>{}</p></template>",
    "<p hidden>{}</p>",
    '<p aria-hidden="true">{}</p>',
    '<div style="display: none"><p>{}</p></div>',
    "<noscript><p>{}</p></noscript>",
    "<!-- {} -->",
]
ASIDE = [
    '<p><strong>Read more:</strong> <a href="/a">{}</a></p>',
    '<p>Related: <a href="/a">{}</a></p>',
    '<p><a href="/a">{}</a></p>',
    '<ul><li><a href="/a">{}</a></li><li><a href="/b">Pier at Odby closes for good</a></li></ul>',
    '<div class="related-stories"><p>{}</p></div>',
    '<section class="comments"><h2>Comments</h2><p>{}</p></section>',
    '<div itemscope itemtype="https://schema.org/Comment"><p>{}</p></div>',
    '<figure><img src="x.jpg"><figcaption>{}</figcaption></figure>',
    '<div class="wp-caption"><img src="x.jpg"><p class="wp-caption-text">{}</p></div>',
    "<footer><p>{}</p></footer>",
]


@pytest.mark.parametrize("markup", [*NOT_SHOWN, *ASIDE])
def test_what_is_not_the_pages_own_text_is_no_evidence(tmp_path: Path, markup: str) -> None:
    told = "Pilot Brun has sold the lighthouse of Tarnby to a bank."
    found = sentences(tmp_path, article(markup.format(told)))
    assert not [text for text in found if "lighthouse" in text]
    assert len(found) == 3


OWN = [
    '<p>The pilot <a href="/a">said on Friday</a> that the ferry is sound.</p>',
    '<p>Read more than one report and the ferry <a href="/a">looks sound</a>.</p>',
    '<ul><li>The ferry is sound, by <a href="/a">the report</a>.</li></ul>',
    "<blockquote><p>The ferry is sound.</p><footer>The pilot</footer></blockquote>",
    "<details open><summary>More</summary><p>The ferry is sound.</p></details>",
    '<div class="commentary"><p>The ferry is sound.</p></div>',
    "<p>The ferry <ins>is</ins> sound.</p>",
]


@pytest.mark.parametrize("markup", OWN)
def test_what_is_the_pages_own_text_stays(tmp_path: Path, markup: str) -> None:
    found = " ".join(sentences(tmp_path, article(markup)))
    assert "sound" in found.replace("the sound between", "")


@pytest.mark.parametrize("name", ["notes.txt", "notes.md"])
def test_a_teaser_in_plain_text_is_no_evidence(tmp_path: Path, name: str) -> None:
    text = "The ferry stays.\n\nRead more: Pilot Brun sells it\n\nSee also: Pier closes.\n\nIt is old."
    assert sentences(tmp_path, text, name) == ["The ferry stays.", "It is old."]
    kept = "The notice says: read more slowly.\n\nRead more than one book."
    assert len(sentences(tmp_path, kept, name)) == 2


def test_links_of_markdown_that_stand_alone_are_no_evidence(tmp_path: Path) -> None:
    text = "The ferry [stays](/x).\n\n[Pilot Brun sells the lighthouse](/y)\n\n- [Pier at Odby closes](/z)\n"
    assert sentences(tmp_path, text, "notes.md") == ["The ferry stays."]


def test_main_text_in_an_aside_is_read(tmp_path: Path) -> None:
    cookies = "<div><p>We use cookies on this page. Please accept all of them to go on reading.</p></div>"
    page = f"<html><body>{cookies}<aside>{FILLER}</aside></body></html>"
    assert any("another year" in text for text in sentences(tmp_path, page))
    beside = article("", after="<aside><p>The baker of Odby has sold his oven to a museum.</p></aside>")
    assert not any("oven" in text for text in sentences(tmp_path, beside))


def test_a_short_page_keeps_its_headline_apart(tmp_path: Path) -> None:
    head = '<header><h1>Ferry stays</h1><p class="meta">By Ida Brun</p></header>'
    told = "<p>The ferry stays for good.</p><div>It is old.</div>"
    page = f"<html><body><article>{head}{told}</article></body></html>"
    assert {"The ferry stays for good.", "It is old."} <= set(sentences(tmp_path, page))
    bare = "<html><body><h1>Ferry stays</h1><p>It is old.</p></body></html>"
    assert sentences(tmp_path, bare) == ["It is old."]


def test_days_and_numbers_in_elements_of_their_own_stay_in_the_sentence(tmp_path: Path) -> None:
    inner = '<p>On <time datetime="2024-03-05">5 March</time> it had <output>45</output> guests.</p>'
    assert "On 5 March it had 45 guests." in sentences(tmp_path, article(inner))


def test_cells_over_several_rows_and_columns_count_in_each(tmp_path: Path) -> None:
    table = (
        "<table><tr><th>Harbour</th><th>Year</th><th>Ships</th></tr><tr><td rowspan=2>Odby</td><td>2023</td>"
        "<td>41</td></tr><tr><td>2024</td><td>52</td></tr><tr><td>Tarnby</td><td colspan=2>closed</td></tr>"
        "</table>"
    )
    found = sentences(tmp_path, article("").replace("</article>", f"{table}</article>"))
    assert "Harbour: Odby; Year: 2024; Ships: 52" in found
    assert "Harbour: Tarnby; Year: closed; Ships: closed" in found
    huge = "<table><tr><td rowspan=999999999 colspan=999999999>Odby</td><td>1</td></tr></table>"
    assert len(sentences(tmp_path, article("").replace("</article>", f"{huge}</article>"))) < 50


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_ligatures_are_folded(tmp_path: Path, name: str) -> None:
    told = "The oﬃce of the ﬁre brigade was ﬂooded, the ﬀ said, and the ﬅamp with it."
    text = article(f"<p>{told}</p>") if name.endswith("html") else told
    expected = "The office of the fire brigade was flooded, the ff said, and the stamp with it."
    assert expected in sentences(tmp_path, text, name)


MARKED = [
    '<meta property="article:published_time" content="2023-04-09T08:00:00+02:00">',
    '<meta name="citation_publication_date" content="2023/04/09">',
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle", '
    '"datePublished": "2023-04-09", "comment": [{"@type": "Comment", "datePublished": "2026-01-02"}]}'
    "</script>",
    '<script type="application/ld+json">{"@graph": [{"@type": "WebSite"}, {"@type": ["Article"], '
    '"datePublished": "2023-04-09T10:00:00Z"}]}</script>',
]
BY_ELEMENT = [
    '<p><time itemprop="datePublished" datetime="2023-04-09">9 April</time></p>',
    '<p><time pubdate datetime="2023-04-09T10:00">9 April</time></p>',
    '<p class="byline"><time class="entry-date published" datetime="2023-04-09">9 April</time></p>',
]
NO_DATE = [
    "<footer><p>© 2026 Tarnby Post</p></footer>",
    "<p>Copyright 2026</p>",
    '<section class="comments"><div class="comment"><span class="date">2 January 2026</span><p>Fine.</p>'
    "</div></section>",
    '<div class="comments"><time datetime="2026-01-02">2 January 2026</time><p>Fine.</p></div>',
    "<figure><img src=x.jpg><figcaption>The quay, 2 January 2026</figcaption></figure>",
    "<p>The fair is on 2 January 2026.</p>",
    '<p>The fair is held on <time datetime="2026-01-02">2 January</time>, as it is each year.</p>',
    '<p class="meta">Updated: 2 January 2026</p>',
    '<p class="date">03/04/2024</p>',
    '<ul><li><i class="date">2 January 2026</i> A</li><li><i class="date">3 May 2026</i> B</li></ul>',
]


@pytest.mark.parametrize("head", MARKED)
def test_the_day_that_the_page_marks_is_its_date(tmp_path: Path, head: str) -> None:
    result = read(tmp_path, article("", head, "".join(NO_DATE[:5])))
    assert (result.documents[0].published, result.notes) == (date(2023, 4, 9), ())


@pytest.mark.parametrize("markup", BY_ELEMENT)
def test_so_is_the_day_of_an_element_that_is_marked(tmp_path: Path, markup: str) -> None:
    result = read(tmp_path, article(markup, after="".join(NO_DATE[:5])))
    assert (result.documents[0].published, result.notes) == (date(2023, 4, 9), ())


@pytest.mark.parametrize("markup", NO_DATE)
@pytest.mark.parametrize("inside", [True, False])
def test_no_other_day_on_the_page_is_its_date(tmp_path: Path, markup: str, inside: bool) -> None:
    page = article(markup) if inside else article("", after=markup)
    assert read(tmp_path, page).documents[0].published is None


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:modified_time" content="2026-01-02">',
        '<meta property="og:updated_time" content="2026-01-02">',
        '<meta http-equiv="last-modified" content="Fri, 02 Jan 2026 10:00:00 GMT">',
        '<meta itemprop="copyrightYear" content="2026">',
        '<meta name="date" content="03/04/2024">',
        '<script type="application/ld+json">{"@type": "Event", "datePublished": "2026-01-02"}</script>',
    ],
)
def test_the_day_of_a_change_or_of_a_right_is_not_that_of_publication(tmp_path: Path, head: str) -> None:
    assert read(tmp_path, article("", head)).documents[0].published is None


def test_a_day_that_is_only_guessed_is_said_to_be(tmp_path: Path) -> None:
    (_, note), *_ = (result := read(tmp_path, article('<p class="byline">By Ida Brun, 9 April 2023</p>'))).notes
    assert result.documents[0].published == date(2023, 4, 9)
    assert "guessed" in note
    canonical = '<link rel="canonical" href="https://post.example/2023/04/09/ferry">'
    result = read(tmp_path, article("", canonical))
    assert result.documents[0].published == date(2023, 4, 9)
    assert "address" in result.notes[0][1]


@pytest.mark.parametrize("tag", ["p", "div"])
def test_parts_of_an_item_or_a_cell_stay_apart(tmp_path: Path, tag: str) -> None:
    parts = f"<{tag}>It sold 12</{tag}><{tag}>5 were returned</{tag}>"
    lists = f"<ul><li>{parts}</li><li>Boats<ul><li>Alma</li></ul>and a ferry</li></ul>"
    table = f"<table><tr><th>Year</th><th>Sold</th></tr><tr><td>2024</td><td>{parts}</td></tr></table>"
    page, note = sentences(tmp_path, article(lists + table)), sentences(tmp_path, table, "sold.md")
    assert {"It sold 12 5 were returned", "Boats and a ferry", "Alma"} <= {*page}
    for found in (page, note):
        assert "Year: 2024; Sold: It sold 12 5 were returned" in found
        assert not any("125" in sentence or "Boatsand" in sentence for sentence in found)
