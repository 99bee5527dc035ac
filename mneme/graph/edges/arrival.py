"""What a generator of edges needs to know of an insight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mneme.graph.model import Insight


@dataclass(frozen=True)
class Arrival:
    """An insight that takes its place among earlier ones; what is costly is worked out when asked for.

    Generators take earlier arrivals newest first. Where times are equal, who came later is newer: that order is the
    caller's, and it decides which neighbours a cap leaves out.
    """

    insight: Insight

    @property
    def id(self) -> str:
        """The insight's ID."""
        return self.insight.id

    @cached_property
    def tokens(self) -> frozenset[str]:
        """The tokens of its content."""
        from mneme.graph.tokens import tokens

        return tokens(self.insight.content)

    @cached_property
    def has_cue(self) -> bool:
        """Whether its content says that something is the cause of something."""
        from mneme.graph.edges.causal import first_cue

        return first_cue(self.insight.content) != ""

    @cached_property
    def seconds(self) -> float:
        """When it was made: seconds since 1970, UTC."""
        from datetime import datetime

        return datetime.fromisoformat(self.insight.created_at).timestamp()
