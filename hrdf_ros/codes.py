# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The catalog of diagnostic codes.

A code without a format in its name is reported for several formats, or for the Model. The long
form of each (meaning, example, fix) is the section of the same name in
``docs/diagnostics.md``, which ``hrdf explain`` shows, and ``test/diagnostics`` has a file
that provokes it; a test compares the three.
"""

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


# Files and resource limits
FILE_NOT_FOUND = Code('file-not-found', 'error', 'a file does not exist or cannot be opened')
FILE_NOT_REGULAR = Code(
    'file-not-regular', 'error',
    'a path names a directory, pipe or device where a file is required')
FILE_OUTSIDE_ROOTS = Code(
    'file-outside-roots', 'error', 'a file lies outside the directories that may be read')
FILE_TOO_LARGE = Code('file-too-large', 'error', 'a file exceeds the resource limit on size')
INCLUDE_CYCLE = Code(
    'include-cycle', 'error', 'a file includes itself, directly or through others')
INCLUDE_TOO_DEEP = Code(
    'include-too-deep', 'error', 'includes are nested deeper than the resource limit')
TOO_MANY_INCLUDES = Code(
    'too-many-includes', 'error', 'more files are included than the resource limit allows')
TOO_MANY_ELEMENTS = Code(
    'too-many-elements', 'error',
    'a document has more elements and attributes than the resource limit allows')
TOO_MANY_FRAMES = Code(
    'too-many-frames', 'error', 'a model has more frames than the resource limit allows')
NAMES_TOO_LONG = Code(
    'names-too-long', 'error', 'the names of frames are longer than the resource limits allow')
CHECK_INTERRUPTED = Code(
    'check-interrupted', 'error', 'the process that checked a file has ended')
TOO_MANY_DIAGNOSTICS = Code(
    'too-many-diagnostics', 'error', 'more diagnostics of one code were found than a report keeps')
FILE_ON_NETWORK = Code(
    'file-on-network', 'info', 'a mesh or image is on the network and not on this machine')
UNKNOWN_FORMAT = Code('unknown-format', 'error', 'the format of a file is not known')
SUFFIX_MISMATCH = Code(
    'suffix-mismatch', 'warning', 'a file is in another format than its suffix says')

# XML
XML_SYNTAX = Code('xml-syntax', 'error', 'the text is not well-formed XML')
XML_ENCODING = Code('xml-encoding', 'error', 'the text is not in the encoding that it declares')
XML_RECOVERED = Code(
    'xml-recovered', 'warning',
    'the text is not well-formed XML, but the usual parsers of the format accept it')
XML_DTD = Code(
    'xml-dtd', 'error', 'the document declares entities, elements or attributes in a DTD')
XML_TOO_DEEP = Code('xml-too-deep', 'error', 'elements are nested deeper than the resource limit')
XML_UNDECLARED_PREFIX = Code(
    'xml-undeclared-prefix', 'warning', 'a name has a namespace prefix that is not declared')

# YAML
YAML_SYNTAX = Code('yaml-syntax', 'error', 'the text is not YAML')

# Structure, the same in every format
UNKNOWN_ELEMENT = Code(
    'unknown-element', 'warning', 'an element is not defined by the format at this place')
UNKNOWN_ATTRIBUTE = Code(
    'unknown-attribute', 'warning', 'an attribute is not defined by the format on this element')
MISSING_ELEMENT = Code('missing-element', 'error', 'a required element is missing')
MISSING_ATTRIBUTE = Code('missing-attribute', 'error', 'a required attribute is missing')
DUPLICATE_ELEMENT = Code(
    'duplicate-element', 'warning', 'an element that is read once is repeated')
EXCLUSIVE_ATTRIBUTES = Code(
    'exclusive-attributes', 'error', 'two attributes that exclude each other are both given')
ATTRIBUTE_REQUIRES_OTHER = Code(
    'attribute-requires-other', 'error', 'an attribute requires another one that is missing')
STRAY_TEXT = Code('stray-text', 'warning', 'text where the format allows none')
NO_EFFECT = Code('no-effect', 'warning', 'an element or attribute has no effect at this place')
DEPRECATED = Code('deprecated', 'warning', 'an element has been replaced by another in the format')
DETAIL_NOT_PRESERVED = Code(
    'detail-not-preserved', 'info', 'a detail is read, but no output of this program contains it')

# Versions
MISSING_VERSION = Code('missing-version', 'info', 'a file does not name the version of its format')
UNKNOWN_VERSION = Code('unknown-version', 'error', 'the version of a file does not exist')
NEWER_THAN_VERSION = Code(
    'newer-than-version', 'error', 'a feature is newer than the version that the file names')

# Values
BAD_VALUE = Code(
    'bad-value', 'error', 'a value is not of the type that its element or attribute requires')
TRAILING_CHARACTERS = Code(
    'trailing-characters', 'warning', 'only the beginning of a value is read; the rest is ignored')
WRONG_CASE = Code('wrong-case', 'warning', 'a value is written in the wrong case')

# Names and references
DUPLICATE_NAME = Code('duplicate-name', 'error', 'two items of one namespace have the same name')
DUPLICATE_TAG = Code('duplicate-tag', 'error', 'two HRDF elements have the same tag')
NAME_CHANGED = Code(
    'name-changed', 'warning', 'an item is renamed because its name is already used')
JOINT_NAMES_MISMATCH = Code(
    'joint-names-mismatch', 'error', 'the given joint names do not fit the coordinates')
JOINT_PARENT_UNKNOWN = Code(
    'joint-parent-unknown', 'error', 'the parent of a joint does not exist')
JOINT_CHILD_UNKNOWN = Code(
    'joint-child-unknown', 'error', 'the child of a joint does not exist or cannot move')
MODEL_NOT_FOUND = Code('model-not-found', 'error', 'the requested model is not in the file')

# Checks over the Model, the same for every format
NOT_FINITE = Code(
    'not-finite', 'error', 'a number is NaN or infinite where a finite one is required')
MASS_NEGATIVE = Code('mass-negative', 'warning', 'a mass is negative')
MASS_MISSING = Code('mass-missing', 'warning', 'a joint moves a body without mass')
INERTIA_INVALID = Code('inertia-invalid', 'warning', 'no physical body has this inertia tensor')
IMPLAUSIBLE_VALUE = Code(
    'implausible-value', 'warning', 'a value is legal, but probably in another unit')
AXIS_ZERO = Code('axis-zero', 'warning', 'the axis of a joint is the zero vector')
AXIS_NOT_UNIT = Code('axis-not-unit', 'warning', 'the axis of a joint is not a unit vector')
AXIS_MISSING = Code('axis-missing', 'warning', 'a joint that moves has no axis')
SCALE_ZERO = Code(
    'scale-zero', 'warning', 'a gear ratio, pitch or multiplier is zero, so the joint cannot move')
LIMITS_REVERSED = Code('limits-reversed', 'warning', 'a lower limit is above the upper limit')
LIMITS_MISSING = Code('limits-missing', 'info', 'a prismatic joint has no limits')
MIMIC_INVALID = Code(
    'mimic-invalid', 'warning', 'a joint mimics one that does not exist or cannot lead')
MIMIC_CYCLE = Code('mimic-cycle', 'warning', 'a coordinate mimics itself through its leaders')
BODY_DISCONNECTED = Code(
    'body-disconnected', 'warning', 'no joints connect a body to the rest of the model')
KINEMATIC_LOOP = Code('kinematic-loop', 'info', 'a joint closes a kinematic loop')
MESH_NOT_FOUND = Code('mesh-not-found', 'warning', 'a mesh file is not found')
TEXTURE_NOT_FOUND = Code(
    'texture-not-found', 'warning', 'an image or material script is not found')
MESH_UNREADABLE = Code('mesh-unreadable', 'warning', 'a mesh file cannot be read')
MESH_INERTIA_UNKNOWN = Code(
    'mesh-inertia-unknown', 'warning', 'the inertia of a mesh cannot be computed')
INERTIA_WITHOUT_SHAPE = Code(
    'inertia-without-shape', 'error',
    'an inertia is to be computed from a shape that does not exist')
COLLISION_WITHOUT_SHAPE = Code('collision-without-shape', 'error', 'a collision has no geometry')

# A configuration
POSITION_OUTSIDE_LIMITS = Code(
    'position-outside-limits', 'warning', 'a position violates the limits of its coordinate')
LOOP_OPEN = Code('loop-open', 'error', 'a kinematic loop cannot close in this configuration')
LOOP_SINGULAR = Code('loop-singular', 'warning', 'a kinematic loop is in a singular configuration')

# HRDF
HRDF_VERSION_UNDOCUMENTED = Code(
    'hrdf-version-undocumented', 'warning',
    'the HRDF version is accepted by hebi-py, but not specified')
HRDF_INCLUDE_VERSION = Code(
    'hrdf-include-version', 'warning', 'an including and an included file name different versions')
HRDF_INCLUDE_POSE_IGNORED = Code(
    'hrdf-include-pose-ignored', 'info', 'the pose of an included robot has no effect')
HRDF_PATH_NOT_RELATIVE = Code(
    'hrdf-path-not-relative', 'error', 'a path is not relative to the file, as HRDF requires')
HRDF_MESH_PATH = Code(
    'hrdf-mesh-path', 'warning', 'the path of a mesh is not in a form that HRDF defines')
HRDF_DRAFT_SPELLING = Code(
    'hrdf-draft-spelling', 'warning', 'a type is spelled as in a draft of HRDF')
HRDF_REJECTED_BY_HEBI_PY = Code(
    'hrdf-rejected-by-hebi-py', 'info',
    'a value that the specification allows is rejected by hebi-py')
HRDF_INTERFACE_MISMATCH = Code(
    'hrdf-interface-mismatch', 'error', 'an element cannot be mounted on the one before it')
HRDF_TOO_MANY_OUTPUTS = Code(
    'hrdf-too-many-outputs', 'error', 'an element has more outputs than its type allows')
HRDF_INERTIA_APPROXIMATED = Code(
    'hrdf-inertia-approximated', 'info',
    'the inertia of a component is not published and is approximated')
HEBI_NAMING = Code(
    'hebi-naming', 'info', 'names are those of hebi_description, numbers those of hebi-py')
HEBI_CONFIG_KEY = Code(
    'hebi-config-key', 'error',
    "an entry of HEBI's robot configuration is unknown, missing or duplicated")
HEBI_CONFIG_VALUE = Code(
    'hebi-config-value', 'error', "a value of HEBI's robot configuration has the wrong type")
HEBI_GAINS = Code(
    'hebi-gains', 'warning', "a file of gains does not fit HEBI's robot configuration")
CHAIN_ALREADY_ENDED = Code(
    'chain-already-ended', 'error', 'an element follows one that ends its chain')

# SDFormat: files, includes, names
SDF_PROCESSING_INSTRUCTION = Code(
    'sdf-processing-instruction', 'error', 'a processing instruction is inside an element',
    'FILE_READ')
SDF_NO_MODEL = Code('sdf-no-model', 'warning', 'an SDFormat file has no model')
SDF_SEVERAL_MODELS = Code(
    'sdf-several-models', 'error',
    'an SDFormat file has several models, lights or actors outside a world',
    'ELEMENT_INCORRECT_TYPE')
SDF_NOT_LOADED = Code(
    'sdf-not-loaded', 'info', 'a world or model of the file is checked, but another one is loaded')
SDF_NOT_CONVERTED = Code(
    'sdf-not-converted', 'info', 'elements of SDFormat are not in the converted file')
SDF_INCLUDE_KEPT = Code(
    'sdf-include-kept', 'info', 'an include whose file is missing is written as it stands')
SDF_URDF_CONVERTED = Code(
    'sdf-urdf-converted', 'info', 'an included URDF is read as libsdformat converts it')
SDF_URDF_LINK_DROPPED = Code(
    'sdf-urdf-link-dropped', 'warning', 'libsdformat drops a link of a URDF that has no mass')
SDF_MODEL_UNFLATTENED = Code(
    'sdf-model-unflattened', 'info', 'names such as arm::wrist become a nested model again')
SDF_TOP_POSE_RELATIVE = Code(
    'sdf-top-pose-relative', 'error', 'the pose of a top-level model is relative to a frame',
    'ATTRIBUTE_INVALID')
SDF_INCLUDE_WITHOUT_MODEL = Code(
    'sdf-include-without-model', 'error', 'an included file contains nothing that can be included',
    'ELEMENT_MISSING')
SDF_INCLUDE_WITHOUT_NAME = Code(
    'sdf-include-without-name', 'error', 'an included model has no name', 'ATTRIBUTE_INVALID')
SDF_INCLUDE_SEVERAL = Code(
    'sdf-include-several', 'error', 'an included file has more than one model, light or actor',
    'ELEMENT_INCORRECT_TYPE')
SDF_INCLUDE_NON_STANDARD = Code(
    'sdf-include-non-standard', 'warning',
    'an include uses a feature that was proposed, but not implemented in libsdformat')
SDF_URI_NOT_FOUND = Code(
    'sdf-uri-not-found', 'error', 'no file or directory is found for a URI', 'URI_LOOKUP')
SDF_URI_NOT_FETCHED = Code(
    'sdf-uri-not-fetched', 'error', 'a URI refers to the network', 'URI_LOOKUP')
SDF_MANIFEST_MISSING = Code(
    'sdf-manifest-missing', 'error', 'a model directory has no model.config', 'FILE_READ')
SDF_MANIFEST_INVALID = Code(
    'sdf-manifest-invalid', 'error', 'a model.config names no file', 'PARSING_ERROR')
SDF_MANIFEST_VERSION = Code(
    'sdf-manifest-version', 'warning', 'a model.config names an unsupported version or none',
    'WARNING')
SDF_MERGE_UNSUPPORTED = Code(
    'sdf-merge-unsupported', 'error', 'the included item cannot be merged into its parent',
    'MERGE_INCLUDE_UNSUPPORTED')
SDF_RESERVED_NAME = Code(
    'sdf-reserved-name', 'error', 'a name is reserved by SDFormat', 'RESERVED_NAME')
SDF_DELIMITER_IN_NAME = Code(
    'sdf-delimiter-in-name', 'error', 'a name contains the scope delimiter ::', 'RESERVED_NAME')

# SDFormat: frames and joints
SDF_CANONICAL_LINK_UNKNOWN = Code(
    'sdf-canonical-link-unknown', 'error', 'the canonical link of a model does not exist',
    'MODEL_CANONICAL_LINK_INVALID')
SDF_MODEL_WITHOUT_LINK = Code(
    'sdf-model-without-link', 'error', 'a model that is not static has no link',
    'MODEL_WITHOUT_LINK')
SDF_ATTACHED_TO_UNKNOWN = Code(
    'sdf-attached-to-unknown', 'error', 'a frame is attached to a name that is not in its scope',
    'FRAME_ATTACHED_TO_INVALID')
SDF_ATTACHED_TO_CYCLE = Code(
    'sdf-attached-to-cycle', 'error', 'frames are attached to each other in a cycle',
    'FRAME_ATTACHED_TO_CYCLE')
SDF_RELATIVE_TO_UNKNOWN = Code(
    'sdf-relative-to-unknown', 'error', 'a pose is relative to a name that is not in its scope',
    'POSE_RELATIVE_TO_INVALID')
SDF_RELATIVE_TO_UNCHECKED = Code(
    'sdf-relative-to-unchecked', 'warning',
    'a pose that libsdformat does not check is relative to an unknown name',
    'POSE_RELATIVE_TO_INVALID')
SDF_RELATIVE_TO_CYCLE = Code(
    'sdf-relative-to-cycle', 'error', 'poses are relative to each other in a cycle',
    'POSE_RELATIVE_TO_CYCLE')
SDF_PLACEMENT_FRAME_UNKNOWN = Code(
    'sdf-placement-frame-unknown', 'error', 'the placement frame is not in the model',
    'POSE_RELATIVE_TO_INVALID')
SDF_PLACEMENT_WITHOUT_POSE = Code(
    'sdf-placement-without-pose', 'error', 'an include has a placement frame but no pose',
    'MODEL_PLACEMENT_FRAME_INVALID')
SDF_JOINT_SAME_BODY = Code(
    'sdf-joint-same-body', 'error', 'the parent and child of a joint are the same link',
    'JOINT_PARENT_SAME_AS_CHILD')
SDF_EXPRESSED_IN_UNKNOWN = Code(
    'sdf-expressed-in-unknown', 'error',
    'an axis is expressed in a frame that is not in its scope', 'JOINT_AXIS_EXPRESSED_IN_INVALID')
SDF_MIMIC_IGNORED = Code(
    'sdf-mimic-ignored', 'warning', 'an axis cannot follow the axis that it mimics')
SDF_GEARBOX_REFERENCE = Code(
    'sdf-gearbox-reference', 'warning', 'a gearbox has no valid reference body')
SDF_GEARBOX_WITHOUT_EFFECT = Code(
    'sdf-gearbox-without-effect', 'warning', 'a gearbox does not couple two single joint angles')

# SDFormat: inertia
SDF_INERTIA_OVERWRITTEN = Code(
    'sdf-inertia-overwritten', 'warning',
    'an inertia is given although it is computed automatically', 'WARNING')
SDF_DENSITY_DEFAULT = Code(
    'sdf-density-default', 'warning', 'the density of water is used because none is given',
    'ELEMENT_MISSING')

# SKEL, by DART's reaction
SKEL_BODY_DROPPED = Code('skel-body-dropped', 'warning', 'DART drops a body that has no joint')
SKEL_ORPHAN_BODY = Code('skel-orphan-body', 'error', 'DART crashes on a body that has no joint')
SKEL_IMPLICIT_ROOT = Code(
    'skel-implicit-root', 'warning', 'a body with children has no joint and gets a free joint')
SKEL_SOFT_BODY = Code('skel-soft-body', 'warning', 'only the rigid part of a soft body is read')
SKEL_JOINT_CYCLE = Code('skel-joint-cycle', 'error', 'the joints of a skeleton form a cycle')
SKEL_JOINT_DISCARDED = Code('skel-joint-discarded', 'warning', 'DART discards a joint')
SKEL_EXTENSION_JOINT = Code(
    'skel-extension-joint', 'warning', 'DART rejects this joint type: screw, translational2d')
SKEL_DOF_DISCARDED = Code(
    'skel-dof-discarded', 'warning', 'a <dof> matches no coordinate of its joint')
SKEL_NEGATIVE_DYNAMICS = Code(
    'skel-negative-dynamics', 'warning',
    'a damping, friction or stiffness is negative; DART uses 0')
SKEL_ONE_SIDED_LIMIT = Code(
    'skel-one-sided-limit', 'warning', 'the limits of a velocity or force are not symmetric')
SKEL_INERTIA_BY_SHAPES = Code(
    'skel-inertia-by-shapes', 'info',
    'an inertia is computed from shapes, by a rule that changed in DART')
SKEL_SPEC_OVER_DART = Code(
    'skel-spec-over-dart', 'warning', 'the specification is followed where DART ignores it')

# URDF and xacro
URDF_NOT_A_TREE = Code('urdf-not-a-tree', 'error', 'the links of a URDF have no root, or several')
URDF_UNKNOWN_MATERIAL = Code(
    'urdf-unknown-material', 'warning', 'a visual names a material that is not defined')
URDF_MATERIAL_REDEFINED = Code(
    'urdf-material-redefined', 'warning',
    'a material is defined again with another color or texture')
URDF_NAME_UNKNOWN = Code(
    'urdf-name-unknown', 'warning',
    'an element of Gazebo, ros2_control or a transmission names a link or joint that is not there')
XACRO_FAILED = Code('xacro-failed', 'error', 'a xacro file cannot be expanded')
XACRO_MISSING = Code(
    'xacro-missing', 'error', 'the xacro library is required and is not installed')
XACRO_MARKUP = Code('xacro-markup', 'warning', 'a file contains xacro, but is not expanded')
XACRO_REFUSED = Code(
    'xacro-refused', 'error', 'a xacro file is not expanded, because expanding it runs code')

# MJCF
MJCF_NAME_UNKNOWN = Code(
    'mjcf-name-unknown', 'error', 'an MJCF file names something that does not exist')
MJCF_NOT_ALLOWED = Code('mjcf-not-allowed', 'error', 'MuJoCo refuses a combination of elements')
MJCF_INERTIA_REFUSED = Code(
    'mjcf-inertia-refused', 'error', 'MuJoCo refuses the mass or inertia of a body')
MJCF_PART_IGNORED = Code(
    'mjcf-part-ignored', 'warning', 'a part of an MJCF file is not read')

# Writing: content that the target cannot express
CONSTRAINT_NOT_REPRESENTABLE = Code(
    'constraint-not-representable', 'warning',
    'a constraint between joints or bodies cannot be expressed')
DETAIL_NOT_REPRESENTABLE = Code('detail-not-representable', 'info', 'a detail cannot be expressed')
EXTENSION_NOT_REPRESENTABLE = Code(
    'extension-not-representable', 'info',
    'an element that belongs to another program is not written')
FRAME_NOT_REPRESENTABLE = Code(
    'frame-not-representable', 'info', 'a frame that is not a link is not written')
GEOMETRY_NOT_REPRESENTABLE = Code(
    'geometry-not-representable', 'warning', 'a shape cannot be expressed at all')
GEOMETRY_REPLACED = Code('geometry-replaced', 'info', 'a shape is written as another shape')
INERTIA_NOT_REPRESENTABLE = Code(
    'inertia-not-representable', 'warning',
    'an inertia that SDFormat rejects is written without its tensor')
JOINT_NOT_REPRESENTABLE = Code(
    'joint-not-representable', 'warning',
    'a joint cannot be expressed in this version of SDFormat')
LOOP_NOT_REPRESENTABLE = Code(
    'loop-not-representable', 'warning', 'a joint that closes a loop is not written')
MIMIC_NOT_REPRESENTABLE = Code(
    'mimic-not-representable', 'warning', 'a mimic relation cannot be expressed')
ROOT_POSE_NOT_REPRESENTABLE = Code(
    'root-pose-not-representable', 'info', 'the pose of the root link is not written')
SCALE_NOT_REPRESENTABLE = Code(
    'scale-not-representable', 'warning', 'the scale of a coordinate is not written')
JOINT_EXPANDED = Code('joint-expanded', 'info', 'a joint is written as several single-axis joints')
JOINT_FLOATING = Code(
    'joint-floating', 'info', 'a ball or free joint is written as a floating joint')
JOINT_REVERSED = Code(
    'joint-reversed', 'info', 'a joint is written with parent and child exchanged')
LIMIT_DEFAULT_USED = Code(
    'limit-default-used', 'info',
    'a default is written for a limit that the description does not give')
LINK_ADDED = Code('link-added', 'info', 'a massless link is added between joints')
ROOT_ADDED = Code('root-added', 'info', 'a massless root link is added')

# Services of the node
REQUEST_REFUSED = Code('request-refused', 'error', 'a service request is not valid')

CODES: dict[str, Code] = {
    code.name: code for code in [*globals().values()] if isinstance(code, Code)
}
"""Every code by its name."""
