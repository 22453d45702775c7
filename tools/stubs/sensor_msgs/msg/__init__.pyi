# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from geometry_msgs.msg import Transform
from std_msgs.msg import Header

class JointState:
    header: Header
    name: list[str]
    position: list[float]
    def __init__(
        self, *,
        header: Header = ...,
        name: list[str] = ...,
        position: list[float] = ...,
    ) -> None: ...

class MultiDOFJointState:
    header: Header
    joint_names: list[str]
    transforms: list[Transform]
    def __init__(
        self, *,
        header: Header = ...,
        joint_names: list[str] = ...,
        transforms: list[Transform] = ...,
    ) -> None: ...
