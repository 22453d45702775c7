# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0
"""Colors of shapes in a URDF."""

from xml.etree import ElementTree

from hrdf_ros import load_model, write_urdf


def test_what_has_no_color_is_gray_in_a_urdf() -> None:
    visual = '<visual name="{0}"><geometry><box><size>1 1 1</size></box></geometry>{1}</visual>'
    red = '<material><diffuse>1 0 0 1</diffuse></material>'
    model = load_model(
        '<sdf version="1.11"><model name="m"><link name="a">'
        f'{visual.format("plain", "")}{visual.format("red", red)}'
        '<collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision>'
        '</link></model></sdf>')
    text, _ = write_urdf(model)
    root = ElementTree.fromstring(text)
    colors = {each.get('name'): each.find('color').get('rgba')
              for each in root.findall('material')}
    used = [colors[each.find('material').get('name')] for each in root.iter('visual')]
    assert used == ['0.69 0.71 0.73 1.0', '1.0 0.0 0.0 1.0']
    assert root.find('.//collision/material') is None


def test_a_urdf_without_colors_keeps_to_having_none() -> None:
    model = load_model(
        '<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual>'
        '</link></robot>')
    assert 'material' not in write_urdf(model)[0]
