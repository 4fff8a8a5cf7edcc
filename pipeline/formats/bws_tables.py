"""The tables of a Bridgemate file (`.bws`, Microsoft Access) as rows, complete or refused."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol

from access_parser import AccessParser
from access_parser import access_parser as engine
from access_parser import utils as engine_tools

from pipeline.formats.imported import BadFile

Row = Mapping[str, Any]
MAGIC: Final = (b"\x00\x01\x00\x00Standard Jet DB\x00", b"\x00\x01\x00\x00Standard ACE DB\x00")
_LEAST_PAGES: Final = 4
_VERSION: Final = 0x14


class BwsTables:
    """A `.bws` opened from its bytes; `complaints` are what the library had to say about it."""

    def __init__(self, data: bytes) -> None:
        self.complaints: list[str] = []
        _refuse_at_a_glance(data)
        with self._listening("file"):
            self._database = _Database(data)

    def has(self, name: str) -> bool:
        """Tell whether the file has this table."""
        return name in self._database.catalog

    def rows(self, name: str) -> list[Row]:
        """All rows of a table.

        Raises BadFile where fewer or more came out than the table's own header counts.
        """
        rows, expected = self._read(name)
        if len(rows) != expected:
            raise BadFile("bws", f"table {name}", f"{len(rows)} rows read", f"its header counts {expected}")
        return rows

    def count(self, name: str) -> tuple[int, int]:
        """How many rows of a table can be read, and how many its header counts."""
        rows, expected = self._read(name)
        return len(rows), expected

    def _read(self, name: str) -> tuple[list[Row], int]:
        if not self.has(name):
            raise BadFile("bws", "catalogue", name, "this table is missing")
        with self._listening(f"table {name}"):
            table = self._database.get_table(name)
            columns: dict[str, Sequence[Any]] = dict(table.parse())
            expected = int(table.table_header.number_of_rows)
        # The library drops single values of a damaged row, and the columns no longer belong together.
        lengths = {len(values) for values in columns.values()}
        if len(lengths) > 1:
            raise BadFile(
                "bws", f"table {name}", f"columns of {sorted(lengths)} rows", "every row has every column"
            )
        return [
            dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
        ], expected

    @contextmanager
    def _listening(self, place: str) -> Iterator[None]:
        def hear(line: _LogLine) -> bool:
            self.complaints.append(f"{place}: {line.getMessage()[:200]}")
            return False

        loggers = (engine.LOGGER, engine_tools.LOGGER)
        for logger in loggers:
            logger.addFilter(hear)
        try:
            yield
        except BadFile:
            raise
        # Whatever the library trips over (construct, struct, index, key, recursion), the file is damaged.
        except Exception as error:
            raise BadFile(
                "bws", place, f"{type(error).__name__}: {error}"[:200], "damaged or cut short"
            ) from error
        finally:
            for logger in loggers:
                logger.removeFilter(hear)


class _LogLine(Protocol):
    """What the library logs; heard and handed on, so that reading a file writes no log."""

    def getMessage(self) -> str:  # noqa: N802 - the name that the library's logger gives it
        """What it says."""
        ...


class _Database(AccessParser):  # type: ignore[misc]
    """The library's reader over bytes instead of a path; column formats, unused here, are left out."""

    def __init__(self, data: bytes) -> None:
        self.db_data = data
        self._parse_file_header(data)
        self._table_defs, self._data_pages, self._all_pages = engine_tools.categorize_pages(
            data, self.page_size
        )
        self._tables_with_data = self._link_tables_to_data()
        self.catalog = self._parse_catalog()
        self.extra_props: dict[str, Any] = {}


def _refuse_at_a_glance(data: bytes) -> None:
    if not data:
        raise BadFile("bws", "file", "0 bytes", "the file is empty")
    if not data.startswith(MAGIC):
        raise BadFile("bws", "byte 0", data[:19].hex(" "), "no Microsoft Access database (Jet or ACE)")
    size = 0x800 if data[_VERSION : _VERSION + 1] == b"\x00" else 0x1000
    if len(data) % size or len(data) < _LEAST_PAGES * size:
        raise BadFile("bws", "file", f"{len(data)} bytes", f"cut short: no whole number of {size}-byte pages")
