# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The catalog of diagnostic codes.

The long form of each (why, example, fix) is the section of the same name in
``docs/diagnostics.md``, and ``test/diagnostics`` has a file that provokes it; a test compares the
three.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Optional

Severity = Literal['error', 'warning', 'info']


class Code(NamedTuple):
    """
    A diagnostic code.

    ``severity`` is the usual one. ``reference`` is the name that the format's reference
    implementation has for it (for SDFormat the name of libsdformat's ErrorCode), if it has one.
    """

    name: str
    severity: Severity
    summary: str
    reference: Optional[str] = None

    def __str__(self) -> str:
        """Return the name."""
        return self.name


# reading files and XML (document, resolve)
FILE_NOT_FOUND = Code(
    'file-not-found', 'error', 'a file that is named does not exist or cannot be opened')
FILE_NOT_REGULAR = Code(
    'file-not-regular', 'error', 'a path names a directory, pipe or device where a file is needed')
FILE_TOO_BIG = Code('file-too-big', 'error', 'a file is larger than the bound on file size')
FILE_OUTSIDE_ROOTS = Code(
    'file-outside-roots', 'error', 'a file lies outside the directories that may be read')
INCLUDE_CYCLE = Code(
    'include-cycle', 'error', 'a file includes itself, directly or through others')
INCLUDE_TOO_DEEP = Code('include-too-deep', 'error', 'includes are nested deeper than the bound')
INCLUDE_TOO_MANY = Code(
    'include-too-many', 'error', 'more files are included than the bound allows')
XML_SYNTAX = Code('xml-syntax', 'error', 'the text is not well-formed XML')
XML_ENCODING = Code('xml-encoding', 'error', 'the text is not in the encoding that it declares')
XML_ENTITY = Code('xml-entity', 'error', 'the document declares entities, which are refused')
XML_TOO_DEEP = Code('xml-too-deep', 'error', 'elements are nested deeper than the bound')
XML_UNDECLARED_PREFIX = Code(
    'xml-undeclared-prefix', 'warning', 'a name has a namespace prefix that is not declared')
UNKNOWN_FORMAT = Code(
    'unknown-format', 'error', 'the text is in none of the formats that can be read')
SUFFIX_MISMATCH = Code(
    'suffix-mismatch', 'warning', 'a file is in another format than its name says')
XML_TOO_MANY = Code(
    'xml-too-many', 'error', 'a document has more elements or attributes than the bound')
TOO_MANY_DIAGNOSTICS = Code(
    'too-many-diagnostics', 'error', 'there are more findings of one kind than are kept')
TOO_MANY_FRAMES = Code('too-many-frames', 'error', 'a model has more frames than the bound')
# structure, the same in every format
UNKNOWN_ELEMENT = Code(
    'unknown-element', 'warning', 'an element that the format does not define at this place')
UNKNOWN_ATTRIBUTE = Code(
    'unknown-attribute', 'warning', 'an attribute that the format does not define on this element')
MISSING_ATTRIBUTE = Code('missing-attribute', 'error', 'a required attribute is missing')
MISSING_ELEMENT = Code('missing-element', 'error', 'a required element is missing')
# names
NAME_CHANGED = Code(
    'name-changed', 'warning', 'a name stands twice in one namespace, one of the two is renamed')
# the Model, whatever format it came from (check)
DUPLICATE_NAME = Code('duplicate-name', 'error', 'two items of one namespace have the same name')
NOT_FINITE = Code(
    'not-finite', 'error', 'a number is NaN or infinite where a finite one is needed')
MASS_NEGATIVE = Code('mass-negative', 'warning', 'a mass is negative')
MASS_MISSING = Code('mass-missing', 'warning', 'something moves that has no mass and carries none')
INERTIA_INVALID = Code('inertia-invalid', 'warning', 'no body can have this inertia tensor')
AXIS_ZERO = Code('axis-zero', 'warning', 'the axis of a joint is the zero vector')
AXIS_NOT_UNIT = Code('axis-not-unit', 'warning', 'the axis of a joint is not of unit length')
SCALE_ZERO = Code(
    'scale-zero', 'warning', 'a gear ratio or multiplier is zero, the joint cannot move')
