#!/usr/bin/env python3
"""Let many processes remember, recall, compile and forget at once in one workspace, and look for what got lost.

    python scripts/soak.py [--seconds 60] [--processes 16] [--seed N]

Every command is a process of its own, as a person or an agent starts it. While it goes on, whoever remembered something
recalls it and must find it. At the end every ID that anybody was told stands in the text, once, and in the store; what
was forgotten is retired; the store is sound and what a rebuild makes; and nobody saw an error, a lock or a traceback.
Prints how many commands ran; on failure what was wrong, and exits 1.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from mneme.graph.store import read
from mneme.graph.store.dump import dump

STORE = Path("data", "default", "mnemon.db")
FIRST = """\
@ DEC-0001  storage/cache
gist  Local cache uses SQLite instead of JSON files
state live   conf high   since 2026-11-01   seen 2026-11-20
cue   slow queries / cache
"""
SUBJECTS = ("Redis", "SQLite", "the queue", "Docker", "paging", "缓存", "the HttpClient", "并发写入")
SAYS = ("is slow because of {n} locks", "keeps {n} rows", "replaces the old one since version {n}", "的上限是 {n}")
VERBS = (("remember", 40), ("recall", 35), ("compile", 15), ("forget", 10))
TOLD = re.compile(r"^([A-Z]+-\w+) added", re.MULTILINE)


class Soak:
    """One workspace, and all that its processes were told."""

    def __init__(self, folder: Path, seconds: float, seed: int) -> None:
        self.folder = folder / "workspace"
        self.folder.mkdir()
        (self.folder / "mneme.toml").touch()
        (self.folder / "project.mneme").write_text(FIRST, encoding="utf-8")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "MNEME_", "MNEMON_"))}
        self.env = {**kept, "HOME": str(folder), "MNEME_CACHE_DIR": str(folder / "cache"), "PYTHONIOENCODING": "utf-8"}
        self.until = time.monotonic() + seconds
        self.seed = seed
        self.told: list[str] = []
        self.forgotten: list[str] = []
        self.wrong: list[str] = []
        self.ran: Counter[str] = Counter()
        self.slowest = 0.0

    def mneme(self, *arguments: str) -> str:
        """Run a command; return what it printed. What must not happen is noted."""
        started = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "mneme", "-C", str(self.folder), *arguments], env=self.env, check=False,
            capture_output=True, encoding="utf-8", errors="replace",
        )  # fmt: skip
        self.slowest = max(self.slowest, time.monotonic() - started)
        self.ran[arguments[0]] += 1
        if done.returncode or "Traceback" in done.stderr or "locked" in done.stderr:
            self.wrong.append(f"mneme {' '.join(arguments)}: exit {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def work(self, number: int) -> None:
        """Do what one person does, until the time is up."""
        rng = random.Random(f"{self.seed}:{number}")
        own: list[tuple[str, str]] = []
        turn = 0
        while time.monotonic() < self.until and not self.wrong:
            turn += 1
            verb = rng.choices([verb for verb, _ in VERBS], [weight for _, weight in VERBS])[0] if own else "remember"
            if verb == "remember":
                mark = f"mark{number}x{turn}"
                said = f"{rng.choice(SUBJECTS)} {rng.choice(SAYS).format(n=rng.randint(2, 99))} {mark}"
                found = TOLD.search(self.mneme("remember", said, "--cat", rng.choice(("fact", "decision", "general"))))
                if found:
                    own.append((found[1], mark))
                    self.told.append(found[1])
                else:
                    self.wrong.append(f"remember {said!r} told no ID")
            elif verb == "recall":
                cell_id, mark = rng.choice(own)
                if cell_id not in self.mneme("recall", mark, rng.choice(SUBJECTS)).split():
                    self.wrong.append(f"recall {mark} did not find {cell_id}, which was remembered before")
            elif verb == "compile":
                self.mneme("compile")
            else:
                cell_id, _ = own.pop(rng.randrange(len(own)))
                self.mneme("forget", cell_id)
                self.forgotten.append(cell_id)

    def run(self, processes: int) -> None:
        """Work in many at once, then look at what is left."""
        threads = [threading.Thread(target=self.work, args=(number,)) for number in range(processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._settle()

    def _settle(self) -> None:
        expect = self._expect
        self.mneme("compile")
        store = self.folder / ".mnemon" / STORE
        files = {path.name for path in self.folder.iterdir()}
        expect(files == {"mneme.toml", "project.mneme", ".mnemon"}, f"left in the workspace: {sorted(files)}")
        beside = [path.name for path in store.parent.iterdir()]
        expect(beside == [store.name], f"left beside the store: {beside}")
        text = (self.folder / "project.mneme").read_text(encoding="utf-8")
        cells = dict(re.findall(r"^@ (\S+).*\n(?:.*\n)*?state (\w+)", text, re.MULTILINE))
        heads = Counter(re.findall(r"^@ (\S+)", text, re.MULTILINE))
        expect(heads.total() == len(heads), f"IDs used twice: {[key for key, count in heads.items() if count > 1]}")
        expect(len(set(self.told)) == len(self.told), "an ID was told to two")
        expect(set(self.told) <= set(heads), f"lost from the text: {sorted(set(self.told) - set(heads))}")
        expect(len(heads) == 1 + len(self.told), f"{len(heads)} cells in the text, and {len(self.told)} were told")
        lively = [key for key in self.forgotten if cells.get(key) != "retired"]
        expect(not lively, f"forgotten and not retired: {lively}")
        known = read(store, lambda reader: {row.id: row.state for row in reader.cells()})
        expect(known == cells, f"text and store differ: {sorted(set(known.items()) ^ set(cells.items()))}")
        with closing(sqlite3.connect(store)) as database:
            for check, sound in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
                found = database.execute(f"PRAGMA {check}").fetchall()
                expect(found == sound, f"{check}: {found}")
        self.mneme("compile", "--data-dir", str(self.folder.parent / "anew"))
        anew = read(self.folder.parent / "anew" / STORE, lambda reader: dump(reader.rows))
        expect(read(store, lambda reader: dump(reader.rows)) == anew, "the store is not what a rebuild makes")

    def _expect(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.wrong.append(otherwise)


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, and report; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to go on (default: 60)")
    parser.add_argument("--processes", type=int, default=16, help="how many at once (default: 16)")
    parser.add_argument("--seed", type=int, default=None, help="which commands run (default: the time)")
    options = parser.parse_args(arguments)
    seed = int(time.time()) if options.seed is None else options.seed
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(Path(folder), options.seconds, seed)
        soak.run(options.processes)
    ran = ", ".join(f"{count} {verb}" for verb, count in sorted(soak.ran.items()))
    if soak.wrong:
        print("\n".join(soak.wrong))
        print(f"soak: seed {seed}, {options.processes} processes; {ran}; {len(soak.wrong)} things went wrong")
        return 1
    print(f"soak: seed {seed}, {options.processes} processes; {ran}; nothing lost; slowest {soak.slowest:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
