# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from std_msgs.msg import Header

class Vector3:
    x: float
    y: float
    z: float
    def __init__(self, *, x: float = ..., y: float = ..., z: float = ...) -> None: ...

class Quaternion:
    x: float
    y: float
    z: float
    w: float
    def __init__(
        self, *,
        x: float = ...,
        y: float = ...,
        z: float = ...,
        w: float = ...,
    ) -> None: ...

class Transform:
    translation: Vector3
    rotation: Quaternion
    def __init__(self, *, translation: Vector3 = ..., rotation: Quaternion = ...) -> None: ...

class TransformStamped:
    header: Header
    child_frame_id: str
    transform: Transform
    def __init__(
        self, *,
        header: Header = ...,
        child_frame_id: str = ...,
        transform: Transform = ...,
    ) -> None: ...
