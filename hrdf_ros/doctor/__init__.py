# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Rules that find the faults of a running system in records of its state, without ROS."""

from hrdf_ros.doctor.facts import (
    DescriptionFact,
    Endpoint,
    Facts,
    Finding,
    JointFact,
    JointStateFact,
    Stamp,
    TransformFact,
)
from hrdf_ros.doctor.rules import judge, judge_robot

__all__ = [
    'DescriptionFact', 'Endpoint', 'Facts', 'Finding', 'JointFact', 'JointStateFact', 'Stamp',
    'TransformFact', 'judge', 'judge_robot']
