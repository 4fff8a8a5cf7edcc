"""What an operator sets: one frozen object, read once from a mapping such as the environment."""

from collections.abc import Mapping
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from schemas.record import NAMED, Role
from schemas.terms import SourceId

PREFIX: Final = "BAROMETER_"
SHORTEST_TOKEN: Final = 8


class BadSettings(ValueError):
    """A setting that does not exist, or a value it cannot take."""


class LogLevel(StrEnum):
    """From which weight on a log line is written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(StrEnum):
    """How a log line looks."""

    CONSOLE = "console"
    JSON = "json"


class Holder(BaseModel):
    """Whom a token stands for."""

    model_config = ConfigDict(frozen=True)

    role: Role
    source: Annotated[SourceId, NAMED]


class Settings(BaseModel):
    """Every setting with its default; in the environment `log` is `BAROMETER_LOG`, and so on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    log: Path = Path("barometer.sqlite")
    """The file of the embedded log."""
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8090
    """0: any free port."""
    tokens: Mapping[str, Holder] = {}
    """Who may write, by token: `role=token` or `role/source=token`, with commas or lines; `@FILE` is read."""
    log_level: LogLevel = LogLevel.INFO
    log_format: LogFormat = LogFormat.CONSOLE
    most_waiting: Annotated[int, Field(ge=1)] = 20_000
    """Records that may wait for the disk."""

    @property
    def is_loopback(self) -> bool:
        """Tell whether only this machine can reach us."""
        return is_loopback(self.host)

    @property
    def believes_headers(self) -> bool:
        """Tell whether senders may name their own role: only this machine reaches us, without tokens."""
        return self.is_loopback and not self.tokens


def is_loopback(host: str) -> bool:
    """Tell whether an address is this machine's own.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def read_settings(environment: Mapping[str, str], **given: object) -> Settings:
    """Read every BAROMETER_ name of a mapping; what is `given`, as by an option, goes before it.

    Raises BadSettings for an unknown name or a value that cannot be.
    >>> read_settings({"BAROMETER_PORT": "8001", "PATH": "/bin"}).port
    8001
    """
    found: dict[str, object] = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX)
    }
    unknown = sorted(found.keys() - Settings.model_fields.keys())
    if unknown:
        names = ", ".join(PREFIX + name.upper() for name in unknown)
        known = ", ".join(PREFIX + name.upper() for name in Settings.model_fields)
        raise BadSettings(f"{names}: no such setting; there are {known}")
    found |= {name: value for name, value in given.items() if value is not None}
    if isinstance(tokens := found.get("tokens"), str):
        found["tokens"] = read_tokens(tokens)
    try:
        return Settings.model_validate(found)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in detail["loc"][:1]).upper()
        raise BadSettings(f"{PREFIX}{where}: {detail['msg']}") from error


def read_tokens(text: str) -> dict[str, Holder]:
    """Read a list of tokens; a source of its own is the role's name unless told.

    Raises BadSettings, which never shows a token.
    >>> read_tokens("director=correct-horse, table/table.A1=battery-staple")["battery-staple"].source
    'table.A1'
    """
    if text.startswith("@"):
        try:
            text = Path(text[1:]).read_text(encoding="utf-8")
        except (OSError, UnicodeError) as error:
            raise BadSettings(f"{PREFIX}TOKENS: {text} cannot be read") from error
    found: dict[str, Holder] = {}
    lines = [line.strip() for part in text.splitlines() for line in part.split(",")]
    for number, line in enumerate((line for line in lines if line and not line.startswith("#")), start=1):
        who, equals, token = line.partition("=")
        role, _, source = who.strip().partition("/")
        token = token.strip()
        if not equals or len(token) < SHORTEST_TOKEN:
            raise BadSettings(
                f"{PREFIX}TOKENS: entry {number}: role=token, of at least {SHORTEST_TOKEN} characters"
            )
        if token in found:
            raise BadSettings(f"{PREFIX}TOKENS: entry {number}: the same token twice")
        try:
            found[token] = Holder.model_validate({"role": role, "source": source or role})
        except ValidationError as error:
            roles = ", ".join(Role)
            raise BadSettings(f"{PREFIX}TOKENS: entry {number}: the role is one of {roles}") from error
    return found
