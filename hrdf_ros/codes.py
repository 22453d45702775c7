# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The catalogue of diagnostic codes.

Every code that a report may carry stands here with one line on what it means. The long form
(why, example, fix) is the section of the same name in ``docs/diagnostics.md``, and
``test/faults`` holds a file that provokes it; a test keeps the three in step.
"""

CODES: dict[str, str] = {
    # reading files and XML (document, resolve)
    'file-not-found': 'a file that is named does not exist or cannot be opened',
    'file-not-regular': 'a path names a directory, pipe or device where a file is needed',
    'file-too-big': 'a file is larger than the bound on file size',
    'file-outside-roots': 'a file lies outside the directories that may be read',
    'include-cycle': 'a file includes itself, directly or through others',
    'include-too-deep': 'includes are nested deeper than the bound',
    'include-too-many': 'more files are included than the bound allows',
    'xml-syntax': 'the text is not well-formed XML',
    'xml-encoding': 'the text is not in the encoding that it declares',
    'xml-entity': 'the document declares entities, which are refused',
    'xml-too-deep': 'elements are nested deeper than the bound',
    'xml-undeclared-prefix': 'a name has a namespace prefix that is not declared',
    'unknown-format': 'the text is in none of the formats that can be read',
    # structure, the same in every format
    'unknown-element': 'an element that the format does not define at this place',
    'unknown-attribute': 'an attribute that the format does not define on this element',
    'missing-attribute': 'a required attribute is missing',
    'missing-element': 'a required element is missing',
    # names
    'name-taken': 'a name stands twice in one namespace, one of the two is renamed',
    # the Model, whatever format it came from (check)
    'duplicate-name': 'two items of one namespace have the same name',
    'not-finite': 'a number is NaN or infinite where a finite one is needed',
    'mass-negative': 'a mass is negative',
    'mass-missing': 'something moves that has no mass and carries none',
    'inertia-impossible': 'no body can have this inertia tensor',
    'axis-zero': 'the axis of a joint is the zero vector',
    'axis-not-unit': 'the axis of a joint is not of unit length',
    'scale-zero': 'a gear ratio or multiplier is zero, the joint cannot move',
    'limits-reversed': 'a lower limit is above its upper limit',
    'limits-missing': 'a prismatic joint has no limits',
    'mimic-cycle': 'a coordinate follows itself through its leaders',
    'body-unreachable': 'no joints connect a body to the others',
    'kinematic-loop': 'a joint closes a loop',
    'mesh-not-found': 'a mesh file does not exist or cannot be found',
    # writing URDF
    'urdf-constraint-left-out': 'a tie between joints or bodies that URDF cannot express',
    'urdf-detail-left-out': 'a detail that URDF has no place for',
    'urdf-extension-left-out': 'what belongs to other programs has no place in the URDF',
    'urdf-frame-left-out': 'a frame that is no link is not in the URDF',
    'urdf-geometry-left-out': 'a shape that URDF cannot express at all',
    'urdf-geometry-replaced': 'a shape is written as another that URDF has',
    'urdf-ball-expanded': 'a ball joint is written as three revolute joints',
    'urdf-joint-floating': 'a ball or free joint is written as a floating joint',
    'urdf-joint-reversed': 'a joint is written with parent and child exchanged',
    'urdf-limit-chosen': 'a number stands for a limit that the description does not have',
    'urdf-link-added': 'a massless link is added between joints',
    'urdf-loop-left-out': 'a joint that closes a loop is not in the URDF',
    'urdf-mimic-left-out': 'a coordinate mimics one that has no joint in the URDF',
    'urdf-root-added': 'a massless root link is added',
    'urdf-root-pose-left-out': 'the pose of the root link is not in the URDF',
    # SDFormat: text and grammar
    'sdf-bad-value': 'the text of an SDFormat element or attribute is not a value of its type',
    'sdf-rest-ignored': 'only the beginning of an SDFormat value is read, the rest is passed over',
    'sdf-deprecated': 'an SDFormat element that is deprecated',
}
