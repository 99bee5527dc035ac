"""MN708: a link that is gone, or leads elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell, Placed
from mneme.history.changes import Difference
from mneme.history.guard import Verdict
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import at, shown, violations
from mneme.lint.rules._links import link_field


@on_workspace("MN708", "link-removed", Severity.ERROR, history=True)
def LINK_REMOVED(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A link of a committed cell was removed, aimed at another cell, or given other attributes than its weight.

    Links may be added at any time. One that no reader understood may be spelled rightly.

    Why: a link says what a decision rests on or replaced; without it a reader no longer finds the way.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  relates DEC-0001

        --- project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

    Good:
        --- HEAD:project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  relates DEC-0001

        --- project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  relates DEC-0001
        link  depends-on DEC-0001

    Fix: none; put the link back.
    """
    for violation in violations(corpus, Verdict.LINK_REMOVED):
        for difference in violation.differences:
            yield Hit(
                violation.place, *_span(violation.place.cell, difference),
                f"link {shown(difference.before)} {at(violation.source)} {_fate(difference)}",
                f"links are added, never taken away or changed; put back: link  {difference.before}",
            )  # fmt: skip


def _fate(difference: Difference) -> str:
    return f"was changed to {shown(difference.after)}" if difference.after else "is gone"


def _span(cell: Cell, difference: Difference) -> tuple[int, int]:
    if not difference.after:
        return cell.head
    field = link_field(cell, difference.number)
    return field.start, field.end
