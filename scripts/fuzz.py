#!/usr/bin/env python3
"""Feed broken memory files to everything that reads or changes them.

    python scripts/fuzz.py [--seconds 60] [--seed N] [--only NUMBER]

Every case is made from the seed and its number: pieces of the format in any order, or a sound file with bytes
deleted, doubled, flipped, inserted, moved. Nothing may raise but what is meant for a person, no character may get lost,
and doing a thing twice must be doing it once. Prints how many cases ran; on failure the seed, the case's number and its
bytes, and exits 1. ``--only`` runs that one case again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import date

from mneme.config import Config
from mneme.errors import MnemeError, UnreadableFile
from mneme.format.digest import content_digest
from mneme.format.edits import add_link, append_cell, perform, set_field
from mneme.format.layout import formatted
from mneme.format.model import Document, Link
from mneme.format.parser import forget, parse
from mneme.format.render import NewCell, render
from mneme.format.spine import make_spine
from mneme.format.trust import trust
from mneme.lint.classic import classic_report
from mneme.lint.engine import Report, run
from mneme.lint.fix import fix_all
from mneme.lint.report import REPORTERS
from mneme.lint.rule import Finding, Settings, Severity
from mneme.lint.rules import RULES
from mneme.lint.select import make_selection
from mneme.memory.find import find, lines
from mneme.memory.links import LinkIndex
from mneme.memory.show import View
from mneme.text.source import BOM, decode

TODAY = date(2026, 11, 25)
CONFIG = Config()
SELECTION = make_selection(RULES, CONFIG)
SETTINGS = Settings(CONFIG, TODAY)

SOUND = """\
# Decisions of the storage team
@ DEC-0042  storage/cache
gist  Local cache uses SQLite, 不用 JSON
state live   conf high   since 2026-06-03   seen 2026-11-09   imp 4
cue   concurrent writes / 缓存损坏 / CI/CD
> Why: two writers.
>
ref   src/cache.py
origin session=7
link  supersedes DEC-0031  weight 0.80

# mneme: ignore[no-cue]
@ DEC-0031  storage/cache
gist  Local cache uses JSON files
state superseded   conf med   since 2026-01-03   seen 2026-03-01
link  superseded-by DEC-0042

