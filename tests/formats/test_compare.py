"""The comparison with a file's own figures: five real events scored straight from the rules, and each reason.

The scoring here is a test's own: rules only, none of the core, so that a fault in either shows.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest

from pipeline.formats.compare import (
    Computed,
    ComputedTotal,
    Difference,
    DifferenceCode,
    Figure,
    compare,
    unexplained,
)
from pipeline.formats.imported import Imported, Note, NoteKind, PublishedLine, PublishedTotal
from pipeline.formats.usebio import read_usebio
from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.butler import butler, datum
from pipeline.rules.contract_score import ns_points
from pipeline.rules.cross_imps import cross_imps
from pipeline.rules.rounding import rounded
from pipeline.rules.small_groups import group_points
from schemas.conditions import Conditions, resolve
from schemas.control import ExplicitMovement, MovementSet, Placement
from schemas.corrections import Award, Penalty
from schemas.deal import Artificial, PassedOut, Played, ScoreOnly
from schemas.policies import Method, Rounding
from schemas.record import Role, Slot, SlotChange
from schemas.results import BoardResult, Subject
from schemas.terms import (
    AwardKind,
    BoardNumber,
    ContestantId,
    Direction,
    EventId,
    Points,
    RecordId,
    SectionId,
    SessionId,
    SourceId,
)

REAL = Path(__file__).parents[3] / "shared" / "data" / "real" / "usebio"
SHARES = {AwardKind.AVE_PLUS: 60, AwardKind.AVE: 50, AwardKind.AVE_MINUS: 40}


@dataclass(frozen=True)
class Scored:
    lines: Mapping[tuple[Slot, Direction], Computed]
    totals: Mapping[ContestantId, ComputedTotal]
    matchpoints: bool


def real(name: str) -> Imported:
    path = REAL / name
    if not path.exists():
        pytest.skip(f"{path.name} is not on this machine")
    return read_usebio(path.read_bytes())


def rate(
    scores: Counter[Points], expected: int, conditions: Conditions
) -> dict[Points, tuple[Fraction, Fraction]]:
    """What each score of a board gives North-South and East-West."""
    if conditions.score_method is Method.MATCHPOINTS:
        rated = group_points(
            scores,
            expected,
            conditions.mp_missing,
            conditions.mp_small_group,
            conditions.mp_round,
            largest_group=True,
        )
        return {score: (points, rated.opposite[score]) for score, points in rated.points.items()}
    if conditions.score_method is Method.BUTLER:
        of = datum(scores, conditions.butler_datum, conditions.butler_trim, conditions.butler_tie)
        return {score: (Fraction(butler(score, of)), Fraction(-butler(score, of))) for score in scores}
    crossed = cross_imps(scores, expected, conditions.ximp_form, conditions.ximp_factor)
    return {score: (imps, -imps) for score, imps in crossed.items()}


def score_by_the_rules(imported: Imported) -> Scored:
    conditions = resolve(imported.suggested_preset, imported.suggested_settings)
    at_matchpoints = conditions.score_method is Method.MATCHPOINTS
    seated: dict[Slot, tuple[ContestantId, ContestantId]] = {}
    results: dict[Slot, Points] = {}
    awards: dict[Slot, tuple[Artificial, Artificial]] = {}
    totals: defaultdict[ContestantId, Fraction] = defaultdict(Fraction)
    for record in imported.records:
        if isinstance(record, MovementSet) and isinstance(record.movement, ExplicitMovement):
            for place in record.movement.placements:
                assert place.ns is not None
                assert place.ew is not None
                for board in place.boards:
                    slot = Slot(record.session, record.section, place.round, place.table, board)
                    seated[slot] = (place.ns, place.ew)
        elif isinstance(record, BoardResult):
            assert isinstance(record.result, Played | PassedOut | ScoreOnly)
            results[record.slot] = ns_points(record.result, vulnerability(record.slot.board))
        elif isinstance(record, Award):
            assert isinstance(record.ns_award, Artificial)
            assert isinstance(record.ew_award, Artificial)
            results.pop(record.changes[0].slot, None)
            awards[record.changes[0].slot] = (record.ns_award, record.ew_award)
        elif isinstance(record, Penalty):
            totals[record.contestant] -= record.amount
    expected = max(Counter(slot.board for slot in seated).values())
    of_board: defaultdict[BoardNumber, Counter[Points]] = defaultdict(Counter)
    for slot, score in results.items():
        of_board[slot.board][score] += 1
    rated = {board: rate(scores, expected, conditions) for board, scores in of_board.items()}
    top = Fraction(2 * (expected - 1))
    lines = {}
    boards: Counter[ContestantId] = Counter()
    for slot, pairs in seated.items():
        if slot in awards:
            both = tuple(
                (award.percent if award.percent is not None else SHARES[award.kind]) * top / 100
                for award in awards[slot]
            )
        else:
            both = rated[slot.board][results[slot]]
        for direction, pair, points in zip(Direction, pairs, both, strict=True):
            average = top / 2 if at_matchpoints else Fraction(0)
            lines[slot, direction] = Computed(points, rounded(points, conditions.line_round, average))
            totals[pair] += points
            boards[pair] += 1
    return Scored(
        lines,
        {
            pair: ComputedTotal(
                Computed(total, rounded(total, conditions.total_round)),
                Computed(share, rounded(share, conditions.percentage_round)) if at_matchpoints else None,
                boards[pair],
            )
            for pair, total in totals.items()
            for share in [100 * total / (top * boards[pair])]
        },
        at_matchpoints,
    )


def differences(imported: Imported) -> tuple[Difference, ...]:
    scored = score_by_the_rules(imported)
    return compare(imported, scored.lines, scored.totals, matchpoints=scored.matchpoints)


def summary(found: tuple[Difference, ...]) -> Counter[tuple[Figure, DifferenceCode | None]]:
    return Counter((difference.figure, difference.code) for difference in found)


@pytest.mark.parametrize("name", ["butler_howell.xml", "cross_imp_howell.xml"])
def test_every_line_and_total_of_the_real_imp_events_comes_out(name: str) -> None:
    assert differences(real(name)) == ()


def test_all_42_totals_of_the_adjusted_mitchell_come_out() -> None:
    found = differences(real("mp_pairs_mitchell_adjusted_02.xml"))
    assert not [difference for difference in found if difference.figure is not Figure.LINE]
    # Board 4 has one line with points set by hand (both sides), and two lines are told for what they say.
    assert summary(found) == {(Figure.LINE, DifferenceCode.AWARD_CODE_CONTRADICTS_POINTS): 4}
    assert [(difference.published, difference.computed) for difference in found] == [
        ("21", "19"),
        ("19", "21"),
        ("SCORE A5050", "23/11"),
        ("SCORE -650", "21/19"),
    ]


def test_the_short_board_and_the_two_short_totals_of_the_real_howell_have_their_reasons() -> None:
    found = differences(real("mp_pairs_howell.xml"))
    assert summary(found) == {
        (Figure.LINE, DifferenceCode.LINE_RAW_ON_SHORT_BOARD): 10,
        (Figure.TOTAL, DifferenceCode.TOTAL_FACTORED_TO_ALL_BOARDS): 2,
    }
    assert {difference.place for difference in found if difference.figure is Figure.TOTAL} == {"1", "3"}


def test_the_totals_of_the_other_mitchell_were_taken_before_its_rulings() -> None:
    found = differences(real("mp_pairs_mitchell_02.xml"))
    assert summary(found) == {
        (Figure.LINE, DifferenceCode.AWARD_CODE_CONTRADICTS_POINTS): 5,
        (Figure.TOTAL, DifferenceCode.TOTALS_BEFORE_RULINGS): 42,
        (Figure.PERCENTAGE, DifferenceCode.TOTALS_BEFORE_RULINGS): 42,
    }


@pytest.mark.parametrize("name", ["mp_pairs_mitchell_02.xml", "mp_pairs_howell.xml", "cross_imp_howell.xml"])
def test_a_falsified_total_or_line_of_a_real_file_is_unexplained(name: str) -> None:
    imported = real(name)
    scored = score_by_the_rules(imported)
    total, line = imported.published_totals[3], imported.published_lines[100]
    assert total.total is not None
    false = replace(
        imported,
        published_totals=(replace(total, total=str(Fraction(total.total).numerator + 300)),),
        published_lines=(replace(line, points="99"), *imported.published_lines[1:]),
    )
    found = compare(false, scored.lines, scored.totals, matchpoints=scored.matchpoints)
    odd = unexplained(found)
    assert {(difference.figure, difference.published) for difference in odd} >= {
        (Figure.TOTAL, false.published_totals[0].total),
        (Figure.LINE, "99"),
    }


SLOT = Slot(SessionId("1"), SectionId("A"), 1, 1, BoardNumber(1))
PAIR, OTHER = ContestantId("1"), ContestantId("2")


def exactly(value: str | Fraction) -> Computed:
    return Computed(Fraction(value), Fraction(value))


def of_figures(
    lines: tuple[PublishedLine, ...] = (),
    totals: tuple[PublishedTotal, ...] = (),
    notes: tuple[Note, ...] = (),
    unit: int = 1,
) -> Imported:
    return Imported(
        event="e",
        title="t",
        records=(),
        published_lines=lines,
        published_totals=totals,
        notes=notes,
        line_unit=Fraction(unit),
    )


def code_of_line(
    published: str, computed: str, *more: str, notes: tuple[Note, ...] = ()
) -> DifferenceCode | None:
    """The code for one line; `more` are other published lines of the file, as computed."""
    elsewhere = tuple(
        PublishedLine(replace(SLOT, board=BoardNumber(2), table=number + 1), Direction.NS, text)
        for number, text in enumerate(more)
    )
    ours = {(SLOT, Direction.NS): exactly(computed)}
    ours |= {(line.slot, line.direction): exactly(line.points) for line in elsewhere}
    imported = of_figures((PublishedLine(SLOT, Direction.NS, published), *elsewhere), notes=notes)
    (difference,) = compare(imported, ours, {}, matchpoints=True)
    assert difference.published == published
    return difference.code


def test_equal_figures_do_not_differ_however_they_are_written() -> None:
    imported = of_figures((PublishedLine(SLOT, Direction.NS, "12.50"),), (PublishedTotal(PAIR, "7.0", "50"),))
    ours = {PAIR: ComputedTotal(exactly("7"), exactly("50"), 1)}
    assert compare(imported, {(SLOT, Direction.NS): exactly("25/2")}, ours, matchpoints=True) == ()


def test_half_match_points_are_compared_in_their_unit() -> None:
    imported = of_figures((PublishedLine(SLOT, Direction.NS, "6.5"),), unit=2)
    assert compare(imported, {(SLOT, Direction.NS): exactly("13")}, {}, matchpoints=True) == ()
    (difference,) = compare(imported, {(SLOT, Direction.NS): exactly("14")}, {}, matchpoints=True)
    assert difference.computed == "7"
    half = {(SLOT, Direction.NS): exactly("13/2")}
    assert compare(imported, half, {}, matchpoints=True, unit=Fraction(2)) == ()


def test_fewer_places_count_the_places_of_the_whole_file() -> None:
    assert code_of_line("12.6", "12.649") is DifferenceCode.FEWER_PLACES
    assert code_of_line("13", "12.6") is DifferenceCode.FEWER_PLACES
    # another line has a tenth: 13 is then no rounding of 12.6
    assert code_of_line("13", "12.6", "4.5") is None


def test_cut_off_figures() -> None:
    assert code_of_line("12.6", "12.68") is DifferenceCode.ROUNDED_DOWN
    assert code_of_line("12.5", "12.68") is None


def test_a_raw_line_is_explained_only_where_it_factors_to_ours() -> None:
    # one result of two: (0 + 1) 2 / 1 - 1 = 1; of three, White Book 4.2.3 gives (0 + 1) 3 / 1 - 1 = 2
    assert code_of_line("0", "2", "4", "2", "0") is DifferenceCode.LINE_RAW_ON_SHORT_BOARD
    assert code_of_line("0", "3", "4", "2", "0") is None


@pytest.mark.parametrize("kind", [NoteKind.ONE_TABLE_ONLY, NoteKind.NOT_PLAYED, NoteKind.ERASED_RESULT])
@pytest.mark.parametrize("place", ["1/A/r1/t1/b1", "1/A/r1/t1", "1/A"])
def test_a_note_on_the_slot_or_what_holds_it_is_a_reason(kind: NoteKind, place: str) -> None:
    assert code_of_line("5", "9", notes=(Note(kind, place, ""),)) == kind.value
    assert code_of_line("5", "9", notes=(Note(kind, "1/A/r2", ""),)) is None
    assert code_of_line("5", "9", notes=(Note(NoteKind.UNKNOWN_ELEMENT, place, ""),)) is None


def test_a_line_that_was_not_computed_differs() -> None:
    imported = of_figures((PublishedLine(SLOT, Direction.NS, "3"),))
    (difference,) = compare(imported, {}, {}, matchpoints=False)
    assert (difference.computed, difference.code) == (None, None)


def test_totals_and_percentages_that_were_not_computed_differ() -> None:
    imported = of_figures(totals=(PublishedTotal(PAIR, "3", "50.0"),))
    assert [difference.figure for difference in unexplained(compare(imported, {}, {}, matchpoints=True))] == [
        Figure.TOTAL,
        Figure.PERCENTAGE,
    ]


def test_a_total_factored_to_all_boards() -> None:
    # ACBL: 163.5 over 24 of 26 boards is published as 177.13
    ours = {
        PAIR: ComputedTotal(exactly("163.5"), None, 24),
        OTHER: ComputedTotal(exactly("100"), None, 26),
    }
    imported = of_figures(totals=(PublishedTotal(PAIR, "177.13"),))
    (difference,) = compare(imported, {}, ours, matchpoints=True)
    assert difference.code is DifferenceCode.TOTAL_FACTORED_TO_ALL_BOARDS
    (difference,) = compare(of_figures(totals=(PublishedTotal(PAIR, "177.15"),)), {}, ours, matchpoints=True)
    assert difference.code is None


def placed(records: tuple[Award, ...] = ()) -> Imported:
    """Two boards, two results each; pairs 1 to 4."""
    boards = (BoardNumber(1), BoardNumber(2))
    movement = MovementSet(
        event=EventId("e"),
        id=RecordId("m"),
        source=SourceId("s"),
        role=Role.IMPORTER,
        session=SLOT.session,
        section=SLOT.section,
        movement=ExplicitMovement(
            (
                Placement(1, 1, PAIR, OTHER, boards),
                Placement(1, 2, ContestantId("3"), ContestantId("4"), boards),
            )
        ),
    )
    lines = tuple(
        PublishedLine(Slot(SLOT.session, SLOT.section, 1, table, board), direction, "1")
        for board in boards
        for table in (1, 2)
        for direction in Direction
    )
    return replace(of_figures(lines), records=(movement, *records))


def test_a_total_that_adds_rounded_lines() -> None:
    imported = replace(placed(), published_totals=(PublishedTotal(PAIR, "2.0"), PublishedTotal(OTHER, "2.2")))
    ours = {pair: ComputedTotal(exactly("1.9"), None, 2) for pair in (PAIR, OTHER)}
    computed = {(line.slot, line.direction): exactly("1") for line in imported.published_lines}
    found = compare(imported, computed, ours, matchpoints=True)
    assert [difference.code for difference in found] == [DifferenceCode.TOTAL_OF_ROUNDED_LINES, None]


@pytest.mark.parametrize(
    ("printed", "coded"),
    [
        (("2", "2", "3", "1"), True),  # 8 in all: four lines with a top of 2
        (("4", "2", "3", "1"), False),  # 10: something else is in them
        (("1.5", "2", "3", "1.5"), False),  # no whole match points
    ],
)
def test_totals_before_rulings_must_add_up_without_them(printed: tuple[str, ...], coded: bool) -> None:
    award = Award(
        event=EventId("e"),
        id=RecordId("a"),
        source=SourceId("s"),
        role=Role.IMPORTER,
        subject=Subject.RULING,
        changes=(SlotChange(SLOT),),
        ns_award=Artificial(AwardKind.AVE_PLUS),
        ew_award=Artificial(AwardKind.AVE_PLUS),
    )
    imported = placed((award,))
    totals = tuple(PublishedTotal(ContestantId(str(n + 1)), text) for n, text in enumerate(printed))
    ours = {ContestantId(pair): ComputedTotal(exactly("2.35"), None, 2) for pair in ("1", "2", "3", "4")}
    computed = {(line.slot, line.direction): exactly("1") for line in imported.published_lines}
    found = compare(replace(imported, published_totals=totals), computed, ours, matchpoints=True)
    codes = [difference.code for difference in found if difference.place in {"3", "4"}]
    expected = DifferenceCode.TOTALS_BEFORE_RULINGS if coded else None
    assert codes == [expected, expected]


def test_a_rounding_in_shown_figures_is_the_conditions_and_no_difference() -> None:
    exact = Fraction("12.65")
    shown = rounded(exact, Rounding.TENTH_HALF_EVEN)
    imported = of_figures((PublishedLine(SLOT, Direction.NS, "12.6"),))
    assert compare(imported, {(SLOT, Direction.NS): Computed(exact, shown)}, {}, matchpoints=True) == ()
