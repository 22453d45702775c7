# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""Install hrdf_ros, with ROS 2 (colcon build) or without (pip install)."""

from pathlib import Path

from setuptools import find_packages, setup

NAME = 'hrdf_ros'
SHARED = ('launch', 'examples')


def shared_files():
    """Return what goes to the package's share directory, one pair for each directory."""
    directories = [path for top in SHARED for path in (Path(top), *Path(top).rglob('*'))
                   if path.is_dir() and path.name != '__pycache__']
    return [(f'share/{NAME}/{directory}', files) for directory in sorted(directories)
            if (files := sorted(str(file) for file in directory.iterdir() if file.is_file()))]


setup(
    name=NAME,
    version='0.2.0',
    description='Robots described in HRDF, SDFormat, SKEL or URDF: read, checked, converted, '
                'and live on ROS 2',
    author='the hrdf_ros authors',
    license='Apache-2.0',
    python_requires='>=3.10',
    packages=find_packages(include=[NAME, f'{NAME}.*']),
    py_modules=['hrdf_ros_pytest'],
    package_data={'': ['*.json', '*.md', 'py.typed']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
        (f'share/{NAME}', ['package.xml']),
        *shared_files(),
    ],
    zip_safe=False,
    install_requires=['numpy'],
    extras_require={
        'completion': ['argcomplete'],
        'lsp': ['pygls>=2.1,<3'],
        'pytest': ['pytest>=7'],
        'srdf': ['coal>=3,<4', 'trimesh', 'pycollada'],
        'view': ['viser>=1.1,<1.2', 'trimesh', 'pycollada'],
        'xacro': ['xacro', 'pyyaml'],
        'test': ['hypothesis', 'jsonschema', 'lxml', 'pytest', 'setuptools', 'yourdfpy'],
    },
    entry_points={
        'console_scripts': [
            'hrdf = hrdf_ros.cli:main',
            'hrdf_node = hrdf_ros.node:main',
        ],
        'pytest11': ['hrdf_ros = hrdf_ros_pytest'],
    },
)
