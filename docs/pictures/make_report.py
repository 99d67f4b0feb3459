"""Makes ``docs/pictures/report.png``, the report in the README, from a real check of the shipped examples.

    python docs/pictures/make_report.py

It needs Chromium with its driver (Debian: chromium, chromium-driver) and the extra ``test`` (selenium).
"""

# ruff: noqa: T201  (a script: printing is what it is for)

from __future__ import annotations

import base64
import io
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image

from factdesk import FactChecker
from factdesk.import_guard import examples_dir

TARGET = Path(__file__).resolve().parent / "report.png"
CLAIM = (
    "Children's memberships rose by 35 percent at the Tollgate Library. "
    "The expedition to the Karsund Trench cost 9.3 million euros."
)
WIDTH = 820
"""CSS pixels; the picture has one and a half times as many."""
SHOWN = """
document.querySelector("#answer > details").open = true;
return Math.ceil(document.querySelector("#answer").getBoundingClientRect().bottom + scrollY + 16);
"""
"""Opens the evidence of the first statement; the picture ends below the last one."""
FLAGS = "--headless --no-sandbox --disable-gpu --hide-scrollbars --disable-background-networking".split()


def page() -> str:
    """The report on a claim of two facts, as one HTML page."""
    with TemporaryDirectory() as home:
        checker = FactChecker.from_config(home=home, mode="strict")
        return checker.check(CLAIM, corpus=[str(examples_dir() / "corpus")]).html()


def photograph(html: str) -> bytes:
    """The page in light colours down to the end of the evidence, as PNG."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        raise SystemExit("no chromium with chromedriver (Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in (*FLAGS, f"--window-size={WIDTH},1200"):
        options.add_argument(flag)
    with TemporaryDirectory() as folder:
        file = Path(folder, "report.html")
        file.write_text(html, encoding="utf-8")
        chrome = webdriver.Chrome(options=options, service=Service(driver))
        try:
            light = [{"name": "prefers-color-scheme", "value": "light"}]
            chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": light})
            chrome.get(file.as_uri())
            height = chrome.execute_script(SHOWN)
            clip = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 1.5}
            wanted: dict[str, Any] = {"format": "png", "captureBeyondViewport": True, "clip": clip}
            return base64.b64decode(chrome.execute_cdp_cmd("Page.captureScreenshot", wanted)["data"])
        finally:
            chrome.quit()


def main() -> int:
    """Write the picture, with 64 colours so that it stays small."""
    picture = Image.open(io.BytesIO(photograph(page()))).convert("RGB")
    picture.quantize(64, dither=Image.Dither.NONE).save(TARGET, optimize=True)
    print(f"{TARGET.name}: {picture.width} x {picture.height}, {TARGET.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
