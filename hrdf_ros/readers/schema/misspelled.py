# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Unknown names that are probably misspelled: what they mean, and whether that is missing."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, Optional, Union

from hrdf_ros.document import SourceRef
from hrdf_ros.limits import HINTS
from hrdf_ros.parsing.suggestions import closest
from hrdf_ros.readers.schema.declarations import Element
from hrdf_ros.readers.schema.element import TypedElement
from hrdf_ros.readers.schema.rules import AttributeRule, Rule, Rules


class Substitute(NamedTuple):
    """What is there in place of something that is missing: an unknown child or attribute."""

    meant: str
    element: TypedElement
    attribute: Optional[str] = None

    @property
    def location(self) -> SourceRef:
        """Return where it is."""
        if self.attribute is None:
            return self.element.location
        return self.element.attribute_location(self.attribute)

    def __str__(self) -> str:
        """Return what a message calls it."""
        return f'<{self.element.tag}>' if self.attribute is None else f"'{self.attribute}'"


class MisspelledNames:
    """Finds what unknown names mean, for so many of a file that it takes no long time."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._left = HINTS
        self._examined: Optional[TypedElement] = None
        self._found: dict[tuple[TypedElement, Optional[str]], Substitute] = {}

    def near_tag(
        self, tag: str, known: Mapping[str, Union[Element, str]],
    ) -> Optional[str]:
        """Return the tag that an unknown one most likely means, None where none is near."""
        return self._near(tag, [
            one for one, element in known.items()
            if self._rules.declared(element).handling != 'foreign'])

    def child_for(
        self, element: TypedElement, rule: Rule, missing: Collection[str],
    ) -> Optional[Substitute]:
        """Return the unknown child that is probably meant as one of those that are missing."""
        known = rule.content.children
        for child in element.children:
            if child.tag in self._rules.tags or ':' in child.tag or (
                    (child, None) in self._found):
                continue
            meant = self.near_tag(child.tag, known)
            if meant is not None and meant in missing:
                found = self._found[child, None] = Substitute(meant, child)
                return found
        return None

    def find_attributes(self, element: TypedElement, rule: Rule) -> None:
        """Find out which unknown attributes are probably meant as some that are missing."""
        if element is self._examined:
            return
        self._examined = element
        present, known = element.attributes, attribute_names(rule.attributes)
        missing = rule.required - present.keys()
        if not any(map(element.has, rule.content.any_of)):
            missing = missing.union(rule.content.any_of)
        for name in present if missing else ():
            if name not in rule.attributes and ':' not in name:
                meant = self._near(name, known)
                if meant is not None and meant in missing:
                    self._found[element, name] = Substitute(meant, element, name)
                    missing -= {meant}

    def attribute_for(
        self, element: TypedElement, missing: Collection[str],
    ) -> Optional[Substitute]:
        """Return the unknown attribute that is probably meant as one of those."""
        found = (self._found.get((element, name)) for name in element.attributes)
        return next((one for one in found if one is not None and one.meant in missing), None)

    def is_substitute(self, element: TypedElement, attribute: Optional[str] = None) -> bool:
        """Tell whether an unknown element or attribute is reported with what is missing."""
        return (element, attribute) in self._found

    def _near(self, name: str, known: Iterable[str]) -> Optional[str]:
        self._left -= 1
        return closest(name, known) if self._left >= 0 else None


def attribute_names(known: Mapping[str, AttributeRule]) -> list[str]:
    """Return the attributes of an element that a misspelled one may mean."""
    return [name for name, rule in known.items() if rule.attribute.handling != 'foreign']
