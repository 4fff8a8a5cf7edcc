"""What the pages say, by key; one file a language."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

DEFAULT: Final = "en"


class Texts:
    """The strings of one language. Raises KeyError for one that it does not have."""

    def __init__(self, language: str, table: Mapping[str, object]) -> None:
        self.language = language
        self._texts = dict(_flat(table))

    def __call__(self, key: str, **values: object) -> str:
        """A string with its values filled in."""
        return self._texts[key].format_map(values)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def count(self, key: str, number: int) -> str:
        """A string that counts.

        >>> texts().count("open.missing", 1), texts().count("open.missing", 3)
        ('1 result missing', '3 results missing')
        """
        form = "zero" if number == 0 and f"{key}.zero" in self._texts else "one" if number == 1 else "other"
        return self(f"{key}.{form}", n=number)


def _flat(table: Mapping[str, object], prefix: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += _flat(value, f"{prefix}{key}.")
        else:
            found.append((prefix + key, str(value)))
    return found


@cache
def texts(language: str = DEFAULT) -> Texts:
    """The strings of a language. Raises FileNotFoundError for one that is not there."""
    data = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return Texts(language, tomllib.loads(data))
