# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What the reference implementations answered, as test/conformance/record.py recorded it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
EXPECTED = REPOSITORY / 'test' / 'conformance' / 'expected'

Answer = dict[str, Any]

SINCE_1_11 = 'libsdformat 12 does not know this element of SDFormat 1.11'
INCOMPLETE = 'urdfdom keeps an incomplete inertia, of numbers that it never read'
# Files about which a reference answers otherwise, and why. The pages of the formats in docs/ list
# them.
DIFFERENCES = {
    'examples/hrdf/features/output_defaults.hrdf': 'hebi-py refuses what HRDF allows',
    'test/diagnostics/hrdf/hrdf-draft-spelling.hrdf': 'hebi-py knows no spellings of drafts',
    'test/diagnostics/hrdf/hrdf-rejected-by-hebi-py.hrdf': 'hebi-py refuses what HRDF allows',
    'test/diagnostics/hrdf/scale-zero.hrdf': 'hebi-py answers infinite poses',
    'test/diagnostics/hrdf/xml-encoding.hrdf': 'hebi-py reads any bytes',
    'test/diagnostics/hrdf/xml-dtd.hrdf': 'hebi-py expands entities',
    'examples/sdf/features/auto_inertia.sdf': SINCE_1_11,
    'examples/sdf/features/mimic.sdf': SINCE_1_11,
    'examples/sdf/hrdf_arm.sdf': 'libsdformat cannot read HRDF',
    'test/conformance/inputs/sdf/urdf/collapsed_masses.sdf': 'libsdformat divides 0 by 0',
    'test/conformance/inputs/sdf/versions/axis_1_0.sdf': 'libsdformat converts no axes of 1.0',
    'test/diagnostics/sdf/include-cycle.sdf': 'libsdformat hangs',
    'test/diagnostics/sdf/mimic-invalid.sdf': SINCE_1_11,
    'test/diagnostics/sdf/not-finite.limit.sdf': 'libsdformat keeps a limit that is not a number',
    'test/diagnostics/sdf/sdf-density-default.sdf': SINCE_1_11,
    'test/diagnostics/sdf/sdf-expressed-in-unknown.sdf': 'libsdformat 12 looks no axis up',
    'test/diagnostics/sdf/sdf-inertia-overwritten.sdf': SINCE_1_11,
    'test/diagnostics/sdf/sdf-manifest-invalid.sdf': 'libsdformat 12 has another code for it',
    'test/diagnostics/sdf/sdf-manifest-missing.sdf': 'libsdformat 12 has another code for it',
    'test/diagnostics/sdf/sdf-manifest-version.sdf': 'libsdformat loads it and reports an error',
    'test/diagnostics/sdf/suffix-mismatch.sdf': 'libsdformat requires a mass to convert URDF',
    'test/diagnostics/sdf/xml-dtd.sdf': 'libsdformat ignores the declarations of a DTD',
    'test/diagnostics/sdf/unknown-format.sdf': 'libsdformat 12 has another code for it',
    'test/diagnostics/sdf/unknown-version.sdf': 'libsdformat 12 reads versions to come',
    'test/diagnostics/mjcf/consumer-refuses.xml':
        'a mesh that is missing is a warning, as in all formats; MuJoCo refuses the file',
    'test/diagnostics/mjcf/mjcf-part-ignored.xml': 'the joints of a flex are not read',
    'examples/skel/joints/screw.skel': 'DART 6.20 crashes',
    'examples/skel/joints/translational2d.skel': 'DART 6.20 crashes',
    'test/diagnostics/skel/axis-not-unit.skel': 'DART does not normalize universal axes',
    'test/diagnostics/skel/mesh-inertia-unknown.skel': 'DART 6.20 crashes',
    'test/diagnostics/skel/skel-extension-joint.skel': 'DART loses the joint',
    'test/diagnostics/skel/skel-spec-over-dart.skel': 'DART loses the joint',
    'examples/urdf/newer.urdf': 'urdfdom 3.0 knows URDF 1.0 alone',
    'test/diagnostics/urdf/newer-than-version.urdf': 'urdfdom 3.0 knows URDF 1.0 alone',
    'test/diagnostics/urdf/consumer-refuses.urdf': 'urdfdom 3.0 knows URDF 1.0 alone',
    'test/diagnostics/urdf/consumer-drops.capsule.urdf': 'urdfdom 3.0 has no capsules',
    'test/diagnostics/urdf/missing-element.urdf': INCOMPLETE,
    'test/conformance/inputs/urdf/inertia/mass_no_value.urdf': INCOMPLETE,
    'test/conformance/inputs/urdf/inertia/mass_word.urdf': INCOMPLETE,
    'test/conformance/inputs/urdf/inertia/no_mass.urdf': INCOMPLETE,
    'test/conformance/inputs/urdf/inertia/no_tensor.urdf': INCOMPLETE,
    'test/conformance/inputs/urdf/inertia/tensor_incomplete.urdf': INCOMPLETE,
}


def recorded(kind: str) -> list[Any]:
    """Return the parameters (file and answer) of each recorded file of a format."""
    cases = []
    for record in sorted((EXPECTED / kind).glob('*.json')):
        name = record.stem.replace('~', '/')
        reason = DIFFERENCES.get(name)
        marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
        answer = json.loads(record.read_text(encoding='utf-8'))
        cases.append(pytest.param(REPOSITORY / name, answer, id=name, marks=marks))
    return cases