LIMITS_REVERSED = Code('limits-reversed', 'warning', 'a lower limit is above its upper limit')
LIMITS_MISSING = Code('limits-missing', 'info', 'a prismatic joint has no limits')
MIMIC_CYCLE = Code('mimic-cycle', 'warning', 'a coordinate follows itself through its leaders')
BODY_UNREACHABLE = Code('body-unreachable', 'warning', 'no joints connect a body to the others')
KINEMATIC_LOOP = Code('kinematic-loop', 'info', 'a joint closes a loop')
POSITION_OUTSIDE_LIMITS = Code(
    'position-outside-limits',
    'warning',
    'a position is given, or follows, that the limits do not allow',
)
LOOP_OPEN = Code('loop-open', 'error', 'a closed loop cannot close in a configuration')
LOOP_SINGULAR = Code(
    'loop-singular', 'warning', 'a closed loop is at a dead centre in a configuration')
MESH_NOT_FOUND = Code('mesh-not-found', 'warning', 'a mesh file does not exist or cannot be found')
# writing URDF
CONSTRAINT_NOT_REPRESENTABLE = Code(
    'constraint-not-representable',
    'warning',
    'a tie between joints or bodies that URDF cannot express',
)
DETAIL_NOT_REPRESENTABLE = Code(
    'detail-not-representable', 'info', 'a detail that URDF has no place for')
EXTENSION_NOT_REPRESENTABLE = Code(
    'extension-not-representable',
    'info',
    'what belongs to other programs has no place in the URDF',
)
FRAME_NOT_REPRESENTABLE = Code(
    'frame-not-representable', 'info', 'a frame that is no link is not in the URDF')
GEOMETRY_NOT_REPRESENTABLE = Code(
    'geometry-not-representable', 'warning', 'a shape that URDF cannot express at all')
GEOMETRY_REPLACED = Code(
    'geometry-replaced', 'info', 'a shape is written as another that URDF has')
JOINT_EXPANDED = Code('joint-expanded', 'info', 'a ball joint is written as three revolute joints')
JOINT_FLOATING = Code(
    'joint-floating', 'info', 'a ball or free joint is written as a floating joint')
JOINT_REVERSED = Code(
    'joint-reversed', 'info', 'a joint is written with parent and child exchanged')
LIMIT_DEFAULT_USED = Code(
    'limit-default-used', 'info', 'a number stands for a limit that the description does not have')
LINK_ADDED = Code('link-added', 'info', 'a massless link is added between joints')
LOOP_NOT_REPRESENTABLE = Code(
    'loop-not-representable', 'warning', 'a joint that closes a loop is not in the URDF')
MIMIC_NOT_REPRESENTABLE = Code(
    'mimic-not-representable', 'warning', 'a coordinate mimics one that has no joint in the URDF')
ROOT_ADDED = Code('root-added', 'info', 'a massless root link is added')
ROOT_POSE_NOT_REPRESENTABLE = Code(
    'root-pose-not-representable', 'info', 'the pose of the root link is not in the URDF')
# SDFormat: text and grammar
BAD_VALUE = Code(
    'bad-value', 'error', 'the text of an SDFormat element or attribute is not a value of its type'
)
TRAILING_CHARACTERS = Code(
    'trailing-characters',
    'warning',
    'only the beginning of an SDFormat value is read, the rest is passed over',
)
DEPRECATED = Code('deprecated', 'warning', 'an SDFormat element that is deprecated')
# SDFormat: files, includes, names
UNKNOWN_VERSION = Code(
    'unknown-version', 'error', 'the version of an SDFormat file is missing or unknown')
SDF_PROCESSING_INSTRUCTION = Code(
    'sdf-processing-instruction', 'error', 'a processing instruction stands inside an element',
    'FILE_READ')
