"""MN601: a credential in a memory file."""

from __future__ import annotations

from collections.abc import Iterator

from mneme.format.model import Cell
from mneme.lint.rule import Batch, Mark, on_texts
from mneme.lint.secrets import secrets_in


def _candidates(batch: Batch) -> list[Cell]:
    found = {id(cell): cell for cell in batch.with_long_words}
    for cell in batch.pick(batch.texts.holding(("://", "-----BEGIN "))):
        found[id(cell)] = cell
    return list(found.values())


@on_texts("MN601", "secret", _candidates, masked=True)
def SECRET(text: str) -> Iterator[Mark]:  # noqa: N802
    """A text holds a token, key or password in a format that its issuer publishes.

    No report prints the value.

    Why: memory is committed, pushed, copied into prompts and never forgotten: so is what stands in it.

    Bad:
        @ FACT-0001  infra/backup
        gist  The backup job logs in with AKIAIOSFODNN7EXAMPLE
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   backup

    Good:
        @ FACT-0001  infra/backup
        gist  The backup job logs in with the access key that the vault holds at infra/backup
        state live   conf high   since 2026-11-01   seen 2026-11-20
        cue   backup

    Fix: none; revoke it, supersede the cell by one that says where the secret is kept, and clean the history.
    """
    for start, end, kind in secrets_in(text):
        article = "an" if kind[0] in "AEIO" else "a"
        yield Mark(
            start, end,
            f"this looks like {article} {kind}; the value is not shown",
            "revoke it, and write where it is kept instead",
        )  # fmt: skip