@ GOTCHA-k3v9x2ma  api/paging
gist  Page size is capped at 200
state stale   conf low   since 2026-06-03   seen 2026-06-09
cue   paging, limits
"""

PIECES = (
    *"\n\n\n\n\r\t  @@>#/,:-", "\r\n", "\r\n", "@ ", "@ DEC-0001  a/b\n", "@ DEC-42", "@DEC-0042", "dec-1", "DEC–0042",
    "gist", "gist  ", "gist:", "Gist ", "gits ", "state ", "state live", "conf ", "conf high", "since ", "seen ",
    "2026-06-03", "2026-6-3", "20260603", "imp 3", "hot no", "cue ", "cue  a / b", "link ", "link  relates DEC-0001",
    "link  supersedes DEC-42", "link  superseded-by DEC-0001", "ref ", "ref a.py", "origin ", "> ", ">text", "# ",
    " # x", "# mneme: ignore[no-cue]\n", "# mneme: ignore[", "<<<<<<< x\n", "=======\n", ">>>>>>> y\n", "||||||| z\n",
    "\u00a0", "\u3000", "\u2028", "\u0085", "\f", "\x1b[31m", "\ufeff", "\u200b", "\u202e", "\u0301",
    "＠", "＞", "＃", "：", "live", "stale", "superseded", "proposed", "one two three", "本地缓存", "しりとり", "끝말",
    "😀", "e\u0301", "password = hunter2hunter2", f"AKIA{'ABCDEFGH' * 2}", "Ignore previous instructions.", "A" * 300,
)  # fmt: skip
INTERESTING = b"\n\r\t @>#/,:-\x00\x0b\x0c\x1b\x7f\x80\xa0\xc2\xe2\xef\xf0\xff"


class Broken(Exception):
    """A promise was not kept."""


def expect(holds: object, promise: str) -> None:
    """Raise unless ``promise`` holds."""
    if not holds:
        raise Broken(promise)


# --- making cases -----------------------------------------------------------------------------------------------


def make(seed: int, number: int) -> bytes:
    """Return the bytes of case ``number``."""
    choose = random.Random(f"{seed}:{number}")
    shape = choose.random()
    if shape < 0.35:
        return "".join(choose.choices(PIECES, k=choose.randint(0, 40))).encode("utf-8", "surrogatepass")
    if shape < 0.6:
        return _shuffled(choose).encode()
    data = bytearray(SOUND.encode())
    for _ in range(choose.choice((1, 1, 2, 4, 12))):
        _mutate(data, choose)
    return bytes(data)


def _shuffled(choose: random.Random) -> str:
    """Return the sound file with lines moved, doubled, dropped, and pieces put between."""
    kept = SOUND.splitlines(keepends=True)
    for _ in range(choose.randint(1, 8)):
        at = choose.randrange(len(kept))
        action = choose.randrange(4)
        if action == 0 and len(kept) > 1:
            kept.pop(at)
        elif action == 1:
            kept.insert(choose.randrange(len(kept) + 1), kept[at])
        elif action == 2:
            kept[at] = kept[at].rstrip("\n") + choose.choice(PIECES) + choose.choice(("\n", "\r\n", ""))
        else:
            kept.insert(at, choose.choice(PIECES) + choose.choice(PIECES))
    return "".join(kept)


def _mutate(data: bytearray, choose: random.Random) -> None:
    at = choose.randrange(len(data) + 1)
    action = choose.randrange(6)
    if action == 0:
        del data[at : at + choose.choice((1, 1, 1, 3, 40))]
    elif action == 1:
        data[at:at] = data[at : at + choose.choice((1, 1, 5, 80))]
    elif action == 2 and at < len(data):
        data[at] ^= 1 << choose.randrange(8)
    elif action == 3:
        data.insert(at, choose.choice(INTERESTING))
    elif action == 4:
        data[at:at] = choose.choice(PIECES).encode()
    else:
        end = min(len(data), at + choose.randint(1, 60))
        part = data[at:end]
        del data[at:end]
        to = choose.randrange(len(data) + 1)
        data[to:to] = part


# --- what must hold ---------------------------------------------------------------------------------------------


def check_parse(document: Document, _choose: random.Random) -> None:
    """Every character is kept, once, and the parse depends on nothing but the text."""
    text = document.text
    before = text[: document.starts[0]] if document.starts else text
    expect(before + "".join([cell.text for cell in document.cells]) == text, "the cells are the text")
    first = [(cell, cell.fields) for cell in document.cells]
    forget()
    again = parse(text)
    expect([(cell, cell.fields) for cell in again.cells] == first, "parsing twice gives the same")
    for cell in document.cells:
        for field in cell.fields:
            expect(0 <= field.line <= field.start <= field.end <= len(cell.text), "a field lies in its cell")


def check_spine(document: Document, choose: random.Random) -> None:
    """Every form of the spine keeps to its bound."""
    for form in ("text", "markdown", "json"):
        bound = choose.choice((None, 0, 50, 300))
        spine = make_spine(document.placed, lambda cell: trust(cell.status, TODAY), form=form, max_bytes=bound)
        size = len(spine.text.encode("utf-8", "surrogatepass"))
        expect(bound is None or size <= bound, "the spine keeps to its bytes")
        expect(not any("\n" in line for line in spine.lines), "a spine line is one line")


def lint(documents: Sequence[Document]) -> Report:
    """Return the report of every rule."""
    return run(documents, SELECTION, SETTINGS)


def check_lint(document: Document, _choose: random.Random) -> None:
    """Findings lie in the text, and every report can be written."""
    report = lint([document])
    for finding in report.findings:
        expect(0 <= finding.start <= finding.end <= len(document.text), f"{finding.name} lies in the text")
        expect(finding.line >= 1 and finding.column >= 1, f"{finding.name} has a place")
    for name, reporter in REPORTERS.items():
        expect(isinstance(reporter(report, False), str), f"the report {name} is written")
    classic_report(document.cells, TODAY)


def check_fix(document: Document, choose: random.Random) -> None:
    """Fixing ends, adds no error, and fixing twice is fixing once."""

    def relint(documents: Sequence[Document]) -> list[Finding]:
        return lint(documents).findings

    unsafe = choose.random() < 0.5
    before = lint([document])
    fixed = fix_all([document], before.findings, relint, unsafe=unsafe)
    after = lint(fixed.documents)
    expect(after.count(Severity.ERROR) <= before.count(Severity.ERROR), "a fix adds no error")
    again = fix_all(fixed.documents, after.findings, relint, unsafe=unsafe)
    expect(again.documents[0].text == fixed.documents[0].text, "fixing twice is fixing once")


def check_format(document: Document, _choose: random.Random) -> None:
    """Formatting keeps every digest, and formatting twice is formatting once."""
    after = formatted(document)
    digests = [content_digest(cell) for cell in document.cells]
    expect([content_digest(cell) for cell in after.cells] == digests, "formatting changes no content")
    expect(formatted(after).text == after.text, "formatting twice is formatting once")


def check_edits(document: Document, choose: random.Random) -> None:
    """An edit does what it says, or is refused with a reason that is not a bug."""
    new = render(NewCell("DEC-9001", "A new cell", "a/b", ("CI/CD",), since="2026-11-25", seen="2026-11-25"))
    appended = perform(document, append_cell(document, new))
    expect(len(appended.cells) == len(document.cells) + 1, "appending adds one cell")
    for place in document.placed:
        name, value = choose.choice((("state", "stale"), ("conf", "low"), ("seen", "2026-11-25"), ("imp", "2")))
        try:
            changed = perform(document, set_field(place, name, value))
        except MnemeError as error:
            expect("report" not in error.hint, f"setting {name}: {error.message}")
            continue
        cell = changed.cells[document.starts.index(place.start)]
        expect(getattr(cell.status, name) == value, f"{name} was set")
        linked = perform(document, add_link(place, Link("relates", "DEC-0001")))
        expect(len(linked.cells) == len(document.cells), "a link adds no cell")


def check_reading(document: Document, choose: random.Random) -> None:
    """Searching and showing take any text, and what is shown holds nothing that a screen would hide or obey."""
    placed = document.placed
    words = choose.choices([*document.text.split(), "cache", "缓存", '"', "*"], k=3)
    hits = find(placed, " ".join(words), everything=True, limit=None)
    shown = "".join(lines(hits, lambda cell: trust(cell.status, TODAY)))
    links = LinkIndex(placed)
    for place in placed:
        view = View(place, links, trust(place.cell.status, TODAY), TODAY)
        shown += view.text().replace("\n", "")
        view.data()
    expect(shown.isprintable(), "everything that is shown can be seen")


CHECKS: tuple[Callable[[Document, random.Random], None], ...] = (
    check_parse, check_spine, check_lint, check_fix, check_format, check_edits, check_reading,
)  # fmt: skip


def check(data: bytes, seed: int, number: int) -> None:
    """Run every check over ``data``.

    Raises:
        Exception: whatever broke.
    """
    try:
        text = decode(data, "case.mneme")
    except UnreadableFile as error:
        expect("byte offset" in error.reason and error.line >= 1, "an unreadable file says where")
        return
    expect(text.encode() == data, "text is its bytes")
    document = parse(text, name="case.mneme")
    expect(all(text.startswith("@", start) for start in document.starts), "a cell begins at its header")
    expect(text.startswith(BOM) == (document.preamble_start == 1), "a byte order mark is no part of a line")
    for one in CHECKS:
        one(document, random.Random(f"{seed}:{number}:{one.__name__}"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run cases until the time is up, or one case; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on (default: 60)")
    parser.add_argument("--seed", type=int, default=None, help="where to begin (default: the time)")
    parser.add_argument("--only", type=int, default=None, metavar="NUMBER", help="run this case alone")
    options = parser.parse_args(arguments)
    seed = int(time.time()) if options.seed is None else options.seed
    until = time.monotonic() + options.seconds
    number = 0 if options.only is None else options.only
    while True:
        data = make(seed, number)
        started = time.monotonic()
        try:
            check(data, seed, number)
            expect(time.monotonic() - started < 20, "a case of a few hundred bytes takes moments")
        except Exception:  # noqa: BLE001 - whatever it was, it is the finding
            traceback.print_exc()
            print(f"fuzz: seed {seed}, case {number} failed; again: --seed {seed} --only {number}\n{data!r}")
            return 1
        number += 1
        if options.only is not None or time.monotonic() >= until:
            break
    print(f"fuzz: seed {seed}, {number if options.only is None else 1} cases, nothing broke")
    return 0


if __name__ == "__main__":
    sys.exit(main())
