# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures that the browser does not draw."""

from pathlib import Path
from unittest.mock import Mock

import pytest

pytest.importorskip('viser', reason='the viewer requires viser')
from hrdf_ros import load
from hrdf_ros.view.drawing import Look
from hrdf_ros.view.motion import PosedModel
from hrdf_ros.view.render import Renderer, RenderError, Shot
from hrdf_ros.view.scene import NO_SCENE

ROBOT = Path(__file__).parents[3] / 'examples/urdf/gripper_arm.urdf'


@pytest.mark.parametrize(('error', 'message'), [
    (TimeoutError(), 'within 7 s; --timeout SECONDS gives it longer'),
    (RuntimeError('the page is gone'), 'the page is gone')])
def test_a_picture_that_is_not_drawn_is_reported(error: Exception, message: str) -> None:
    client = Mock(**{'get_render.side_effect': error})
    model = load(ROBOT).model
    assert model is not None
    renderer = Renderer(client, Mock(), NO_SCENE, Shot(Look(), 9, 9, 0.0, 0.0, timeout=7.0))
    with pytest.raises(RenderError, match=message):
        renderer.picture(PosedModel(model))
