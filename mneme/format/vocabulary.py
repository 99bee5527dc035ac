"""The words of the format, as tables."""

from __future__ import annotations

STATES = ("proposed", "live", "stale", "superseded", "retired")
WORKING_STATES = frozenset({"live", "stale"})
"""What the spine shows."""

TRANSITIONS: dict[str, tuple[str, ...]] = {
    "proposed": ("live", "retired", "superseded"),
    "live": ("stale", "superseded", "retired"),
    "stale": ("live", "superseded", "retired"),
    "superseded": (),
    "retired": (),
}
"""From a state to the states it may become; a new cell may start in any."""

CONFIDENCES = ("high", "med", "low")
DEFAULT_CONFIDENCE = "med"

IMPORTANCES = ("1", "2", "3", "4", "5")

INVERSES = {"supersedes": "superseded-by", "superseded-by": "supersedes"}
RELATIONS = (
    "supersedes", "superseded-by", "relates", "depends-on", "blocks", "refines", "causes", "enables", "prevents",
)  # fmt: skip

LINE_KEYS = ("gist", "state", "conf", "since", "seen", "cue", "link", "ref", "origin")
"""What may stand at the head of a line, besides ``@``, ``>`` and ``#``."""

PAIR_KEYS = ("state", "conf", "since", "seen", "imp", "hot")
"""Keys of a state line; the value is the next token."""

CONTENT_FIELDS = frozenset({"id", "topic", "gist", "since", "cue", "body", "origin"})
"""Fields whose value never changes."""

REQUIRED_FIELDS = ("gist", "state", "since", "seen")

PREFIXES = {
    "DEC": "decision",
    "OKR": "goal",
    "PREF": "preference",
    "GOTCHA": "pitfall",
    "FACT": "fact or constraint",
    "TODO": "long-lived open item",
}

BLANKS = " \t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
"""Space, tab and Unicode category Zs: what separates tokens."""

MEMORY_SUFFIXES = (".mneme", ".mn")
PERSONAL_SUFFIX = ".local.mneme"

DECAY_DAYS = 45
"""A live cell not seen for more days than this is due (the protocol's own number)."""

FUTURE_DAYS = 2
"""A date up to this far ahead is no finding: somebody east of here wrote it."""
