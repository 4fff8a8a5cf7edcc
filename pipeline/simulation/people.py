"""Names for the people who never were: given names of five languages, surnames nobody has."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from schemas.published import PersonNamed
from schemas.terms import EventId, PersonId


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language: given names and surname endings by gender, and the stems that surnames are made of."""

    women: tuple[str, ...]
    men: tuple[str, ...]
    stems: tuple[str, ...]
    women_end: tuple[str, ...]
    men_end: tuple[str, ...]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


TONGUES: Final[Mapping[str, Tongue]] = {
    "nl": Tongue(
        _words("Anneke Femke Greetje Hilde Ineke Lotte Marijke Saskia Truus Wietske"),
        _words("Bas Cees Dirk Gijs Hendrik Joost Klaas Maarten Pieter Sietse"),
        _words("Wolken Zilver Kwartel Lisdodde Kievits Rietpluim Nevel Vuurdoorn Mosterd Wilgen"),
        _words("horn duin kreek donk waard"),
        _words("horn duin kreek donk waard"),
    ),
    "el": Tongue(
        _words("Αγγελική Βασιλική Δήμητρα Ελένη Ιωάννα Κατερίνα Μαρία Νίκη Σοφία Χριστίνα"),
        _words("Αλέξανδρος Γιώργος Δημήτρης Ηλίας Κώστας Λευτέρης Μιχάλης Νίκος Πέτρος Σπύρος"),
        _words("Αστερ Θαλασσ Κυκλαμιν Λεμον Μελισσ Πλαταν Ροδακιν Σταφυλ Τριφυλλ Χελιδον"),
        _words("ίδου άκη οπούλου έλλη"),
        _words("ίδης άκης όπουλος έλλης"),
    ),
    "da": Tongue(
        _words("Astrid Birgit Dorte Freja Gitte Inger Karen Lise Mette Signe"),
        _words("Anders Bjarne Erik Flemming Henning Jens Knud Lars Mogens Søren"),
        _words("Måge Tang Bølge Hyben Rævs Tjørne Æble Ørne Klit Lærke"),
        _words("mose bjerggård løkke vænge skær"),
        _words("mose bjerggård løkke vænge skær"),
    ),
    "ru": Tongue(
        _words("Анна Вера Галина Дарья Елена Ирина Людмила Надежда Ольга Татьяна"),
        _words("Алексей Борис Виктор Григорий Дмитрий Евгений Михаил Николай Павел Юрий"),
        _words("Бубенц Ветродуй Клюквенник Ледоход Перелеск Подснежник Рябинник Туманник Черничник Яблоньк"),
        _words("ова ова ова"),
        _words("ов ов ов"),
    ),
    "en": Tongue(
        _words("Alice Beatrice Dorothy Edith Grace Hazel Iris Joan Mabel Winifred"),
        _words("Arthur Clive Edmund Frank Geoffrey Harold Leonard Neville Ralph Stanley"),
        _words("Thistle Larks Bramble Fox Otter Copper Winter Sorrel Heron Marrow"),
        _words("mere wick combe hollow stead"),
        _words("mere wick combe hollow stead"),
    ),
}
"""By language code; what one language leaves out of a stem, its endings put back."""


def name(dice: Random) -> str:
    """Invent a name, in any of the languages.

    >>> name(Random(5)) == name(Random(5))
    True
    """
    tongue = TONGUES[dice.choice(tuple(TONGUES))]
    given, endings = dice.choice(((tongue.women, tongue.women_end), (tongue.men, tongue.men_end)))
    return f"{dice.choice(given)} {dice.choice(tongue.stems)}{dice.choice(endings)}"


def named(event: EventId, persons: Iterable[PersonId], dice: Random) -> Iterator[PersonNamed]:
    """Name these pseudonyms, no two alike as long as there are names; four in five have a member number."""
    taken: set[str] = set()
    for person in persons:
        invented = next((new for new in (name(dice) for _ in range(20)) if new not in taken), name(dice))
        taken.add(invented)
        member = f"{dice.randrange(10**6):06d}" if dice.random() < 0.8 else None
        yield PersonNamed(event=event, person=person, name=invented, member_number=member)
