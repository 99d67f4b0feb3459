"""A report as PDF, printed by a browser that is installed here, without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from factdesk.kernel import BackendUnavailable

BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "msedge"),
    "chrome",
)
SECONDS = 120


def print_pdf(page: str) -> bytes:
    """The bytes of the page as PDF, its evidence opened.

    Raises ``BackendUnavailable`` without a browser, or where it prints nothing.
    """
    binary = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if binary is None:
        raise BackendUnavailable(
            "a PDF needs Chromium, Chrome or Edge, and none is installed; print the page of --format html"
        )
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "report.html", Path(folder) / "report.pdf"
        source.write_text(page.replace("<details", "<details open"), encoding="utf-8")
        flags = ["--headless", "--disable-gpu", "--disable-background-networking", "--no-pdf-header-footer"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            flags.append("--no-sandbox")  # Chromium refuses to run as root otherwise
        command = [binary, *flags, f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}"]
        try:
            subprocess.run(
                [*command, source.as_uri()],
                capture_output=True,
                timeout=SECONDS,
                check=True,
                env={**os.environ, "HOME": folder},
            )
            return target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise BackendUnavailable(
                f"{Path(binary).name!r} printed no PDF ({type(error).__name__}); print the HTML page by hand"
            ) from error
