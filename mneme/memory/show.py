"""Showing cells whole: the text as it stands, and what one has to know before relying on it.

What is printed is itself Mneme text: everything that is not in the file stands in comment lines.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

from mneme.format import ids
from mneme.format.dates import parse_date
from mneme.format.digest import content_digest
from mneme.format.edits import end_of_content
from mneme.format.model import Cell, Link, Placed
from mneme.format.spine import cell_data
from mneme.format.trust import Trust
from mneme.format.vocabulary import INVERSES
from mneme.memory.links import BackLink, LinkIndex
from mneme.text.visible import visible


class Resolved(NamedTuple):
    """The cells that a spelling of an ID means; ``note`` says so when it is not written like that."""

    places: list[Placed]
    note: str = ""
    nearest: str = ""


def resolve(token: str, links: LinkIndex) -> Resolved:
    """Return the cells with the ID ``token``, else those it looks like (``dec-42``: DEC-0042), else the nearest ID."""
    exact = links.by_id.get(token)
    wanted = ids.number(token) or ids.canonical(token)
    alike = [known for known in links.by_id if known != token and (ids.number(known) or ids.canonical(known)) == wanted]
    if exact:
        note = f"{token} and {', '.join(alike)} are the same number" if alike else ""
        return Resolved(exact, visible(note))
    if alike:
        places = [place for known in alike for place in links.by_id[known]]
        return Resolved(places, visible(f"{token} read as {', '.join(alike)}"))
    meant = ids.canonical(token)
    near = difflib.get_close_matches(meant if "-" in meant else meant.upper(), links.by_id, 1, 0.6)
    return Resolved([], nearest=visible(near[0]) if near else "")


class View:
    """One cell with everything around it that matters to a reader."""

    def __init__(self, place: Placed, links: LinkIndex, trusted: Trust, today: date) -> None:
        self.place = place
        self.links = links
        self.trusted = trusted
        self.today = today

    @property
    def cell(self) -> Cell:
        """The cell."""
        return self.place.cell

    @property
    def where(self) -> str:
        """File and line of the header."""
        return f"{self.place.document.name}:{self.line}"

    @property
    def line(self) -> int:
        """Line of the header, from 1."""
        return self.place.document.lines.position(self.place.start)[0]

    @property
    def age(self) -> int | None:
        """Days since the cell was last confirmed; None when that cannot be told."""
        seen = parse_date(self.cell.status.seen)
        return None if seen is None else (self.today - seen).days

    @property
    def current(self) -> list[Placed]:
        """The cells that stand in this one's place now."""
        return self.links.current(self.cell.id)

    @property
    def incoming(self) -> list[BackLink]:
        """The links that name this cell, without the other halves of pairs that it writes itself."""
        own = {(INVERSES.get(link.relation), link.target) for link in self.cell.links}
        return [
            back for back in self.links.incoming(self.cell.id) if (back.link.relation, back.source.cell.id) not in own
        ]

    def text(self) -> str:
        """Return the cell with its surroundings in comment lines; nothing in it is hidden."""
        trust = self.trusted.word + (f" ({visible(self.trusted.reason)})" if self.trusted.reason else "")
        head = [f"# {visible(self.where)}", f"trust {trust}"]
        if self.age is not None:
            head.append(f"seen {_days(self.age)}")
        lines = ["   ".join(head)]
        lines += [f"# read instead: {_named(heir)}" for heir in self.current]
        content = self.cell.text[: end_of_content(self.cell)].removesuffix("\n")
        for line in content.split("\n"):
            lines.append(visible(line.removesuffix("\r")))
        lines += [f"# {visible(link.relation)} -> {self._target(link)}" for link in self.cell.links]
        lines += [f"# {visible(back.link.relation)} <- {_named(back.source)}" for back in self.incoming]
        return "\n".join(lines) + "\n"

    def _target(self, link: Link) -> str:
        places = self.links.by_id.get(link.target)
        if not places:
            return f"{visible(link.target)}: no such cell here"
        return "; ".join([_named(place) for place in places])

    def data(self) -> dict[str, Any]:
        """Return everything as values, for JSON."""
        cell = self.cell
        status = cell.status
        return cell_data(cell, self.trusted) | {
            "path": self.place.document.name,
            "line": self.line,
            "seen_days_ago": self.age,
            "imp": status.imp,
            "hot": status.hot,
            "cues": list(cell.cues),
            "body": cell.body_text,
            "refs": list(status.refs),
            "origin": list(cell.origin),
            "links": [
                {"relation": link.relation, "id": link.target, "attributes": dict(link.attributes)}
                | _known(self.links.by_id.get(link.target))
                for link in cell.links
            ],
            "linked_from": [
                {"relation": back.link.relation, "id": back.source.cell.id} | _known([back.source])
                for back in self.links.incoming(cell.id)
            ],
            "current": [place.cell.id for place in self.current],
            "digest": content_digest(cell),
            "text": cell.text,
        }


def _days(age: int) -> str:
    if age == 0:
        return "today"
    days = "1 day" if abs(age) == 1 else f"{abs(age)} days"
    return f"{days} ago" if age > 0 else f"{days} ahead"


def _named(place: Placed) -> str:
    cell = place.cell
    return f"{visible(cell.id)} ({visible(cell.status.state) or 'no state'}) {visible(cell.gist)}".rstrip()


def _known(places: Sequence[Placed] | None) -> dict[str, Any]:
    if not places:
        return {"found": False}
    cell = places[0].cell
    return {"found": True, "state": cell.status.state, "gist": cell.gist}


def views(resolved: Sequence[Resolved], links: LinkIndex, trust_of: Callable[[Cell], Trust], today: date) -> list[View]:
    """Return a view of every resolved cell, each cell once."""
    found: dict[tuple[str, int], View] = {}
    for entry in resolved:
        for place in entry.places:
            key = (place.document.name, place.start)
            found.setdefault(key, View(place, links, trust_of(place.cell), today))
    return list(found.values())
