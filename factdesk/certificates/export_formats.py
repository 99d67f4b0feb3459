"""Certificates as text in a format that is chosen by name: ours, and those of installed packages."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from factdesk.registry import Registry
from report.types import Certificate


class ExportGiven(NamedTuple):
    """What an export is made with besides the certificate, whose signature was checked."""

    author: str = "factdesk"
    url: str | None = None


EXPORTS = Registry[Callable[[Certificate, ExportGiven], str]]("export")
"""Functions by name; each gives the text of the file."""


def export_text(name: str, certificate: Certificate, given: ExportGiven) -> str:
    """The certificate in a format. Raises ``ConfigError`` for an unknown one."""
    make, _ = EXPORTS.find(name)
    return make(certificate, given)


@EXPORTS.register("claimreview", "ClaimReview of schema.org, as JSON-LD")
def _claimreview(certificate: Certificate, given: ExportGiven) -> str:
    from report.exports.claimreview import claimreview, claimreview_text

    return claimreview_text(claimreview(certificate, author=given.author, url=given.url))


@EXPORTS.register("csv", "the statements as a table")
def _csv(certificate: Certificate, given: ExportGiven) -> str:
    from report.exports.claims_csv import claims_csv

    del given
    return claims_csv(certificate)
