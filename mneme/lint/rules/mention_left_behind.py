"""MN710: a mention that a merge left with the old number of a cell."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.digest import anonymous_digest
from mneme.format.model import Placed
from mneme.history.guard import Verdict
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace
from mneme.lint.rules._history import shown, violations


@on_workspace("MN710", "mention-left-behind", Severity.ERROR, history=True)
def MENTION_LEFT_BEHIND(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """A link or mention means a cell that got a new number in this merge, and still says the old one.

    Two branches took one number, and one of the two cells gave way. The merge changes every mention in the file that it
    merges; another file, which only one of the branches changed, git takes as it is.

    Why: the number is another cell's now, so the mention would mean what its writer never read.

    Bad:
        --- HEAD:project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        --- MERGE_HEAD:project.mneme
        @ DEC-0001  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-02   seen 2026-11-20
        cue   paging

        --- MERGE_HEAD:topics/search.mneme
        @ FACT-0001  api/search
        gist  A search answers with one page
        state live   conf high   since 2026-11-02   seen 2026-11-20
        cue   search
        link  depends-on DEC-0001

        --- project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-02   seen 2026-11-20
        cue   paging

        --- topics/search.mneme
        @ FACT-0001  api/search
        gist  A search answers with one page
        state live   conf high   since 2026-11-02   seen 2026-11-20
        cue   search
        link  depends-on DEC-0001

    Good:
        --- HEAD:project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        --- MERGE_HEAD:project.mneme
        @ DEC-0001  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-02   seen 2026-11-20
        cue   paging

        --- MERGE_HEAD:topics/search.mneme
        @ FACT-0001  api/search
        gist  A search answers with one page
        state live   conf high   since 2026-11-02   seen 2026-11-20
        cue   search
        link  depends-on DEC-0001

        --- project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-02   seen 2026-11-20
        cue   paging

        --- topics/search.mneme
        @ FACT-0001  api/search
        gist  A search answers with one page
        state live   conf high   since 2026-11-02   seen 2026-11-20
        cue   search
        link  depends-on DEC-0002

    Fix: none; mneme renumber OLD NEW --cell DIGEST changes every mention that means the cell, in all files.
    """
    for violation in violations(corpus, Verdict.LEFT_BEHIND):
        old, new = violation.related
        yield Hit(
            violation.place, *violation.span,
            f"{violation.place.cell.id} names {old} and means {shown(violation.old.gist)}, which is {new} now",
            f"change all of them: mneme renumber {old} {new} --cell {anonymous_digest(violation.old)[:15]}",
        )  # fmt: skip
