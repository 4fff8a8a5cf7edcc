"""Why these points: every number of a board or a total, worked out again from the parts it shows."""

from pipeline.scoring.explain.explanation import Account, Explanation, LineExplained, State, TotalExplanation
from pipeline.scoring.explain.lines import explain
from pipeline.scoring.explain.text import as_text
from pipeline.scoring.explain.totals import explain_total

__all__ = [
    "Account",
    "Explanation",
    "LineExplained",
    "State",
    "TotalExplanation",
    "as_text",
    "explain",
    "explain_total",
]
