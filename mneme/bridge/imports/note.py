"""What an importer finds: notes that become cells, edges between them, and what was left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from mneme.errors import UnreadableFile
from mneme.format.dates import parse_date
from mneme.graph.model import Edge

LINK_WEIGHT = 0.5

LONGEST_NAME = 200
"""Of what many notes repeat (a heading, a name, a tag) so many characters count, and not more for each of them."""

MOST_NAMES = 20
"""So many tags or globs go to every note of a file."""


class Part(NamedTuple):
    """A file of a source: its name as provenance calls it, and its text."""

    name: str
    text: str


class Note(NamedTuple):
    """One thing that a source says.

    With a ``title`` the text is what explains it; without, the text says it all. An empty ``prefix`` is found by the
    words; ``day`` is the day of origin (YYYY-MM-DD) where the source knows one, ``seen`` a later day on which it was
    touched. ``item`` is what the source calls it,
    ``names`` are the ends of edges that mean it, ``more`` are further pairs of the origin line. A ``personal`` note
    enters no shared file.
    """

    text: str
    path: str
    line: int = 0
    title: str = ""
    prefix: str = ""
    topic: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    state: str = "live"
    conf: str = "med"
    imp: str = ""
    day: str = ""
    seen: str = ""
    item: str = ""
    names: tuple[str, ...] = ()
    more: tuple[tuple[str, str], ...] = ()
    personal: bool = False


@dataclass
class Reading:
    """What was found in a source. Edges lead between names of notes; ``left_out`` counts what is no note, by kind."""

    notes: list[Note] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    remarks: list[str] = field(default_factory=list)
    unreadable: list[UnreadableFile] = field(default_factory=list)

    def relate(self, source: str, relation: str, target: str) -> None:
        """Add an edge for ``relation`` as the source calls it; one that the format does not know is ``relates``."""
        kind, said = edge_of(relation)
        if said.get("sub_type") == "depends-on":  # an edge runs from cause to effect
            source, target = target, source
        self.edges.append(Edge(source, target, kind, LINK_WEIGHT, said))

    def broken(self, path: str, line: int, reason: str, hint: str = "") -> None:
        """Note that a place in a file cannot be read."""
        self.unreadable.append(UnreadableFile(path, reason, line=line, hint=hint))


_CAUSAL = {
    "depends-on": "depends-on", "requires": "depends-on", "needs": "depends-on", "blocks": "blocks",
    "causes": "causes", "enables": "enables", "prevents": "prevents",
}  # fmt: skip
_REFINES = frozenset({"refines", "extends", "details", "implements", "part-of"})
_PLAIN = frozenset({"relates", "relates-to", "related-to", "related", "links-to", "see-also"})


def edge_of(relation: str) -> tuple[str, dict[str, str]]:
    """Return the type of edge for a relation, and what its metadata say."""
    plain = "-".join(relation.casefold().replace("_", " ").replace("-", " ").split())
    if plain in ("supersedes", "replaces"):
        return "supersedes", {}
    if plain in _CAUSAL:
        return "causal", {"sub_type": _CAUSAL[plain]}
    said = {} if plain in _PLAIN or not plain else {"relation": plain}
    if plain in _REFINES:
        said = {"sub_type": "refines"} | ({} if plain == "refines" else said)
    return "semantic", said


def is_known(relation: str) -> bool:
    """Whether a link can say ``relation`` itself."""
    return "relation" not in edge_of(relation)[1]


def day_in(text: str) -> str:
    """Return the day at the beginning of ``text`` (a date, or a time in RFC 3339); empty where there is none."""
    day = text.strip()[:10]
    return day if parse_date(day) else ""
