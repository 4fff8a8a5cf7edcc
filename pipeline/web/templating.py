"""The pages' templates and static files, loaded once; nothing comes from another host."""

from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from pipeline.web.notation import hour, plain, signed, unsigned

TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is sent."""

    data: bytes
    media_type: str
    tag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """Every static file by name."""
    found = {}
    for path in files("pipeline.web").joinpath("static").iterdir():
        media_type = TYPES.get("." + path.name.rpartition(".")[2])
        if media_type is not None:
            data = path.read_bytes()
            tag = blake2b(data, digest_size=8).hexdigest()
            found[path.name] = StaticFile(data, f"{media_type}; charset=utf-8", tag)
    return found


def static(name: str) -> str:
    """Where a static file is found; a changed file has another address."""
    return f"/static/{name}?v={static_files()[name].tag}"


@cache
def templates() -> Environment:
    """The templates, escaping everything, failing on what is undefined."""
    environment = Environment(
        loader=PackageLoader("pipeline.web"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static"] = static
    environment.filters |= {"hour": hour, "plain": plain, "signed": signed, "unsigned": unsigned}
    return environment