SDF_NO_MODEL = Code('sdf-no-model', 'warning', 'an SDFormat file has no model')
SDF_SEVERAL_MODELS = Code(
    'sdf-several-models',
    'error',
    'an SDFormat file has several models, lights or actors side by side',
    'ELEMENT_INCORRECT_TYPE',
)
MODEL_NOT_FOUND = Code(
    'model-not-found', 'error', 'the model that was asked for is not in the file')
SDF_NOT_LOADED = Code(
    'sdf-not-loaded', 'info', 'a world or model of the file is checked, but another one is loaded')
SDF_NOT_CONVERTED = Code(
    'sdf-not-converted', 'info', 'elements of SDFormat are kept, but nothing here acts on them')
SDF_MODEL_UNFLATTENED = Code(
    'sdf-model-unflattened', 'info', 'names such as arm::wrist become a nested model again')
SDF_TOP_POSE_RELATIVE = Code(
    'sdf-top-pose-relative', 'error', 'the pose of a top-level model is relative to a frame',
    'ATTRIBUTE_INVALID')
SDF_INCLUDE_WITHOUT_URI = Code(
    'sdf-include-without-uri', 'error', 'an include names no file',
    'ATTRIBUTE_MISSING')
SDF_INCLUDE_WITHOUT_MODEL = Code(
    'sdf-include-without-model', 'error', 'an included file has nothing that can be included',
    'ELEMENT_MISSING')
SDF_INCLUDE_WITHOUT_NAME = Code(
    'sdf-include-without-name', 'error', 'an included model has no name',
    'ATTRIBUTE_INVALID')
SDF_INCLUDE_SEVERAL = Code(
    'sdf-include-several', 'error', 'an included file has more than one model, light or actor',
    'ELEMENT_INCORRECT_TYPE')
SDF_INCLUDE_NON_STANDARD = Code(
    'sdf-include-non-standard',
    'warning',
    'an include uses what was proposed for SDFormat but never built',
)
SDF_URI_NOT_FOUND = Code(
    'sdf-uri-not-found', 'error', 'no file or directory is found for a uri',
    'URI_LOOKUP')
SDF_URI_NOT_FETCHED = Code(
    'sdf-uri-not-fetched', 'error', 'a uri leads to the network',
    'URI_LOOKUP')
SDF_MANIFEST_MISSING = Code(
    'sdf-manifest-missing', 'error', 'a model directory has no model.config',
    'FILE_READ')
SDF_MANIFEST_INVALID = Code(
    'sdf-manifest-invalid', 'error', 'a model.config names no file',
    'PARSING_ERROR')
SDF_MANIFEST_VERSION = Code(
    'sdf-manifest-version',
    'warning',
    'a model.config names a version that cannot be read, or none',
    'WARNING',
)
SDF_MERGE_UNSUPPORTED = Code(
    'sdf-merge-unsupported', 'error', 'what is included cannot be merged into its parent',
    'MERGE_INCLUDE_UNSUPPORTED')
SDF_RESERVED_NAME = Code(
    'sdf-reserved-name', 'error', 'a name is reserved by SDFormat',
    'RESERVED_NAME')
SDF_DELIMITER_IN_NAME = Code(
    'sdf-delimiter-in-name', 'error', 'a name contains the delimiter of scopes',
    'RESERVED_NAME')
SDF_DUPLICATE_SIBLING_NAME = Code(
    'sdf-duplicate-sibling-name', 'warning', 'two siblings of different kind have the same name',
    'PARSING_ERROR')
# SDFormat: frames and joints
SDF_CANONICAL_LINK_UNKNOWN = Code(
    'sdf-canonical-link-unknown', 'error', 'the canonical link of a model does not exist',
    'MODEL_CANONICAL_LINK_INVALID')
SDF_MODEL_WITHOUT_LINK = Code(
    'sdf-model-without-link', 'error', 'a model that is not static has no link',
    'MODEL_WITHOUT_LINK')
