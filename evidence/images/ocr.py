"""Reading text from pixels with RapidOCR: lines with boxes and confidence. Local models, no network."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import ImageOps
from PIL.Image import Image, Resampling

from evidence.images.boxes import around, corners, resized
from evidence.types import Box
from factdesk.kernel import BackendUnavailable, Fingerprint, sha256_bytes
from language.onnx_model import each, give_back_memory, usable_cores

if TYPE_CHECKING:
    from rapidocr import RapidOCR

MIN_CONFIDENCE = 0.6
"""Lines read with less are left out."""
MAX_SIDE = 2400
"""Larger pictures are made smaller before reading."""
LEAST_SIDE = 8
"""Strips thinner than this hold no letters; the library would take a minute over a line of 2400 pixels."""
MIN_SIDE = 640
"""Smaller pictures are doubled before reading."""
SURE = 0.65
"""Mean of the cubed confidence from which on a picture counts as read upright."""
TILT = 1.5
"""Degrees from which on lines that stand askew are levelled, so that rows and columns are found."""
FAINT = 110
"""Range of grey values (of 255) below which a picture's contrast is stretched before reading."""
_TALL = 1.5
"""Height by width from which on a line lies on its side."""
_TEXT_SCORE, _LONG, _LETTERS = 0.7, 2.5, 0.65
"""Of a line in letters that the models do not know (Cyrillic, Arabic, …): the detector's score from which on a
place is text (rough surfaces have 0.4 to 0.65), width by height from which on it is a line, and letters read by
height of the line below which it was not read (Latin text has about 2, Chinese 1).
"""
_DETECTION_SIDE = 1280
_DETECTOR = "PP-OCRv6_det_small.onnx"
_RECOGNISER = "PP-OCRv6_rec_small.onnx"
_LOCK = threading.Lock()
Quad = Sequence[tuple[float, float]]
"""Corners of a line in pixels, clockwise from the beginning of its text."""


@dataclass(frozen=True)
class Line:
    """A line of text as read, with its confidence in 0 to 1. ``box`` and ``corners`` lie in the picture as it was
    read, turned and levelled, ``place`` in the picture as it is.
    """

    text: str
    box: Box
    confidence: float
    corners: Quad = ()
    place: Box | None = None

    @property
    def height(self) -> int:
        """In pixels."""
        return self.box.y1 - self.box.y0


@dataclass(frozen=True)
class Reading:
    """All lines of a picture, as they stand after turning it by ``turned`` degrees against the clock and then levelling
    it by ``tilt`` degrees. ``unread``: lines in letters that cannot be read. ``lies``: most text is higher than wide.
    """

    lines: tuple[Line, ...]
    turned: int = 0
    tilt: float = 0.0
    unread: int = 0
    lies: bool = False


def read_text(image: Image) -> Reading:
    """All lines, read upright or, where that gives little sense, turned by quarters. ``image`` is RGB. A faint or dark
    picture is read with its contrast stretched. Raises ``BackendUnavailable`` when RapidOCR or its models are not
    installed or cannot run.
    """
    clear = _clear(image)
    best = _read(clear)
    lies = best.lies
    if lies or (best.lines and _certainty(best.lines) < SURE):
        least = (0.9 if lies else 1.2) * _weight(best.lines)
        for degrees in (90, 270) if lies else (180, 90, 270):
            found = _read(clear.rotate(degrees, expand=True))
            if not found.lies and _weight(found.lines) > least:
                best, least = replace(found, turned=degrees), _weight(found.lines)
                if _certainty(found.lines) >= SURE:
                    break
    give_back_memory()  # hundreds of megabytes for a page
    placed = tuple(replace(line, place=_turned_back(line.box, best.turned, image.size)) for line in best.lines)
    return _levelled(replace(best, lines=placed), image.size if best.turned in (0, 180) else image.size[::-1])


def _turned_back(box: Box, turned: int, size: tuple[int, int]) -> Box:
    """A box of a picture that was turned by quarters, in the picture as it is, which has ``size`` (width, height)."""
    width, height = size
    if turned == 90:
        return Box(x0=width - box.y1, y0=box.x0, x1=width - box.y0, y1=box.x1)
    if turned == 180:
        return Box(x0=width - box.x1, y0=height - box.y1, x1=width - box.x0, y1=height - box.y0)
    if turned == 270:
        return Box(x0=box.y0, y0=height - box.x1, x1=box.y1, y1=height - box.x0)
    return box


