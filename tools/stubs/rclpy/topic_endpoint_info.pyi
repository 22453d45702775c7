# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from rclpy.qos import QoSProfile

class TopicEndpointInfo:
    node_name: str
    node_namespace: str
    topic_type: str
    endpoint_gid: list[int]
    qos_profile: QoSProfile
