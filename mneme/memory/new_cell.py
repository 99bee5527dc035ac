"""What a person gives for a new cell, made into one that the linter has no error for."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from mneme.errors import UsageError
from mneme.format.cues import split_cues
from mneme.format.ids import canonical, check_prefix, is_id, next_numbers, random_ids, suffixes, used_ids
from mneme.format.model import Link, Placed
from mneme.format.render import NewCell, check_sound, render
from mneme.format.vocabulary import DEFAULT_CONFIDENCE, INVERSES, RELATIONS
from mneme.memory.draft import Draft, Target, nearest_hint
from mneme.text.visible import quote, visible


class Given(NamedTuple):
    """Values for a new cell. ``cues`` may hold several a text, as a cue line does; ``links`` are ``REL=ID``."""

    gist: str
    topic: str | None = None
    cues: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    state: str = "live"
    conf: str = DEFAULT_CONFIDENCE
    imp: str = ""
    links: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    origin: tuple[str, ...] = ()


class Written(NamedTuple):
    """A cell that was written: its ID and place, whether it is personal, and what else there is to say.

    ``listed`` says that its file was one of the workspace's before; ``text`` is the cell as it stands there.
    """

    id: str
    file: str
    line: int
    personal: bool = False
    notes: tuple[str, ...] = ()
    listed: bool = True
    text: str = ""


def append_new(
    draft: Draft, target: Target, prefix: str, given: Given, today: date, *, extra: Sequence[Link] = (),
    taken: Collection[str] = (),
) -> tuple[NewCell, list[str]]:  # fmt: skip
    """Give ``given`` an ID and add it to ``target``; ``extra`` links come first. Returns the cell, and what to say.

    ``taken`` are IDs in use besides those one sees.

    Raises:
        UsageError: a value cannot be written, a link is malformed or must not be.
        UnreadableFile: a file of the workspace could not be read, so that the IDs in use are not known.
    """
    draft.require_all_read()
    check_prefix(prefix)
    links = [parse_link(text) for text in dict.fromkeys(given.links)]
    notes = [note for link in links for note in _judge(link, draft)]
    keep_layers_apart(target, [*extra, *links], draft)
    cell = NewCell(
        id=free_id(draft, target, prefix, [*(link.target for link in links), *taken]),
        gist=given.gist,
        topic=given.topic or "",
        cues=tuple(split_given(given.cues)),
        body=given.body,
        links=(*extra, *links),
        refs=given.refs,
        origin=given.origin,
        state=given.state,
        conf=given.conf,
        imp=given.imp,
        since=today.isoformat(),
        seen=today.isoformat(),
    )
    check_sound(cell)
    draft.append(target, render(cell))
    return cell, notes


def free_id(draft: Draft, target: Target, prefix: str, taken: Collection[str] = ()) -> str:
    """Return an ID for a new cell in ``target`` that nobody has."""
    # A personal cell is numbered where nobody else's can be seen, and meets them all: like any such writer, by chance.
    random = target.personal or draft.workspace.config.ids == "random"
    cells = [*(place.cell for place in draft.links.placed), *draft.elsewhere]
    used = [*used_ids(cells), *taken]
    return next(random_ids(prefix, used, suffixes()) if random else next_numbers(prefix, used))


def parse_link(text: str) -> Link:
    """Return the link that ``REL=ID`` says.

    Raises:
        UsageError: it is not of that form, or the ID is none.
    """
    relation, equals, target = text.partition("=")
    if not equals or not relation or not target:
        raise UsageError(f"--link {quote(text)} is not REL=ID", "for example --link relates=DEC-0042")
    if not is_id(target):
        meant = canonical(target)
        hint = f"did you mean {meant}?" if is_id(meant) else "an ID is PREFIX-NUMBER, for example DEC-0042"
        raise UsageError(f"--link {quote(text)}: {quote(target)} is no cell ID", hint)
    return Link(relation, target)


def _judge(link: Link, draft: Draft) -> list[str]:
    """Return what a linter will say about a new link, so that it is heard now."""
    notes = []
    if link.relation not in RELATIONS:
        near = difflib.get_close_matches(link.relation, RELATIONS, 1, 0.6)
        guess = f"did you mean {near[0]}?" if near else f"known: {', '.join(RELATIONS)}"
        notes.append(f"unknown relation {quote(link.relation)}: {guess}")
    if link.target not in draft.links.by_id and all(cell.id != link.target for cell in draft.elsewhere):
        hint = nearest_hint(link.target, draft.links)
        notes.append(f"the link {link.relation} {link.target} leads nowhere yet" + (f": {hint}" if hint else ""))
    return notes


def keep_layers_apart(target: Target, links: Sequence[Link], draft: Draft) -> None:
    """Refuse a link from a shared cell to a personal one: nobody else could follow it.

    Raises:
        UsageError: names the link.
    """
    if target.personal:
        return
    for link in links:
        places = draft.links.by_id.get(link.target, [])
        if places and all(draft.target_of(place).personal for place in places):
            raise UsageError(
                f"{link.target} is personal: a shared cell must not link to it",
                "make this cell personal too (--personal), or leave the link out",
            )


def split_given(values: Sequence[str]) -> list[str]:
    """Return the cues that were given, of which a text may hold several."""
    # The slash put behind makes every text one with breaks, so that a lone CI/CD stays one cue.
    return [cue for value in values for cue in split_cues(f"{value} /")]


def written(draft: Draft, target: Target, cell_id: str, notes: Sequence[str] = ()) -> Written:
    """Return the receipt of a new cell."""
    place = draft.place_after(target, cell_id)
    return Written(
        cell_id, target.document.name, line_of(place), target.personal, tuple(map(visible, notes)),
        draft.lists(target), place.cell.text,
    )  # fmt: skip


def line_of(place: Placed) -> int:
    """Return the line of a cell's header, from 1."""
    return place.document.lines.position(place.start)[0]


def one_way(relation: str) -> bool:
    """Whether a relation may be added to one cell alone: not one of a pair."""
    return relation not in INVERSES