def _levelled(found: Reading, size: tuple[int, int]) -> Reading:
    """The reading with the boxes that its lines have where the text stands level."""
    tilt = _tilt(found.lines)
    if abs(tilt) < TILT:
        return found
    lines = [replace(line, box=_level(line.corners, size, tilt)) for line in found.lines]
    return replace(found, lines=_in_order(lines), tilt=tilt)


def _tilt(lines: tuple[Line, ...]) -> float:
    """Degrees by which most of the text falls to the right, long lines counting more; 0 in doubt."""
    found = []
    for (x0, y0), (x1, y1), _, (x3, y3) in (line.corners for line in lines):
        long, tall = math.hypot(x1 - x0, y1 - y0), math.hypot(x3 - x0, y3 - y0)
        if long > 2 * tall:
            found.append((math.degrees(math.atan2(y1 - y0, x1 - x0)), long))
    found.sort()
    whole, passed = sum(long for _, long in found), 0.0
    for angle, long in found:
        passed += long
        if passed >= whole / 2:
            agree = sum(length for a, length in found if abs(a - angle) <= 2.0)
            return angle if abs(angle) <= 30 and agree >= 0.6 * whole else 0.0
    return 0.0


def _level(points: Quad, size: tuple[int, int], tilt: float) -> Box:
    """The box around ``points`` after turning the picture of ``size`` level. The level picture is larger by what sticks
    out, so that no coordinate is negative.
    """
    sine, cosine = math.sin(math.radians(tilt)), math.cos(math.radians(tilt))
    turn = np.array([[cosine, sine], [-sine, cosine]])
    larger = np.abs(turn) @ size
    turned = (np.array(points) - np.array(size) / 2) @ turn.T + larger / 2
    return around(turned, (math.ceil(larger[0]), math.ceil(larger[1])))


def _in_order(lines: list[Line]) -> tuple[Line, ...]:
    """From top to bottom."""
    return tuple(sorted(lines, key=lambda line: (line.box.y0, line.box.x0, line.text)))


def _clear(image: Image) -> Image:
    """The picture with its contrast stretched, where it has little; 0 to 255 otherwise left alone."""
    histogram = image.convert("L").histogram()
    used = [value for value, count in enumerate(histogram) if count > sum(histogram) * 0.0005]
    if not used or used[-1] - used[0] >= FAINT or used[-1] == used[0]:
        return image
    return ImageOps.autocontrast(image.convert("L"), cutoff=0.02).convert("RGB")


def _certainty(lines: tuple[Line, ...]) -> float:
    """Mean of the cubed confidence, long lines counting more; 0 without lines."""
    return _weight(lines) / sum(len(line.text) for line in lines) if lines else 0.0


def _weight(lines: tuple[Line, ...]) -> float:
    return sum(line.confidence**3 * len(line.text) for line in lines)


def _read(image: Image) -> Reading:
    """All lines read with enough confidence, from top to bottom. ``image`` is RGB."""
    longest = max(image.size)
    factor = MAX_SIDE / longest if longest > MAX_SIDE else 2.0 if longest < MIN_SIDE else 1.0
    scaled = image if factor == 1.0 else resized(image, factor, Resampling.LANCZOS, least=1)
    if min(scaled.size) < LEAST_SIDE:
        return Reading(())
    across, down = image.width / scaled.width, image.height / scaled.height
    pixels = np.ascontiguousarray(np.asarray(scaled)[:, :, ::-1])
    with _LOCK:
        read, unread = _run(pixels)
    found: list[Line] = []
    for quad, text, score in read:
        clean = " ".join("".join(c for c in text if c.isprintable()).split())
        if score < MIN_CONFIDENCE or not any(c.isalnum() for c in clean):
            continue
        points = tuple((x * across, y * down) for x, y in quad)
        found.append(Line(clean, around(points, image.size), score, points))
    letters: list[tuple[Quad, int]] = [(corners(line.box), len(line.text)) for line in found]
    if not found and len(read) > 1:  # nothing could be read: what looks like text tells
        letters = [(quad, 1) for quad, _, _ in read]
    tall = sum(count for quad, count in letters if _is_tall(quad))
    return Reading(_in_order(found), unread=unread, lies=tall > 0.5 * sum(count for _, count in letters))


def _is_tall(quad: Quad) -> bool:
    width, height = np.ptp(quad, axis=0)
    return bool(height > _TALL * width)