SDF_ATTACHED_TO_UNKNOWN = Code(
    'sdf-attached-to-unknown',
    'error',
    'a frame is attached to something that is not in its scope',
    'FRAME_ATTACHED_TO_INVALID',
)
SDF_ATTACHED_TO_CYCLE = Code(
    'sdf-attached-to-cycle', 'error', 'frames are attached to each other in a circle',
    'FRAME_ATTACHED_TO_CYCLE')
SDF_RELATIVE_TO_UNKNOWN = Code(
    'sdf-relative-to-unknown', 'error', 'a pose is relative to something that is not in its scope',
    'POSE_RELATIVE_TO_INVALID')
SDF_RELATIVE_TO_UNCHECKED = Code(
    'sdf-relative-to-unchecked',
    'warning',
    'a pose that libsdformat does not check is relative to nothing',
    'POSE_RELATIVE_TO_INVALID',
)
SDF_RELATIVE_TO_CYCLE = Code(
    'sdf-relative-to-cycle', 'error', 'poses are relative to each other in a circle',
    'POSE_RELATIVE_TO_CYCLE')
SDF_PLACEMENT_FRAME_UNKNOWN = Code(
    'sdf-placement-frame-unknown', 'error', 'the frame to place is not in the model',
    'POSE_RELATIVE_TO_INVALID')
SDF_PLACEMENT_WITHOUT_POSE = Code(
    'sdf-placement-without-pose', 'error', 'an include has a placement frame but no pose',
    'MODEL_PLACEMENT_FRAME_INVALID')
SDF_JOINT_TYPE = Code(
    'sdf-joint-type', 'error', 'a joint has a type that SDFormat does not have',
    'ATTRIBUTE_INVALID')
SDF_JOINT_PARENT_UNKNOWN = Code(
    'sdf-joint-parent-unknown', 'error', 'the parent of a joint is not in its scope',
    'JOINT_PARENT_LINK_INVALID')
SDF_JOINT_CHILD_UNKNOWN = Code(
    'sdf-joint-child-unknown',
    'error',
    'the child of a joint is not in its scope, or is the world',
    'JOINT_CHILD_LINK_INVALID',
)
SDF_JOINT_SAME_BODY = Code(
    'sdf-joint-same-body', 'error', 'parent and child of a joint are the same body',
    'JOINT_PARENT_SAME_AS_CHILD')
AXIS_MISSING = Code('axis-missing', 'warning', 'a joint that moves has no axis')
SDF_EXPRESSED_IN_UNKNOWN = Code(
    'sdf-expressed-in-unknown',
    'error',
    'an axis is expressed in a frame that is not in its scope',
    'JOINT_AXIS_EXPRESSED_IN_INVALID',
)
SDF_LIMIT_NAN = Code('sdf-limit-nan', 'warning', 'a limit is not a number')
MIMIC_INVALID = Code(
    'mimic-invalid', 'warning', 'an axis mimics something that is not there, or itself')
SDF_MIMIC_IGNORED = Code(
    'sdf-mimic-ignored', 'warning', 'an axis cannot follow the one that it mimics')
SDF_GEARBOX_REFERENCE = Code(
    'sdf-gearbox-reference',
    'warning',
    'a gearbox has no body that its angles are measured against',
)
SDF_GEARBOX_WITHOUT_EFFECT = Code(
    'sdf-gearbox-without-effect',
    'warning',
    'a gearbox ties nothing that is the angle of one joint',
)
# SDFormat: shapes and inertia
SDF_GEOMETRY_IGNORED = Code(
    'sdf-geometry-ignored', 'warning', 'a geometry has several shapes, of which SDFormat uses one')
SDF_INERTIA_OVERWRITTEN = Code(
    'sdf-inertia-overwritten',
    'warning',
    'an inertia is given although it is worked out automatically',
    'WARNING',
)
INERTIA_OF_MESH = Code(
    'inertia-of-mesh', 'warning', 'the automatic inertia of a mesh is the default')
