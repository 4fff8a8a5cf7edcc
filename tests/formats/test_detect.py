"""Files are known by what is in them; names only help where the content says nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.formats.detect import format_of, read_file
from pipeline.formats.imported import BadFile

ROOT = Path(__file__).parents[2]
REAL = ROOT.parent / "shared/data/real"
FILES = [
    ("usebio/mp_pairs_howell.xml", "usebio"),
    ("usebio/cross_imp_howell.xml", "usebio"),
    ("bws/club_session_11_tables.bws", "bws"),
    ("pbn/teams_round_15_matches.pbn", "pbn"),
    ("acbl/club_game.json", "acbl"),
]


@pytest.mark.parametrize(("file", "expected"), FILES)
@pytest.mark.parametrize("name", ["{}", "evening", "evening.txt", "evening.bws", "evening.csv"])
def test_real_files_are_known_under_any_name(file: str, expected: str, name: str) -> None:
    if not (REAL / file).exists():
        pytest.skip(f"{file} is not on this machine")
    data = (REAL / file).read_bytes()
    assert format_of(name.format(file), data) == expected


@pytest.mark.parametrize("file", [file for file, _ in FILES])
def test_real_files_are_read(file: str) -> None:
    if not (REAL / file).exists():
        pytest.skip(f"{file} is not on this machine")
    assert read_file("evening", (REAL / file).read_bytes()).records


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\xef\xbb\xbf<?xml version='1.0'?><USEBIO/>", "usebio"),
        ("\ufeff<USEBIO/>".encode("utf-16-le"), "usebio"),
        (b"  <USEBIO>", "usebio"),
        (b"\x00\x01\x00\x00Standard Jet DB\x00", "bws"),
        (b'% PBN 2.1\n[Event "x"]', "pbn"),
        (b'; made by hand\n[Event "x"]', "pbn"),
        (b'{"name": "x", "sessions": []}', "acbl"),
        (b"1,1,2,4S,N,10\n", "salliere"),
        (b'{"event":"e","id":"1","kind":"session_opened"}\n', "ndjson"),
        (b'{"stamp":{"time_us":1},"record":{"kind":"session_opened"}}\n', "ndjson"),
        (b"A:12;vul=ns,1,2,4S=,N\n", "salliere"),
    ],
)
def test_first_bytes_tell_the_format(data: bytes, expected: str) -> None:
    assert format_of("evening", data) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("a.PBN", "pbn"), ("b.csv", "salliere"), ("c.xyz", None), ("csv", None)]
)
def test_the_suffix_decides_where_the_content_does_not(name: str, expected: str | None) -> None:
    assert format_of(name, b"hello") == expected


@pytest.mark.parametrize("name", ["evening.xyz", "evening", ""])
def test_an_unknown_file_is_refused_with_what_is_known(name: str) -> None:
    with pytest.raises(BadFile, match="USEBIO") as refused:
        read_file(name, b"PK\x03\x04" + bytes(50))
    assert refused.value.place == name
    assert refused.value.value.startswith("b'PK")


@pytest.mark.parametrize("name", ["evening.bws", "evening.xml", "evening.pbn", "evening.json", "evening.csv"])
@pytest.mark.parametrize("data", [b"", b"  \r\n", b"\x00\x01", b"\xff\xff\xff", b"hello\n"])
def test_nonsense_under_a_good_name_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(BadFile):
        read_file(name, data)


def test_a_reader_is_loaded_only_when_its_file_comes() -> None:
    program = (
        "import sys\nfrom pipeline.formats.detect import read_file\n"
        "read_file('a.csv', b'1,1,2,4S,N,10')\nprint(*sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert not {"lxml", "access_parser", "pipeline.formats.usebio", "pipeline.formats.bws"} & set(
        run.stdout.split()
    )
