"""The word index of the history: FTS5 in SQLite, ``tsvector`` in PostgreSQL; the same words find the same. In
PostgreSQL the words are cut here and handed over ready made, so that neither the server's language nor its parser plays
a part: letters and digits make a word, accents and case do not count (as ``unicode61`` does it).
"""

from __future__ import annotations

import unicodedata

from sqlalchemy import text as sql
from sqlmodel import Session

from factdesk.kernel import InputError
from report.types import Certificate
from store.engine import is_postgres

MAX_WORDS = 32
MAX_LEXEMES = 16_000
"""Words of one certificate that PostgreSQL gets: it numbers them up to 16,383."""
MAX_LEXEME = 200
"""Characters of one word that count in PostgreSQL."""

_INDEX = sql("INSERT INTO ledger_words (rowid, claim, evidence) VALUES (:sequence, :claim, :evidence)")
_SEARCH = sql(
    "SELECT rowid FROM ledger_words WHERE ledger_words MATCH :query "
    "ORDER BY bm25(ledger_words, 4.0, 1.0), rowid DESC LIMIT :limit"
)
_PG_INDEX = sql("INSERT INTO ledger_words (sequence, words) VALUES (:sequence, CAST(:words AS tsvector))")
_PG_SEARCH = sql(
    "SELECT sequence FROM ledger_words WHERE words @@ CAST(:query AS tsquery) "
    "ORDER BY ts_rank('{0, 0, 0.25, 1}', words, CAST(:query AS tsquery), 1) DESC, sequence DESC LIMIT :limit"
)


def index_words(session: Session, certificate: Certificate) -> None:
    """Put a certificate's words into the index, in the transaction of ``session``."""
    words, sequence = _words_of(certificate), certificate.envelope.sequence
    if is_postgres(session):
        vector = tsvector(words["claim"], words["evidence"])
        session.connection().execute(_PG_INDEX, {"sequence": sequence, "words": vector})
    else:
        session.connection().execute(_INDEX, {"sequence": sequence, **words})


def find_words(session: Session, words: str, limit: int) -> list[int]:
    """Numbers of the certificates that hold all the words, best first. Raises ``InputError``."""
    found = _split(words)
    if is_postgres(session):
        query, statement = tsquery(found), _PG_SEARCH
    else:
        query, statement = quoted(found), _SEARCH
    return [int(row[0]) for row in session.connection().execute(statement, {"query": query, "limit": limit})]


def quoted(words: list[str]) -> str:
    """Words as an FTS5 query: each a quoted string, all required."""
    return " ".join('"' + word.replace('"', '""') + '"' for word in words)


def tsquery(words: list[str]) -> str:
    """Words as the text of a ``tsquery``: all required, the parts of one beside each other."""
    return " & ".join("(" + " <-> ".join(map(_quote, lexemes(word))) + ")" for word in words)


def tsvector(claim: str, evidence: str) -> str:
    """The text of a ``tsvector``: words of the claim weigh A, those of the evidence B."""
    first = lexemes(claim)[:MAX_LEXEMES]
    # a gap, so that no two words count as neighbours across the border
    second = lexemes(evidence)[: max(0, MAX_LEXEMES - len(first) - 1)]
    placed = [(word, place, "A") for place, word in enumerate(first, 1)]
    placed += [(word, place, "B") for place, word in enumerate(second, len(first) + 2)]
    return " ".join(f"{_quote(word)}:{place}{weight}" for word, place, weight in placed)


def lexemes(text: str) -> list[str]:
    """Runs of letters and digits, without accents, in lower case."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(
        c if unicodedata.category(c)[0] in "LN" or unicodedata.category(c) == "Co" else " "
        for c in folded
        if not unicodedata.combining(c)
    )
    return [word[:MAX_LEXEME] for word in kept.split()]


def _quote(word: str) -> str:
    return f"'{word}'"


def _split(words: str) -> list[str]:
    clean = words.encode("utf-8", "ignore").decode("utf-8").replace("\0", " ")
    found = [w for w in clean.split() if any(c.isalnum() for c in w) and lexemes(w)]
    if not found:
        raise InputError(f"there is no word to search for in {words!r}; give at least one")
    if len(found) > MAX_WORDS:
        raise InputError(f"{len(found)} words are too many to search for; give at most {MAX_WORDS}")
    return found


def _words_of(certificate: Certificate) -> dict[str, str]:
    """What the word index gets: the claims, and titles and text of the deciding evidence."""
    body = certificate.body
    deciding = {span_id for d in body.decisions for span_id in d.span_ids}
    spans = {s.span.span_id: s.span for c in body.claims for s in c.spans if s.span.span_id in deciding}
    return {
        "claim": "\n".join(
            [body.asked.question if body.asked else "", body.claim_text, *(c.claim.text for c in body.claims)]
        ),
        "evidence": "\n".join(f"{s.title}\n{s.publisher or ''}\n{s.text}" for s in spans.values()),
    }
