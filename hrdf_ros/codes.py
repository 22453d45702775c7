# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
The catalog of diagnostic codes.

A code without a format in its name is reported for several formats, or for the Model. The meaning
of each code, an example and the fix are in the section of the same name in
``docs/diagnostics.md``, which ``hrdf explain`` shows. ``test/diagnostics`` has a file that
provokes each code. A test checks that the codes, the sections and the files agree.
"""

from typing import Literal, NamedTuple, Optional

Severity = Literal['error', 'warning', 'info']


class Code(NamedTuple):
    """
    A diagnostic code.

    ``severity`` is the usual severity. ``reference`` is the reference implementation's name for
    the fault (in SDFormat the name of libsdformat's ErrorCode), or None if it has no name for it.
    """

    name: str
    severity: Severity
    reference: Optional[str] = None

    def __str__(self) -> str:
        return self.name


# Files and resource limits
FILE_NOT_FOUND = Code('file-not-found', 'error')
FILE_NOT_REGULAR = Code('file-not-regular', 'error')
FILE_OUTSIDE_ROOTS = Code('file-outside-roots', 'error')
FILE_TOO_LARGE = Code('file-too-large', 'error')
INCLUDE_CYCLE = Code('include-cycle', 'error')
INCLUDE_TOO_DEEP = Code('include-too-deep', 'error')
TOO_MANY_INCLUDES = Code('too-many-includes', 'error')
TOO_MANY_ELEMENTS = Code('too-many-elements', 'error')
TOO_MANY_FRAMES = Code('too-many-frames', 'error')
NAMES_TOO_LONG = Code('names-too-long', 'error')
CHECK_INTERRUPTED = Code('check-interrupted', 'error')
TOO_MANY_DIAGNOSTICS = Code('too-many-diagnostics', 'error')
FILE_ON_NETWORK = Code('file-on-network', 'info')
UNKNOWN_FORMAT = Code('unknown-format', 'error')
SUFFIX_MISMATCH = Code('suffix-mismatch', 'warning')

# XML
XML_SYNTAX = Code('xml-syntax', 'error')
XML_ENCODING = Code('xml-encoding', 'error')
XML_RECOVERED = Code('xml-recovered', 'warning')
XML_DTD = Code('xml-dtd', 'error')
XML_TOO_DEEP = Code('xml-too-deep', 'error')
XML_UNDECLARED_PREFIX = Code('xml-undeclared-prefix', 'warning')

# YAML
YAML_SYNTAX = Code('yaml-syntax', 'error')

# Structure, the same in every format
UNKNOWN_ELEMENT = Code('unknown-element', 'warning')
UNKNOWN_ATTRIBUTE = Code('unknown-attribute', 'warning')
MISSING_ELEMENT = Code('missing-element', 'error')
MISSING_ATTRIBUTE = Code('missing-attribute', 'error')
DUPLICATE_ELEMENT = Code('duplicate-element', 'warning')
EXCLUSIVE_ATTRIBUTES = Code('exclusive-attributes', 'error')
ATTRIBUTE_REQUIRES_OTHER = Code('attribute-requires-other', 'error')
STRAY_TEXT = Code('stray-text', 'warning')
NO_EFFECT = Code('no-effect', 'warning')
DEPRECATED = Code('deprecated', 'warning')
DETAIL_NOT_PRESERVED = Code('detail-not-preserved', 'info')

# Versions
MISSING_VERSION = Code('missing-version', 'info')
UNKNOWN_VERSION = Code('unknown-version', 'error')
NEWER_THAN_VERSION = Code('newer-than-version', 'error')

# Values
BAD_VALUE = Code('bad-value', 'error')
TRAILING_CHARACTERS = Code('trailing-characters', 'warning')
WRONG_CASE = Code('wrong-case', 'warning')

# Names and references
DUPLICATE_NAME = Code('duplicate-name', 'error')
DUPLICATE_TAG = Code('duplicate-tag', 'error')
NAME_CHANGED = Code('name-changed', 'warning')
JOINT_NAMES_MISMATCH = Code('joint-names-mismatch', 'error')
JOINT_PARENT_UNKNOWN = Code('joint-parent-unknown', 'error')
JOINT_CHILD_UNKNOWN = Code('joint-child-unknown', 'error')
MODEL_NOT_FOUND = Code('model-not-found', 'error')

# Checks over the Model, the same for every format
NOT_FINITE = Code('not-finite', 'error')
MASS_NEGATIVE = Code('mass-negative', 'warning')
MASS_MISSING = Code('mass-missing', 'warning')
INERTIA_INVALID = Code('inertia-invalid', 'warning')
IMPLAUSIBLE_VALUE = Code('implausible-value', 'warning')
AXIS_ZERO = Code('axis-zero', 'warning')
AXIS_NOT_UNIT = Code('axis-not-unit', 'warning')
AXIS_MISSING = Code('axis-missing', 'warning')
SCALE_ZERO = Code('scale-zero', 'warning')
LIMITS_REVERSED = Code('limits-reversed', 'warning')
LIMITS_EQUAL = Code('limits-equal', 'warning')
LIMIT_ZERO = Code('limit-zero', 'warning')
LIMITS_MISSING = Code('limits-missing', 'info')
MIMIC_INVALID = Code('mimic-invalid', 'warning')
MIMIC_CYCLE = Code('mimic-cycle', 'warning')
BODY_DISCONNECTED = Code('body-disconnected', 'warning')
KINEMATIC_LOOP = Code('kinematic-loop', 'info')
MESH_NOT_FOUND = Code('mesh-not-found', 'warning')
TEXTURE_NOT_FOUND = Code('texture-not-found', 'warning')
MESH_UNREADABLE = Code('mesh-unreadable', 'warning')
MESH_INERTIA_UNKNOWN = Code('mesh-inertia-unknown', 'warning')
INERTIA_WITHOUT_SHAPE = Code('inertia-without-shape', 'error')
COLLISION_WITHOUT_SHAPE = Code('collision-without-shape', 'error')

# A configuration
POSITION_OUTSIDE_LIMITS = Code('position-outside-limits', 'warning')
LOOP_OPEN = Code('loop-open', 'error')
LOOP_SINGULAR = Code('loop-singular', 'warning')

# HRDF
HRDF_VERSION_UNDOCUMENTED = Code('hrdf-version-undocumented', 'warning')
HRDF_INCLUDE_VERSION = Code('hrdf-include-version', 'warning')
HRDF_INCLUDE_POSE_IGNORED = Code('hrdf-include-pose-ignored', 'info')
HRDF_PATH_NOT_RELATIVE = Code('hrdf-path-not-relative', 'error')
HRDF_MESH_PATH = Code('hrdf-mesh-path', 'warning')
HRDF_DRAFT_SPELLING = Code('hrdf-draft-spelling', 'warning')
HRDF_REJECTED_BY_HEBI_PY = Code('hrdf-rejected-by-hebi-py', 'info')
HRDF_INTERFACE_MISMATCH = Code('hrdf-interface-mismatch', 'error')
HRDF_TOO_MANY_OUTPUTS = Code('hrdf-too-many-outputs', 'error')
HRDF_INERTIA_APPROXIMATED = Code('hrdf-inertia-approximated', 'info')
HEBI_NAMING = Code('hebi-naming', 'info')
HEBI_CONFIG_KEY = Code('hebi-config-key', 'error')
HEBI_CONFIG_VALUE = Code('hebi-config-value', 'error')
HEBI_GAINS = Code('hebi-gains', 'warning')
CHAIN_ALREADY_ENDED = Code('chain-already-ended', 'error')

# SDFormat: files, includes, names
SDF_PROCESSING_INSTRUCTION = Code('sdf-processing-instruction', 'error', 'FILE_READ')
SDF_NO_MODEL = Code('sdf-no-model', 'warning')
SDF_SEVERAL_MODELS = Code('sdf-several-models', 'error', 'ELEMENT_INCORRECT_TYPE')
SDF_NOT_LOADED = Code('sdf-not-loaded', 'info')
SDF_NOT_CONVERTED = Code('sdf-not-converted', 'info')
SDF_INCLUDE_KEPT = Code('sdf-include-kept', 'info')
SDF_URDF_CONVERTED = Code('sdf-urdf-converted', 'info')
SDF_URDF_LINK_DROPPED = Code('sdf-urdf-link-dropped', 'warning')
SDF_MODEL_UNFLATTENED = Code('sdf-model-unflattened', 'info')
SDF_TOP_POSE_RELATIVE = Code('sdf-top-pose-relative', 'error', 'ATTRIBUTE_INVALID')
SDF_INCLUDE_WITHOUT_MODEL = Code('sdf-include-without-model', 'error', 'ELEMENT_MISSING')
SDF_INCLUDE_WITHOUT_NAME = Code('sdf-include-without-name', 'error', 'ATTRIBUTE_INVALID')
SDF_INCLUDE_SEVERAL = Code('sdf-include-several', 'error', 'ELEMENT_INCORRECT_TYPE')
SDF_INCLUDE_NON_STANDARD = Code('sdf-include-non-standard', 'warning')
SDF_URI_NOT_FOUND = Code('sdf-uri-not-found', 'error', 'URI_LOOKUP')
SDF_URI_NOT_FETCHED = Code('sdf-uri-not-fetched', 'error', 'URI_LOOKUP')
SDF_MANIFEST_MISSING = Code('sdf-manifest-missing', 'error', 'FILE_READ')
SDF_MANIFEST_INVALID = Code('sdf-manifest-invalid', 'error', 'PARSING_ERROR')
SDF_MANIFEST_VERSION = Code('sdf-manifest-version', 'warning', 'WARNING')
SDF_MERGE_UNSUPPORTED = Code('sdf-merge-unsupported', 'error', 'MERGE_INCLUDE_UNSUPPORTED')
SDF_RESERVED_NAME = Code('sdf-reserved-name', 'error', 'RESERVED_NAME')
SDF_DELIMITER_IN_NAME = Code('sdf-delimiter-in-name', 'error', 'RESERVED_NAME')

# SDFormat: frames and joints
SDF_CANONICAL_LINK_UNKNOWN = Code(
    'sdf-canonical-link-unknown', 'error', 'MODEL_CANONICAL_LINK_INVALID')
SDF_MODEL_WITHOUT_LINK = Code('sdf-model-without-link', 'error', 'MODEL_WITHOUT_LINK')
SDF_ATTACHED_TO_UNKNOWN = Code('sdf-attached-to-unknown', 'error', 'FRAME_ATTACHED_TO_INVALID')
SDF_ATTACHED_TO_CYCLE = Code('sdf-attached-to-cycle', 'error', 'FRAME_ATTACHED_TO_CYCLE')
SDF_RELATIVE_TO_UNKNOWN = Code('sdf-relative-to-unknown', 'error', 'POSE_RELATIVE_TO_INVALID')
SDF_RELATIVE_TO_UNCHECKED = Code(
    'sdf-relative-to-unchecked', 'warning', 'POSE_RELATIVE_TO_INVALID')
SDF_RELATIVE_TO_CYCLE = Code('sdf-relative-to-cycle', 'error', 'POSE_RELATIVE_TO_CYCLE')
SDF_PLACEMENT_FRAME_UNKNOWN = Code(
    'sdf-placement-frame-unknown', 'error', 'POSE_RELATIVE_TO_INVALID')
SDF_PLACEMENT_WITHOUT_POSE = Code(
    'sdf-placement-without-pose', 'error', 'MODEL_PLACEMENT_FRAME_INVALID')
SDF_JOINT_SAME_BODY = Code('sdf-joint-same-body', 'error', 'JOINT_PARENT_SAME_AS_CHILD')
SDF_EXPRESSED_IN_UNKNOWN = Code(
    'sdf-expressed-in-unknown', 'error', 'JOINT_AXIS_EXPRESSED_IN_INVALID')
SDF_MIMIC_IGNORED = Code('sdf-mimic-ignored', 'warning')
SDF_GEARBOX_REFERENCE = Code('sdf-gearbox-reference', 'warning')
SDF_GEARBOX_WITHOUT_EFFECT = Code('sdf-gearbox-without-effect', 'warning')

# SDFormat: inertia
SDF_INERTIA_OVERWRITTEN = Code('sdf-inertia-overwritten', 'warning', 'WARNING')
SDF_DENSITY_DEFAULT = Code('sdf-density-default', 'warning', 'ELEMENT_MISSING')

# SKEL, by DART's reaction
SKEL_BODY_DROPPED = Code('skel-body-dropped', 'warning')
SKEL_ORPHAN_BODY = Code('skel-orphan-body', 'error')
SKEL_IMPLICIT_ROOT = Code('skel-implicit-root', 'warning')
SKEL_SOFT_BODY = Code('skel-soft-body', 'warning')
SKEL_JOINT_CYCLE = Code('skel-joint-cycle', 'error')
SKEL_JOINT_DISCARDED = Code('skel-joint-discarded', 'warning')
SKEL_EXTENSION_JOINT = Code('skel-extension-joint', 'warning')
SKEL_DOF_DISCARDED = Code('skel-dof-discarded', 'warning')
SKEL_NEGATIVE_DYNAMICS = Code('skel-negative-dynamics', 'warning')
SKEL_ONE_SIDED_LIMIT = Code('skel-one-sided-limit', 'warning')
SKEL_INERTIA_BY_SHAPES = Code('skel-inertia-by-shapes', 'info')
SKEL_SPEC_OVER_DART = Code('skel-spec-over-dart', 'warning')

# URDF and xacro
URDF_NOT_A_TREE = Code('urdf-not-a-tree', 'error')
URDF_UNKNOWN_MATERIAL = Code('urdf-unknown-material', 'warning')
URDF_MATERIAL_REDEFINED = Code('urdf-material-redefined', 'warning')
URDF_CONTROL_INTERFACE = Code('urdf-control-interface', 'warning')
URDF_NAME_UNKNOWN = Code('urdf-name-unknown', 'warning')
XACRO_FAILED = Code('xacro-failed', 'error')
XACRO_MISSING = Code('xacro-missing', 'error')
XACRO_MARKUP = Code('xacro-markup', 'warning')
XACRO_REFUSED = Code('xacro-refused', 'error')
XACRO_UNKNOWN_ARGUMENT = Code('xacro-unknown-argument', 'error')

# MJCF
MJCF_NAME_UNKNOWN = Code('mjcf-name-unknown', 'error')
MJCF_NOT_ALLOWED = Code('mjcf-not-allowed', 'error')
MJCF_INERTIA_REFUSED = Code('mjcf-inertia-refused', 'error')
MJCF_PART_IGNORED = Code('mjcf-part-ignored', 'warning')

# Writing: content that the target cannot express
CONSTRAINT_NOT_REPRESENTABLE = Code('constraint-not-representable', 'warning')
CONTACT_EXCLUDED = Code('contact-excluded', 'warning')
DETAIL_NOT_REPRESENTABLE = Code('detail-not-representable', 'info')
EXTENSION_NOT_REPRESENTABLE = Code('extension-not-representable', 'info')
FRAME_NOT_REPRESENTABLE = Code('frame-not-representable', 'info')
GEOMETRY_NOT_REPRESENTABLE = Code('geometry-not-representable', 'warning')
GEOMETRY_REPLACED = Code('geometry-replaced', 'info')
INERTIA_FROM_SHAPES = Code('inertia-from-shapes', 'info')
INERTIA_NOT_REPRESENTABLE = Code('inertia-not-representable', 'warning')
JOINT_NOT_REPRESENTABLE = Code('joint-not-representable', 'warning')
LOOP_NOT_REPRESENTABLE = Code('loop-not-representable', 'warning')
MIMIC_NOT_REPRESENTABLE = Code('mimic-not-representable', 'warning')
ROOT_POSE_NOT_REPRESENTABLE = Code('root-pose-not-representable', 'info')
SCALE_NOT_REPRESENTABLE = Code('scale-not-representable', 'warning')
JOINT_EXPANDED = Code('joint-expanded', 'info')
JOINT_FLOATING = Code('joint-floating', 'info')
JOINT_REVERSED = Code('joint-reversed', 'info')
LIMIT_DEFAULT_USED = Code('limit-default-used', 'info')
LINK_ADDED = Code('link-added', 'info')
ROOT_ADDED = Code('root-added', 'info')

# What a consumer does with the file (hrdf check --for)
CONSUMER_REFUSES = Code('consumer-refuses', 'error')
CONSUMER_DROPS = Code('consumer-drops', 'warning')
CONSUMER_INVENTS = Code('consumer-invents', 'warning')

# Services of the node
REQUEST_REFUSED = Code('request-refused', 'error')

CODES: dict[str, Code] = {
    code.name: code for code in [*globals().values()] if isinstance(code, Code)
}
"""Every code by its name."""
