"""XML without its dangers: a small tree, entities, DTD and network off, that knows what was read of it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from pipeline.formats.imported import BadFile, Note, NoteKind

FORMAT = "usebio"
_DEEPEST = 60


@dataclass(slots=True)
class Node:
    """An element: names in upper case without namespace, so that lower-case files read the same.

    What `text`, `attribute` and `take` hand out counts as read; `unread` tells the rest.
    """

    tag: str
    attributes: dict[str, str]
    own_text: str
    line: int
    children: list["Node"] = field(default_factory=list)
    read: set[str] = field(default_factory=set)

    def each(self, *tags: str) -> Iterator["Node"]:
        """Go through the children with one of these names, none or one or many."""
        return (child for child in self.children if child.tag in tags)

    def text(self, *tags: str) -> str:
        """Return the text of the first child of these names that has any, or nothing."""
        for child in self.each(*tags):
            value = child.take()
            if value:
                return value
        return ""

    def take(self) -> str:
        """Return the own text."""
        self.read.add("")
        return self.own_text

    def attribute(self, name: str) -> str:
        """Return an attribute, or nothing."""
        self.read.add(name)
        return self.attributes.get(name, "")

    def place(self, name: str = "") -> str:
        """Tell where it stands, for an error."""
        return f"line {self.line}, {self.tag}{'/' + name if name else ''}"


def parse(data: bytes) -> Node:
    """Read bytes as XML of any declared encoding.

    Raises BadFile for what is no well-formed XML, declares an entity or is nested too deep.
    """
    if not data.strip(b"\0 \t\r\n"):
        raise BadFile(FORMAT, "file", f"{len(data)} bytes", "has an XML document")
    # UTF-16 puts a zero beside each letter.
    if b"<!ENTITY" in data[: 1 << 20].replace(b"\0", b""):
        raise BadFile(FORMAT, "DOCTYPE", "<!ENTITY", "declares no entities")
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        message = (error.msg or "no document").splitlines()[0][:120]
        raise BadFile(FORMAT, f"line {line}, column {column}", message, "is well-formed XML") from error
    except (ValueError, LookupError) as error:
        raise BadFile(FORMAT, "file", str(error)[:120], "is well-formed XML") from error
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise BadFile(FORMAT, "DOCTYPE", "<!ENTITY", "declares no entities")
    return _node(root, 0)


def unread(root: Node) -> tuple[Note, ...]:
    """Tell once for each name how often something stands in the file that nothing was made of.

    Values are not quoted: they may be telephone numbers and addresses.
    """
    found: Counter[str] = Counter()
    _collect(root, (), found)
    return tuple(
        Note(NoteKind.UNKNOWN_ELEMENT, path, f"{times} with a value") for path, times in found.items()
    )


def _node(element: etree._Element, depth: int) -> Node:
    if depth > _DEEPEST:
        raise BadFile(
            FORMAT, f"line {element.sourceline}", str(element.tag), f"is nested at most {_DEEPEST} deep"
        )
    texts = [element.text or ""]
    node = Node(
        tag=_name(element.tag),
        attributes={_name(name): str(value).strip() for name, value in element.attrib.items()},
        own_text="",
        line=element.sourceline or 0,
    )
    for child in element:
        if not isinstance(child.tag, str):  # a reference to an entity that the file could not declare
            raise BadFile(FORMAT, f"line {node.line}, {node.tag}", str(child.text), "refers to no entities")
        node.children.append(_node(child, depth + 1))
        texts.append(child.tail or "")
    node.own_text = "".join(texts).strip()
    return node


def _name(name: object) -> str:
    return str(name).rpartition("}")[2].upper()


def _collect(node: Node, above: tuple[str, ...], found: Counter[str]) -> None:
    path = (*above, node.tag)
    if node.own_text and "" not in node.read:
        found["/".join(path)] += 1
    for name, value in node.attributes.items():
        if value and name not in node.read:
            found[f"{'/'.join(path)}/@{name}"] += 1
    for child in node.children:
        _collect(child, path, found)