def _run(pixels: NDArray[np.uint8]) -> tuple[list[tuple[Quad, str, float]], int]:
    """Corners, text and score of each line, and how many are in letters that cannot be read. Lines are recognised one
    by one, on all cores: none is padded to another's length.
    """
    engine = _engine()
    import cv2
    from rapidocr.inference_engine.onnxruntime.main import ONNXRuntimeError
    from rapidocr.main import RapidOCRError
    from rapidocr.utils.process_img import map_boxes_to_original

    try:
        image, scale = engine.preprocess_img(engine.load_img(pixels))
        crops, places = engine.detect_and_crop(image, scale)
        read = each(lambda crop: engine.recognize_txt([crop]), crops, usable_cores())
    except RapidOCRError:
        return [], 0
    except (cv2.error, ONNXRuntimeError, MemoryError) as error:
        raise BackendUnavailable("RapidOCR could not read this picture; give a smaller or plainer one") from error
    if places.boxes is None or places.scores is None:  # nothing looks like text
        return [], 0
    texts = [line.txts[0] if line.txts else "" for line in read]
    unread = _unread(places.boxes, places.scores, texts)
    placed: list[list[list[float]]] = map_boxes_to_original(places.boxes, scale, *pixels.shape[:2]).tolist()
    lines = zip(placed, texts, read, strict=True)
    return [
        ([(x, y) for x, y in quad], text, float(line.scores[0])) for quad, text, line in lines if text.strip()
    ], unread


def _unread(boxes: NDArray[np.float32], scores: Sequence[float], texts: Sequence[str]) -> int:
    """How many lines are surely text of which hardly a letter was read. *Shape* of boxes: (n, 4, 2)."""
    count = 0
    for quad, score, text in zip(boxes, scores, texts, strict=True):
        long = float(np.linalg.norm(quad[1] - quad[0])) / max(1.0, float(np.linalg.norm(quad[3] - quad[0])))
        count += score >= _TEXT_SCORE and long >= _LONG and sum(c.isalnum() for c in text) < _LETTERS * long
    return count


@lru_cache(maxsize=1)
def _engine() -> RapidOCR:
    folder = _models()
    with _no_table_of_downloads():
        from rapidocr.main import RapidOCR

    parameters = {
        "Global.log_level": "critical",
        "Global.use_cls": False,
        "Global.text_score": 0.0,  # what is too unsure is left out in _read, where its place is known
        "Global.max_side_len": MAX_SIDE,
        "EngineConfig.onnxruntime.intra_op_num_threads": 1,  # more threads wait for each other at work
        "Det.model_path": str(folder / _DETECTOR),
        "Det.limit_type": "max",
        "Det.limit_side_len": _DETECTION_SIDE,
        "Rec.model_path": str(folder / _RECOGNISER),
        "Rec.rec_batch_num": 1,
    }
    return RapidOCR(params=parameters)


@contextmanager
def _no_table_of_downloads() -> Iterator[None]:
    """RapidOCR reads its long table of models to download twice on import, slowly. Nothing is downloaded here,
    so it is empty for the block's time.
    """
    files = import_module("rapidocr.utils.parse_parameters").OmegaConf
    read = files.load
    files.load = lambda _: files.create({})
    try:
        yield
    finally:
        files.load = read


def _models() -> Path:
    """The folder of the models inside the installed package; so nothing is ever fetched."""
    spec = find_spec("rapidocr")
    if spec is None or spec.origin is None:
        raise BackendUnavailable("RapidOCR is not installed; install 'rapidocr' 3.10 or newer to read images")
    folder = Path(spec.origin).parent / "models"
    missing = [name for name in (_DETECTOR, _RECOGNISER) if not (folder / name).is_file()]
    if missing:
        raise BackendUnavailable(f"the installed RapidOCR lacks the model {missing[0]!r}; install 'rapidocr' 3.10")
    return folder


@lru_cache(maxsize=1)
def ocr_fingerprint() -> Fingerprint:
    """Version of RapidOCR and hash over its two model files."""
    folder = _models()
    data = b"".join(bytes.fromhex(sha256_bytes((folder / n).read_bytes())) for n in (_DETECTOR, _RECOGNISER))
    return Fingerprint(name="rapidocr:pp-ocrv6-small", version=version("rapidocr"), sha256=sha256_bytes(data))
