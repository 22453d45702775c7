# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
Read files that are not robot descriptions, with errors that point into the file.

lxml reads XML (``package.xml``, COLLADA), and PyYAML reads YAML.
"""

from typing import Any, NamedTuple, Optional

from hrdf_ros import codes
from hrdf_ros.diagnostics import Location, printable, Report
from hrdf_ros.document import as_utf8, Document, safe_text, SourceFile, SourceRef
from hrdf_ros.limits import YAML_BYTES


def parse_xml(
    source: SourceFile, report: Report, *, reference: Optional[str] = None,
    large: bool = False,
) -> Any:
    """
    Return the root element as lxml has it, or None with the reason in the report.

    Comments and processing instructions are left out. Nothing is fetched, a DTD with declarations
    is refused, and lxml bounds the depth (256) and the length of a text (10 MB), unless the file
    is ``large``. ``reference`` is the reference implementation's name for an unreadable file.
    """
    from lxml import etree  # 15 ms of a start; few files lead here

    data = as_utf8(source, report, reference)
    if data is None:
        return None
    text = safe_text(source._replace(data=data), report, reference)
    if text is None:
        return None
    parser = etree.XMLParser(
        encoding='utf-8', resolve_entities=False, no_network=True, load_dtd=False,
        huge_tree=large, recover=False, remove_comments=True, remove_pis=True)
    try:
        return etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        report.add(
            codes.XML_SYNTAX, f'not well-formed XML: {error.msg}',
            line_location(source, line or None, column or None), reference=reference)
        return None


def line_location(
    source: SourceFile, line: Optional[int], column: Optional[int] = None,
) -> Location:
    """Return a place in a file, with the include elements that led to the file."""
    included = source.included_from
    chain = () if included is None else (
        included.document.point(included.start), *included.document.chain)
    return Location(source.file, line, column, chain)


# ---- YAML

class YamlFile(NamedTuple):
    """The root node of a YAML file, None where the file is empty, and the text it is in."""

    root: Any
    document: Document
    text: str

    def locate(self, node: Any) -> SourceRef:
        """Return the place of a node, or of a mark."""
        return _locate(self.document, self.text, getattr(node, 'start_mark', node))


def parse_yaml(source: SourceFile, report: Report) -> Optional[YamlFile]:
    """
    Return the nodes of a YAML file, or None with the reason in the report.

    No Python objects are constructed from the nodes, so tags have no effect and an alias is the
    node that it names.
    """
    import yaml  # 20 ms of a start; few files lead here

    document = Document(source)
    start = SourceRef(document, 0)
    if len(source.data) > YAML_BYTES:
        report.add(codes.FILE_TOO_LARGE, f'the file is larger than {YAML_BYTES} bytes', start)
        return None
    try:
        text = source.data.decode('utf-8')
        return YamlFile(yaml.compose(text, yaml.SafeLoader), document, text)
    except UnicodeDecodeError as error:
        fault, location = 'the text is not UTF-8', SourceRef(document, error.start)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        if error.context_mark is not None and mark.index >= len(text):
            mark = error.context_mark  # of an open quotation mark or bracket, not the end of file
        fault = str(error.problem or error.context)
        location = start if mark is None else _locate(document, text, mark)
    except yaml.reader.ReaderError as error:
        fault = f'the character U+{error.character:04X} is not allowed'
        location = SourceRef(document, len(text[:error.position].encode()))
    except RecursionError:
        fault, location = 'lists and mappings are nested too deep', start
    except (ValueError, OverflowError) as error:  # "\U00110000", %YAML 1.999...
        fault, location = str(error), start
    report.add(codes.YAML_SYNTAX, f'not YAML: {printable(fault)}', location)
    return None


def _locate(document: Document, text: str, mark: Any) -> SourceRef:
    before = mark.index if text.isascii() else len(text[:mark.index].encode())
    return SourceRef(document, before)


def is_scalar(node: Any) -> bool:
    """Return whether a node is neither a list nor a mapping."""
    return bool(node.id == 'scalar')


def kind_of(node: Any) -> str:
    """Return the kind of a node: list, mapping, str, int, float, bool or null."""
    return node.id if node.id != 'scalar' else str(node.tag).rpartition(':')[2]


def number_of(node: Any) -> Optional[float]:
    """Return the number in a node, None where the node is not a number."""
    import yaml

    if kind_of(node) not in ('int', 'float'):
        return None
    try:
        return float(yaml.SafeLoader('').construct_object(node))
    except (yaml.YAMLError, ArithmeticError, AttributeError, LookupError, ValueError):
        return None  # !!int foo, or more digits than Python reads


def numbers_of(node: Any) -> Optional[list[float]]:
    """Return the numbers of a list, None for another node or a list with other items."""
    items = node.value if node.id == 'sequence' else [node]
    numbers = [number for number in map(number_of, items) if number is not None]
    return numbers if node.id == 'sequence' and len(numbers) == len(items) else None
