"""Generated memory files for measuring: the same seed gives the same text on every machine."""

from __future__ import annotations

import random
from datetime import date, timedelta

TODAY = date(2026, 11, 25)
PREFIXES = ("DEC", "FACT", "PREF", "GOTCHA", "TODO")


def words(rng: random.Random, count: int = 2000) -> list[str]:
    """Return distinct made-up words of three to nine letters."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(3, 9)))] = None
    return list(found)


def memory(cells: int, seed: int = 1) -> str:
    """Return a file of ``cells`` live cells: 9-word gists, 4 cues, 0 to 2 body lines, 30 % linked, none overdue."""
    rng = random.Random(seed)
    vocabulary = words(rng)
    ids: list[str] = []
    parts = ["# generated for measuring\n\n"]
    for number in range(1, cells + 1):
        cell_id = f"{rng.choice(PREFIXES)}-{number:04d}"
        since = TODAY - timedelta(days=rng.randint(40, 700))
        seen = TODAY - timedelta(days=rng.randint(0, 30))
        cues = " / ".join(f"{rng.choice(vocabulary)} {rng.choice(vocabulary)}" for _ in range(4))
        lines = [
            f"@ {cell_id}  {rng.choice(vocabulary)}/{rng.choice(vocabulary)}",
            f"gist  {' '.join(rng.choice(vocabulary) for _ in range(9))}",
            f"state live   conf {rng.choice(('high', 'med'))}   since {since}   seen {seen}",
            f"cue   {cues}",
        ]
        lines += [f"> {' '.join(rng.choice(vocabulary) for _ in range(12))}" for _ in range(rng.randint(0, 2))]
        if ids and rng.random() < 0.3:
            lines.append(f"link  relates {rng.choice(ids)}")
        ids.append(cell_id)
        parts.append("\n".join(lines) + "\n\n")
    return "".join(parts)
