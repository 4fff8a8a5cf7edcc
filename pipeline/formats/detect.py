"""Which format a file is in: by its first bytes, and only then by its name."""

import re
from collections.abc import Callable
from typing import Final

from pipeline.formats.imported import BadFile, Imported

_ACCESS: Final = b"\x00\x01\x00\x00Standard "
_HEAD: Final = 4096
_MARKS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_PBN_TAG: Final = re.compile(rb'^\s*\[[A-Za-z0-9_]+ *"', re.MULTILINE)
_CSV_LINE: Final = re.compile(
    rb"^\s*(?:[^,;:\r\n]+:)?\d+(?:;[^,\r\n]*)?,[^,\r\n]*\S[^,\r\n]*,[^,\r\n]*\S", re.MULTILINE
)
_ACBL: Final = re.compile(rb'"sessions"\s*:')
_RECORD: Final = re.compile(rb'\{[^\n]*"kind"\s*:')
_SUFFIXES: Final = {
    ".xml": "usebio",
    ".usebio": "usebio",
    ".bws": "bws",
    ".pbn": "pbn",
    ".json": "acbl",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".csv": "salliere",
}
KNOWN: Final = (
    "USEBIO (.xml), Bridgemate (.bws), PBN (.pbn), ACBL (.json), salliere (.csv) or records (.ndjson)"
)


def read_file(name: str, data: bytes) -> Imported:
    """Read a result file in whichever of the known formats it is; a wrong suffix does no harm.

    Raises BadFile for an empty file, an unknown format, and whatever the reader of the format refuses.
    """
    if not data.strip():
        raise BadFile("unknown", name, f"{len(data)} bytes", "the file is empty")
    found = format_of(name, data)
    if found is None:
        raise BadFile("unknown", name, repr(data[:24]), f"a file is {KNOWN}")
    return _READERS[found](data)


def format_of(name: str, data: bytes) -> str | None:
    """The format's name; None where neither content nor suffix tells.

    >>> format_of("evening.txt", b'[Event "Club pairs"]')
    'pbn'
    """
    head = data[:_HEAD]
    if head.startswith(_ACCESS):
        return "bws"
    text = _narrow(head)
    if text.startswith(b"<"):
        return "usebio"
    if _RECORD.match(text):
        return "ndjson"
    if text.startswith((b"{", b"[")) and _ACBL.search(_narrow(data)):
        return "acbl"
    if text.startswith(b"%") or _PBN_TAG.search(text):
        return "pbn"
    if _CSV_LINE.match(text):
        return "salliere"
    suffix = re.search(r"\.[a-z0-9]+$", name.lower())
    return _SUFFIXES.get(suffix[0]) if suffix else None


def _narrow(data: bytes) -> bytes:
    """Without byte order mark, zero bytes of UTF-16 and leading space: the first signs that tell."""
    mark = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    return data.removeprefix(mark).replace(b"\x00", b"").lstrip()


# A reader loads its library, so each is imported when its first file comes.


def _usebio(data: bytes) -> Imported:
    from pipeline.formats.usebio import read_usebio  # noqa: PLC0415

    return read_usebio(data)


def _bws(data: bytes) -> Imported:
    from pipeline.formats.bws import read_bws  # noqa: PLC0415

    return read_bws(data)


def _pbn(data: bytes) -> Imported:
    from pipeline.formats.pbn import read_pbn  # noqa: PLC0415

    return read_pbn(data)


def _acbl(data: bytes) -> Imported:
    from pipeline.formats.acbl import read_acbl  # noqa: PLC0415

    return read_acbl(data)


def _salliere(data: bytes) -> Imported:
    from pipeline.formats.salliere import read_salliere  # noqa: PLC0415

    return read_salliere(data)


def _ndjson(data: bytes) -> Imported:
    from pipeline.formats.records_ndjson import read_ndjson  # noqa: PLC0415

    return read_ndjson(data)


_READERS: Final[dict[str, Callable[[bytes], Imported]]] = {
    "usebio": _usebio,
    "bws": _bws,
    "pbn": _pbn,
    "acbl": _acbl,
    "salliere": _salliere,
    "ndjson": _ndjson,
}
