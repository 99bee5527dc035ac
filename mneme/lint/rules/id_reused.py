"""MN704: an ID that history knows for another cell."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.guard import Verdict
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import at, prefix, shown, violations


@on_workspace("MN704", "id-reused", Severity.ERROR, history=True)
def ID_REUSED(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A new cell has an ID that was in use before: by a cell that was deleted, or one that was retired or superseded.

    Every commit that this one builds on is looked at. A deleted cell that comes back as it was is fine. With --base, so
    is the branch that this one will be merged into: a number that both took since they parted.

    Why: links, commit messages and people's memories name the old cell by that ID, and would now mean another one.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state retired   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-24   seen 2026-11-24
        cue   tokens

    Good:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state retired   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state retired   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        @ DEC-0003  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-24   seen 2026-11-24
        cue   tokens

    Fix: none; give the new cell a number of its own: mneme new-id PREFIX. Where two branches took it,
        mneme renumber ID does that.
    """
    meanwhile = {(id(taken.own.document), taken.own.start) for taken in corpus.taken_twice}
    for own, other in corpus.taken_twice:
        assert corpus.would_be is not None
        name = corpus.would_be.name
        known = corpus.would_be.is_trunk and own.cell.id == other.cell.id  # renumber sees it from here
        first = "" if known else f"git merge {name}, then "
        yield Hit(
            own, *own.cell.span("id"),
            f"{own.cell.id} was taken on {name} too: there {other.cell.id} is {shown(other.cell.gist)} "
            f"({other.document.name}), here {shown(own.cell.gist)}",
            f"give this one a new number, with its links and mentions: {first}mneme renumber {own.cell.id}",
        )  # fmt: skip
    for violation in violations(corpus, Verdict.REUSED):
        if (id(violation.place.document), violation.place.start) in meanwhile:
            continue
        old, cell = violation.old, violation.place.cell
        state = f"{old.status.state} " if old.status.state in ("retired", "superseded") else ""
        yield Hit(
            violation.place, *cell.span("id"),
            f"{cell.id} was used before, {at(violation.source)}: {state}{shown(old.gist)}; "
            f"now it is {shown(cell.gist)}",
            f"an ID is never used again; take a new one: mneme new-id {prefix(cell.id)}",
        )  # fmt: skip
