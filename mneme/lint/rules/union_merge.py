"""MN709: git told to merge memory by keeping everybody's lines."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Placed
from mneme.lint.rule import Corpus, Hit, Settings, Severity, on_workspace


@on_workspace("MN709", "union-merge", Severity.ERROR, history=True)
def UNION_MERGE(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """Git's attributes give the file the merge driver `union`.

    Why: a union merge reports success whatever it does. It keeps the lines of both sides, so that two cells that were
    appended are interleaved, a cell gets two states of which the last counts, and a superseded belief is live again.

    Bad:
        --- HEAD:README
        a project

        --- .gitattributes
        *.mneme merge=union

        --- project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

    Good:
        --- HEAD:README
        a project

        --- .gitattributes
        *.mneme merge=mneme diff=mneme

        --- project.mneme
        @ DEC-0001  api/auth
        gist  Tokens live for one hour
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   tokens

    Fix: none; take merge=union out of the attributes, and let mneme install-git merge by cell.
    """
    if corpus.past is None:
        return
    refused = corpus.past.unions(corpus.documents)
    for document in corpus.documents:
        if document.name in refused and document.cells:
            yield Hit(
                document.placed[0], 0, 0,
                "git merges this file by union, which reports success and interleaves cells",
                "take merge=union out of .gitattributes; mneme install-git merges by cell",
            )  # fmt: skip
