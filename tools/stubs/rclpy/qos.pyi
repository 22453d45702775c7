# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
from enum import IntEnum

class DurabilityPolicy(IntEnum):
    TRANSIENT_LOCAL = ...
    VOLATILE = ...

class ReliabilityPolicy(IntEnum):
    BEST_EFFORT = ...
    RELIABLE = ...

class QoSPolicyKind(IntEnum):
    DURABILITY = ...

class QoSProfile:
    durability: DurabilityPolicy
    reliability: ReliabilityPolicy
    def __init__(
        self, *, depth: int = ..., durability: DurabilityPolicy = ...,
        reliability: ReliabilityPolicy = ...,
    ) -> None: ...
