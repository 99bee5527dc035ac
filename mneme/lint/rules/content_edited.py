"""MN701: what a cell says was changed after it was committed."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.history.guard import Verdict
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import at, field_span, versions, violations


@on_workspace("MN701", "content-edited", Severity.ERROR, history=True)
def CONTENT_EDITED(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """The content of a committed cell was edited: its topic, gist, since, cue, body or origin.

    Filling in what was missing or could not be read is a repair, and putting an earlier version back undoes an edit:
    both are fine. So is every edit of a cell that no commit holds yet.

    Why: others have read the cell and built on it. An edit changes what was decided without telling anybody; a new cell
    that supersedes the old one tells them, and keeps why it was otherwise.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 500
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

    Good:
        --- HEAD:project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging

        --- project.mneme
        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state superseded   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  superseded-by DEC-0003

        @ DEC-0003  api/limits
        gist  Page size is capped at 500
        state live   conf high   since 2026-11-24   seen 2026-11-24
        cue   paging
        link  supersedes DEC-0002

    Fix: none; put the old text back (git show HEAD:FILE shows it), and say the new thing by mneme supersede.
    """
    for violation in violations(corpus, Verdict.EDITED):
        first, *more = violation.differences
        names = ", ".join([difference.field for difference in violation.differences])
        shown = "; ".join([versions(difference) for difference in (first, *more)])
        yield Hit(
            violation.place, *field_span(violation.place.cell, first.field),
            f"content edited ({names}), {at(violation.source)}: {shown}",
            f'put it back, and say the new thing in a new cell: mneme supersede {violation.old.id} "new gist"',
        )  # fmt: skip
