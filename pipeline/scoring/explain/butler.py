"""Why so many IMPs against a datum: what went into it, what was left out, how it was rounded."""

from fractions import Fraction
from typing import Final

from pipeline.rules.butler import datum as datum_of
from pipeline.rules.imps import imps
from pipeline.scoring.board import Chart, Field
from pipeline.scoring.explain.side import Side, weighed
from pipeline.scoring.explain.steps import AgainstDatum, Datum, DatumRow, Step
from schemas.conditions import Conditions
from schemas.policies import DatumKind, DatumTrim
from schemas.terms import Points

_LEFT_OUT: Final = {DatumTrim.NONE: 0, DatumTrim.ONE_EACH_END: 1, DatumTrim.TWO_EACH_END: 2}


def steps(side: Side, conditions: Conditions, normal: Field) -> tuple[Step, ...]:
    """Law 78B: the datum of a side's chart, then the IMPs of the difference from it."""
    found = _datum(side.ns_chart, conditions, normal)
    datum = side.own(int(found.gives))

    def against(score: Points) -> tuple[AgainstDatum, ...]:
        difference = Points(score - datum)
        gives = Fraction(imps(difference, conditions.imp_scale))
        law = f"Law 78B, imp.scale = {conditions.imp_scale}"
        return (AgainstDatum(score=score, datum=datum, difference=difference, gives=gives, law=law),)

    return (found, *weighed(side, against))


def _datum(chart: Chart, conditions: Conditions, normal: Field) -> Datum:
    results = Fraction(sum(chart.values()))
    short = not normal.live and normal.expected > results
    factor = Fraction(normal.expected) / results if short else Fraction(1)
    trim = conditions.butler_trim
    factored = [(score, Fraction(chart[score]), chart[score] * factor) for score in sorted(chart)]
    left_out = results * factor / 20 if trim is DatumTrim.FIVE_PERCENT else Fraction(_LEFT_OUT[trim])
    if results * factor <= 2 * left_out:
        left_out = Fraction(0)  # it would leave nothing
    kept = _kept(_kept([count for *_, count in factored], left_out)[::-1], left_out)[::-1]
    rows = tuple(
        DatumRow(ns_points=score, count=count, factored=times, kept=rest)
        for (score, count, times), rest in zip(factored, kept, strict=True)
    )
    exact = _mean(rows) if conditions.butler_datum is DatumKind.MEAN else _median(rows)
    tie = conditions.butler_tie
    return Datum(
        rows=rows,
        factor=factor,
        trim=trim,
        left_out=left_out,
        datum_kind=conditions.butler_datum,
        exact=exact,
        tie=tie,
        gives=Fraction(datum_of(chart, conditions.butler_datum, trim, tie, factor)),
        law="White Book 4.2.4 and 4.2.6.2 (Law 78B leaves the datum to regulation)",
    )


def _kept(counts: list[Fraction], left_out: Fraction) -> list[Fraction]:
    """Leave out so many results at the front."""
    kept = []
    for count in counts:
        here = min(count, left_out)
        left_out -= here
        kept.append(count - here)
    return kept


def _mean(rows: tuple[DatumRow, ...]) -> Fraction:
    total = sum((row.ns_points * row.kept for row in rows), Fraction(0))
    return total / sum((row.kept for row in rows), Fraction(0))


def _median(rows: tuple[DatumRow, ...]) -> Fraction:
    """The score in the middle; between two scores, their mean."""
    half = sum((row.kept for row in rows), Fraction(0)) / 2
    below = Fraction(0)
    middle = []
    for row in rows:
        # A row is in the middle where at most half lies before it and at least half up to it.
        if row.kept and below <= half <= below + row.kept:
            middle.append(row.ns_points)
        below += row.kept
    return Fraction(middle[0] + middle[-1], 2)
