# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a running system: its facts in records, judged without ROS."""

from hrdf_ros.doctor.facts import (
    DescriptionFact,
    Endpoint,
    Facts,
    Finding,
    JointStateFact,
    Stamp,
    TransformFact,
)
from hrdf_ros.doctor.rules import judge

__all__ = [
    'DescriptionFact', 'Endpoint', 'Facts', 'Finding', 'JointStateFact', 'Stamp', 'TransformFact',
    'judge']
