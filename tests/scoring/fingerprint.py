"""Everything that an event shows, as bytes: what must not depend on how its records arrived."""

from pydantic import TypeAdapter

from pipeline.scoring.event import Event
from pipeline.scoring.lists import list_ids
from pipeline.scoring.standings import index, standings
from pipeline.scoring.travellers import board_ids, traveller
from schemas.decisions import Decision
from schemas.published import Standings, StandingsIndex, Traveller

EVERYTHING = TypeAdapter(
    tuple[tuple[Decision, ...], StandingsIndex, tuple[Standings, ...], tuple[Traveller, ...]]
)


def fingerprint(event: Event, at_us: int | None = None) -> bytes:
    """All verdicts, lists and travellers."""
    verdicts = [event.decision(identity) for identity in sorted(event.records.by_identity)]
    conflicts = [event.conflict(identity, digest) for identity, digest in sorted(event.records.conflicts)]
    return EVERYTHING.dump_json(
        (
            tuple(found for found in [*verdicts, *conflicts] if found is not None),
            index(event),
            tuple(page for name in list_ids(event) for page in standings(event, name, at_us)),
            tuple(page for board in board_ids(event) for page in traveller(event, board)),
        )
    )
