# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""
What holds for all tests.

Property tests try the same examples in every run, so that a failure is of the change at hand.
``--hypothesis-profile=explore`` tries new ones. Neither looks at the clock: how long an example
takes says more about what else the machine does.

A shell that runs the tests in the background ignores SIGINT, and what it starts inherits that:
here the programs that tests interrupt get the signal.
"""

import signal

from hypothesis import HealthCheck, settings

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile('repeatable', CALM, derandomize=True)
settings.register_profile('explore', CALM, derandomize=False)
settings.load_profile('repeatable')

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