SDF_DENSITY_DEFAULT = Code(
    'sdf-density-default', 'warning', 'the density of water is used because none is given',
    'ELEMENT_MISSING')
SDF_RELATIVE_TO_IGNORED = Code(
    'sdf-relative-to-ignored', 'warning', 'relative_to stands where SDFormat does not use it')
# SKEL
SKEL_BAD_INDEX = Code('skel-bad-index', 'error', 'a <dof> has an index that makes DART crash')
SKEL_BAD_SIZE = Code(
    'skel-bad-size', 'warning', 'a size of a shape is not positive, DART uses 1 instead')
SKEL_BODY_DROPPED = Code(
    'skel-body-dropped', 'warning', 'no joint holds a body, so that DART drops it')
COLLISION_WITHOUT_SHAPE = Code(
    'collision-without-shape', 'error', 'a collision has no geometry, which makes DART crash')
SKEL_COLOR = Code(
    'skel-color',
    'warning',
    'a SKEL colour has the wrong count of numbers, or numbers outside 0 to 1',
)
SKEL_DOF_DISCARDED = Code(
    'skel-dof-discarded', 'warning', 'a <dof> names no coordinate of its joint')
SKEL_DUPLICATE_BODY = Code(
    'skel-duplicate-body',
    'warning',
    'a body of the same name stands above, only the shapes are added to it',
)
SKEL_EXTENSION_JOINT = Code(
    'skel-extension-joint', 'warning', 'a joint type that DART refuses: screw, translational2d')
NO_EFFECT = Code('no-effect', 'warning', 'an element of SKEL that has no effect at this place')
SKEL_IMPLICIT_ROOT = Code(
    'skel-implicit-root', 'warning', 'no joint holds a body with children, it gets a free joint')
SKEL_INERTIA_BY_SHAPES = Code(
    'skel-inertia-by-shapes',
    'info',
    'an inertia follows from shapes, by a rule that changed in DART',
)
INERTIA_WITHOUT_SHAPE = Code(
    'inertia-without-shape', 'error', 'an inertia should follow from a shape that is not there')
SKEL_JOINT_CYCLE = Code('skel-joint-cycle', 'error', 'the joints of a skeleton form a circle')
SKEL_JOINT_DISCARDED = Code('skel-joint-discarded', 'warning', 'a joint that DART discards')
SKEL_NEGATIVE_DYNAMICS = Code(
    'skel-negative-dynamics',
    'warning',
    'a damping, friction or stiffness is negative, DART uses 0',
)
SKEL_NO_PARENT = Code('skel-no-parent', 'warning', 'a joint has no parent, DART uses the world')
DETAIL_NOT_PRESERVED = Code(
    'detail-not-preserved', 'info', 'something about simulation that the result does not hold')
SKEL_ONE_SIDED_LIMIT = Code(
    'skel-one-sided-limit', 'warning', 'a limit of velocity or force is not symmetric')
SKEL_ORPHAN_BODY = Code(
    'skel-orphan-body', 'error', 'no joint holds a body, and DART crashes on it')
SKEL_SPEC_OVER_DART = Code(
    'skel-spec-over-dart', 'warning', "something of the format's text that DART does not read")
DUPLICATE_ELEMENT = Code(
    'duplicate-element', 'warning', 'an element that is read once stands again')
SKEL_SOFT_BODY = Code('skel-soft-body', 'warning', 'only the rigid part of a soft body is read')
SKEL_UNKNOWN_GEOMETRY = Code(
    'skel-unknown-geometry', 'warning', 'a shape has no geometry that SKEL knows')
# HRDF
MISSING_VERSION = Code(
    'missing-version', 'info', 'an HRDF file names no version and is read as 1.0.0')
HRDF_VERSION_UNDOCUMENTED = Code(
    'hrdf-version-undocumented',
    'warning',
    'the version is one that hebi-py takes and nobody describes',
)
NEWER_THAN_VERSION = Code(
    'newer-than-version', 'error', 'a feature is newer than the version that the file names')
