# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""Install hrdf_ros, with ROS 2 (colcon build) or without (pip install)."""

import os
from pathlib import Path
import sys

from setuptools import find_packages, setup

NAME = 'hrdf_ros'
INTERFACES = 'hrdf_ros_interfaces'
SHARED = ('config', 'launch', 'examples')
SCHEMAS = Path('build', 'schema')


def shared_files():
    """Return what goes to the package's share directory, one pair for each directory."""
    directories = [path for top in SHARED for path in (Path(top), *Path(top).rglob('*'))
                   if path.is_dir() and path.name != '__pycache__']
    return [(f'share/{NAME}/{directory}', files) for directory in sorted(directories)
            if (files := sorted(str(file) for file in directory.iterdir() if file.is_file()))]


def schema_files():
    """Write the schemas for XML editors if the package is newer than they are; return them."""
    written = sorted(SCHEMAS.glob('*'))
    newest = max(file.stat().st_mtime for file in Path(NAME).rglob('*.py'))
    if not written or newest > min(file.stat().st_mtime for file in written):
        sys.path.insert(0, str(Path().absolute()))
        from hrdf_ros.schema_export import schema_files as generated
        try:
            SCHEMAS.mkdir(parents=True, exist_ok=True)
            for name, text in generated():
                (SCHEMAS / name).write_text(text, encoding='utf-8')
        except OSError as error:  # the sources may be read-only
            print(f'hrdf_ros: installed without schemas for XML editors: {error}', file=sys.stderr)
            return []
    return sorted(str(file) for file in SCHEMAS.iterdir())


def require_interfaces():
    """Say how to build hrdf_ros_interfaces if this workspace and those below do not have it."""
    names = ('AMENT_PREFIX_PATH', 'CMAKE_PREFIX_PATH', 'COLCON_PREFIX_PATH')
    prefixes = [prefix for name in names for prefix in os.environ.get(name, '').split(os.pathsep)
                if prefix]
    index = Path('share', 'ament_index', 'resource_index', 'packages', INTERFACES)
    is_found = any(
        (Path(prefix, *below) / index).exists()
        for prefix in prefixes for below in ((), (INTERFACES,)))
    if prefixes and not is_found and {'develop', 'install'}.intersection(sys.argv):
        print(f'{NAME}: {INTERFACES} is not built, so the node will have no services: '
              f'colcon build --base-paths {Path(INTERFACES).absolute()}', file=sys.stderr)


require_interfaces()
setup(
    name=NAME,
    version='0.3.0',
    description='Robots described in HRDF, SDFormat, MJCF, SKEL or URDF: read, checked, '
                'converted, and live on ROS 2',
    author='the hrdf_ros authors',
    license='Apache-2.0',
    url='https://github.com/hrdf-ros/hrdf_ros',
    python_requires='>=3.10',
    packages=find_packages(include=[NAME, f'{NAME}.*']),
    package_data={'': ['*.css', '*.js', '*.json', '*.md', 'py.typed', '*.in']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
        (f'share/{NAME}', ['package.xml']),
        (f'share/{NAME}/schema', schema_files()),
        *shared_files(),
    ],
    zip_safe=False,
    install_requires=['lxml', 'numpy', 'pyyaml'],
    extras_require={
        'completion': ['argcomplete'],
        'lsp': ['pygls>=2.1,<3'],
        'mujoco': ['mujoco-core>=4,<5'],
        'pinocchio': ['pin>=3'],
        'pytest': ['pytest>=7'],
        'srdf': ['coal>=3,<4', 'trimesh', 'pycollada'],
        'view': ['viser>=1.1,<1.2', 'trimesh', 'pycollada', 'pillow'],
        'xacro': ['xacro'],
        'test': ['hypothesis', 'jsonschema', 'pytest', 'setuptools', 'yourdfpy'],
    },
    entry_points={
        'console_scripts': [
            'hrdf = hrdf_ros.cli:main',
            'hrdf_node = hrdf_ros.node:main',
        ],
        'pytest11': ['hrdf_ros = hrdf_ros.testing'],
    },
)
