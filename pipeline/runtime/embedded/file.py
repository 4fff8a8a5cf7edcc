"""The SQLite file of a log: its tables, its lock, and a named error for each way to be unusable."""

import fcntl
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FORMAT: Final = 1
"""The tables below; a program that knows only an older format must leave the file alone."""
APPLICATION_ID: Final = 0x42524D52
"""Tells a log from other people's SQLite files."""
TABLES: Final = """
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE entries(
    offset INTEGER PRIMARY KEY, time_us INTEGER NOT NULL, topic TEXT NOT NULL,
    event TEXT NOT NULL, source TEXT NOT NULL, id TEXT NOT NULL, data BLOB NOT NULL) STRICT;
CREATE UNIQUE INDEX identity ON entries(event, source, id);
CREATE TABLE unreadable(
    number INTEGER PRIMARY KEY, time_us INTEGER NOT NULL, key TEXT,
    data BLOB NOT NULL, problem TEXT NOT NULL) STRICT;
CREATE TABLE people(
    event TEXT NOT NULL, person TEXT NOT NULL, data BLOB, PRIMARY KEY(event, person)) STRICT;
"""
_held: Final[set[Path]] = set()


class LogFileError(Exception):
    """The file cannot serve as a log."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path, self.problem = path, problem


class LogFileLocked(LogFileError):
    """Another process writes to it: a log has one writer."""


class LogFileNewer(LogFileError):
    """A later version wrote it."""


class LogFileForeign(LogFileError):
    """It is an SQLite file, but no log."""


class LogFileDamaged(LogFileError):
    """It is cut short, overwritten or not an SQLite file at all."""


class WriterLock:
    """Held by the one process that writes; let go by `release`, and by the death of the process.

    Raises LogFileLocked, LogFileError.
    """

    def __init__(self, path: Path) -> None:
        # A lock of the process and not of the open file: a forked child must not keep it when we die.
        # Such locks are all lost when any file handle of the process is closed, hence our own list.
        self._lock = Path(f"{path.resolve()}-lock")
        if self._lock in _held:
            raise LogFileLocked(path, "this process has it open already")
        try:
            self._handle = os.open(self._lock, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise LogFileError(path, f"cannot be opened: {error.strerror}") from error
        try:
            fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._handle)
            raise LogFileLocked(path, "another process has it open") from error
        _held.add(self._lock)

    def release(self) -> None:
        """Let another process write."""
        _held.discard(self._lock)
        os.close(self._handle)


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Give SQLite's complaints about the file our names; a want of disk or memory stays what it is."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CANTOPEN:
            raise LogFileError(path, "cannot be opened: is it there, and may we write to it?") from error
        raise
    except sqlite3.DatabaseError as error:
        raise LogFileDamaged(path, str(error)) from error


def open_writer(path: Path) -> sqlite3.Connection:
    """Open the file for its one writer; it is made if there is none.

    Raises LogFileNewer, LogFileForeign, LogFileDamaged, LogFileError.
    """
    with damage_named(path):
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            _inspect(path, connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")  # an erased name leaves no bytes behind
            if not connection.execute("PRAGMA user_version").fetchone()[0]:
                _create(path, connection)
        except BaseException:
            connection.close()
            raise
        return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Open the file for reading beside its writer.

    Raises as `open_writer` does, and LogFileError where there is no file.
    """
    with damage_named(path):
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
        )
        try:
            _inspect(path, connection)
        except BaseException:
            connection.close()
            raise
        return connection


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file that this process writes to."""

    path: Path
    lock: WriterLock
    connection: sqlite3.Connection
    log_id: str
    """Random, given when the file was made."""


def open_log_file(path: Path) -> LogFile:
    """Take the lock, open the file or make one, and look at every page.

    Raises LogFileLocked and what `open_writer` does.
    """
    lock = WriterLock(path)
    try:
        connection = open_writer(path)
        try:
            with damage_named(path):
                check(path, connection)
                (log_id,) = connection.execute("SELECT value FROM meta WHERE name = 'log_id'").fetchone()
        except BaseException:
            connection.close()
            raise
    except BaseException:
        lock.release()
        raise
    return LogFile(path, lock, connection, log_id)


def check(path: Path, connection: sqlite3.Connection) -> None:
    """Read every page and look for damage. Raises LogFileDamaged."""
    with damage_named(path):
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise LogFileDamaged(path, str(verdict))


def _inspect(path: Path, connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION_ID and (application or version or objects):
        raise LogFileForeign(path, "an SQLite file of another program")
    if version > FORMAT:
        raise LogFileNewer(path, f"has format {version}, this program knows {FORMAT}")


def _create(path: Path, connection: sqlite3.Connection) -> None:
    # One transaction, so that a half-made log is no log.
    connection.execute("BEGIN IMMEDIATE")
    for statement in TABLES.split(";\n"):
        connection.execute(statement)
    connection.execute("INSERT INTO meta VALUES ('log_id', ?)", (secrets.token_hex(16),))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("COMMIT")
    folder = os.open(path.resolve().parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the name of a new file is as durable as what is in it
    finally:
        os.close(folder)