HRDF_INCLUDE_VERSION = Code(
    'hrdf-include-version', 'warning', 'a file and one that it includes name different versions')
HRDF_INCLUDE_POSE_IGNORED = Code(
    'hrdf-include-pose-ignored',
    'info',
    'the pose of a robot has no effect where its file is included',
)
HRDF_PATH_NOT_RELATIVE = Code(
    'hrdf-path-not-relative',
    'error',
    'a path is absolute or a URL where only a relative path is allowed',
)
HRDF_MESH_PATH = Code(
    'hrdf-mesh-path', 'warning', 'the path of a mesh is not one of HRDF, though it may work')
WRONG_CASE = Code('wrong-case', 'warning', 'a value is written in the wrong case')
HRDF_DRAFT_SPELLING = Code(
    'hrdf-draft-spelling', 'warning', 'a type is spelt as in a draft of the format')
HRDF_HEBI_PY_REFUSES = Code(
    'hrdf-hebi-py-refuses',
    'info',
    'something is right by the specification, but hebi-py refuses it',
)
EXCLUSIVE_ATTRIBUTES = Code(
    'exclusive-attributes', 'error', 'two attributes stand together that exclude each other')
ATTRIBUTE_REQUIRES_OTHER = Code(
    'attribute-requires-other', 'error', 'an attribute has no meaning without another one')
STRAY_TEXT = Code('stray-text', 'warning', 'text stands where the format has none')
DUPLICATE_TAG = Code('duplicate-tag', 'error', 'two elements have the same tag')
CHAIN_ALREADY_ENDED = Code(
    'chain-already-ended', 'error', 'an element stands behind one that ends its chain')
HRDF_INTERFACE_MISMATCH = Code(
    'hrdf-interface-mismatch', 'error', 'an element does not fit the one before it')
HRDF_TOO_MANY_OUTPUTS = Code(
    'hrdf-too-many-outputs', 'error', 'an element has more outputs than its type')
HRDF_INERTIA_APPROXIMATED = Code(
    'hrdf-inertia-approximated',
    'info',
    'the inertia of a component is not published and approximated',
)
JOINT_NAMES = Code('joint-names', 'error', 'a list of joint names does not fit the coordinates')
# services of the node
REQUEST_REFUSED = Code(
    'request-refused', 'error', 'a service request cannot be carried out as it stands')
# reading URDF
URDF_MATERIAL_REDEFINED = Code(
    'urdf-material-redefined', 'warning', 'a material is defined again with another look')
URDF_NOT_A_TREE = Code('urdf-not-a-tree', 'error', 'the links of a URDF have no root, or several')
URDF_UNKNOWN_LINK = Code(
    'urdf-unknown-link', 'error', 'a URDF joint names a link that is not there')
URDF_UNKNOWN_MATERIAL = Code(
    'urdf-unknown-material', 'warning', 'a URDF visual names a material that is defined nowhere')
XACRO_FAILED = Code('xacro-failed', 'error', 'the xacro library cannot expand a file')
XACRO_MISSING = Code(
    'xacro-missing', 'error', 'a xacro file, and the xacro library is not installed')
XACRO_REFUSED = Code(
    'xacro-refused', 'error', 'a xacro file where reading is limited to allowed roots')
# writing SDFormat
INERTIA_NOT_REPRESENTABLE = Code(
    'inertia-not-representable',
    'warning',
    'an inertia that SDFormat refuses is written without its tensor',
)
JOINT_NOT_REPRESENTABLE = Code(
    'joint-not-representable', 'warning', 'a joint that this version of SDFormat cannot express')
SCALE_NOT_REPRESENTABLE = Code(
    'scale-not-representable',
    'warning',
    'positions in the SDFormat file are those of the joint, not the coordinate',
)

CODES: dict[str, Code] = {
    code.name: code for code in [*globals().values()] if isinstance(code, Code)
}
"""Every code by its name."""
