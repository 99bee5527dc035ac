"""MN304: half of a supersession."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.edits import add_link
from mneme.format.model import Link, Placed
from mneme.format.vocabulary import INVERSES
from mneme.lint.rule import Corpus, Fix, Hit, Settings, on_workspace
from mneme.text.patch import shifted


@on_workspace("MN304", "one-sided-supersession")
def ONE_SIDED_SUPERSESSION(corpus: Corpus, _settings: Settings) -> Iterator[Hit[Placed]]:  # noqa: N802
    """One cell says that it replaces another (or is replaced by it), and the other does not say so.

    The finding stands at the cell that lacks its link.

    Why: a reader who comes upon the old cell is not led to the new one, or the other way round.

    Bad:
        @ DEC-0001  api/limits
        gist  Page size is capped at 100
        state superseded   conf high   since 2026-10-01   seen 2026-11-01
        cue   paging

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  supersedes DEC-0001

    Good:
        @ DEC-0001  api/limits
        gist  Page size is capped at 100
        state superseded   conf high   since 2026-10-01   seen 2026-11-01
        cue   paging
        link  superseded-by DEC-0002

        @ DEC-0002  api/limits
        gist  Page size is capped at 200
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   paging
        link  supersedes DEC-0001

    Fix: the missing link is added.
    """
    seen: set[tuple[str, str, str]] = set()
    for new, old, holder, index in corpus.supersessions:
        relation, target = holder.cell.links[index][:2]
        lacking = old if holder is new else new
        missing = Link(INVERSES[relation], holder.cell.id)
        if (missing.relation, missing.target) in [link[:2] for link in lacking.cell.links]:
            continue
        if (relation, target, missing.target) in seen:
            continue
        seen.add((relation, target, missing.target))
        line = f"link  {missing.relation} {missing.target}"
        said, lacks = f"link {relation} {target}", f"link {missing.relation} {missing.target}"
        patches = tuple(shifted(add_link(lacking, missing), -lacking.start))
        yield Hit(
            lacking, *lacking.cell.span("id"),
            f"{missing.target} has {said}, but {target} lacks {lacks}",
            f"add it: {line}",
            Fix(f"add the line: {line}", patches),
        )  # fmt: skip
