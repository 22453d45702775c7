# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from builtin_interfaces.msg import Time
from geometry_msgs.msg import TransformStamped
from hrdf_ros_interfaces.msg import Diagnostic, FrameInfo
from sensor_msgs.msg import JointState

class LookupFrame:
    class Request:
        frame: str
        relative_to: str
        stamp: Time
        joint_state: JointState
        def __init__(self, *, frame: str = '', relative_to: str = '') -> None: ...

    class Response:
        success: bool
        message: str
        frame_id: str
        transform: TransformStamped

class ListFrames:
    class Request:
        pattern: str
        kinds: list[str]

    class Response:
        frames: list[FrameInfo]

class Validate:
    class Request:
        path: str
        text: str
        format: str

    class Response:
        ok: bool
        diagnostics: list[Diagnostic]

class Convert:
    class Request:
        path: str
        text: str
        format: str
        target: str

    class Response:
        success: bool
        message: str
        text: str
        diagnostics: list[Diagnostic]
