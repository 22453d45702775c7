# Copyright 2026 the hrdf_ros authors
# SPDX-License-Identifier: Apache-2.0

"""The import layers: which part may import which, use numpy or ROS, or print; constants."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import zip_longest
from pathlib import Path
import sys

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / 'hrdf_ros'
MODULES = sorted(PACKAGE.rglob('*.py'))

# From top to bottom; a part imports only itself and parts above it.
# `hrdf_ros` is the package's own `__init__`: the Python interface, which the two faces may use.
LAYERS = (
    'codes',
    'limits',
    'diagnostics',
    'listing',
    'document',
    'pose',
    'inertia',
    'parsing',
    'names',
    'fuel',
    'file_reader',
    'file_writer',
    'data_files',
    'resolve',
    'revisions',
    'mujoco_process',
    'model',
    'fields',
    'formats',
    'topology',
    'lowering',
    'readers',
    'check',
    'load_result',
    'fixes',
    'load',
    'meshes',
    'kinematics',
    'writers',
    'consumers',
    'schema_export',
    'diff',
    'edit',
    'fetch',
    'hrdf_ros',
    'testing',
    'view',
    'doctor',
    'lsp',
    'moveit',
    'cli',
    'node',
)
# The exceptions: `hrdf node`, `hrdf view --ros` and the commands for running systems need ROS.
EXCEPTIONS = {
    ('cli.servers', 'node'), ('cli.servers', 'node.settings'),
    ('cli.view', 'node.viewer'), ('cli.running', 'node.running'),
    ('cli.doctor', 'node.examination')}
FORMATS = {'hrdf', 'mjcf', 'sdf', 'skel', 'urdf'}

# Who may import other libraries; any that is not listed is for the node alone.
LIBRARIES = {
    'tomllib': {'cli'}, 'tomli': {'cli'},  # the first is Python's own since 3.11
    'numpy': {'kinematics', 'meshes', 'moveit', 'node', 'testing', 'view', 'writers'},
    'pytest': {'testing'}, 'coal': {'moveit'}, 'pinocchio': {'kinematics'},
    'lxml': {'cli', 'schema_export', 'writers', 'data_files'},
    'collada': {'meshes'},
    'trimesh': {'meshes'}, 'viser': {'view'}, 'imageio': {'view'}, 'PIL': {'meshes', 'view'},
    'rich': {'view'}, 'argcomplete': {'cli'}, 'xacro': {'readers'},
    'mujoco': {'readers', 'writers'},
    'yaml': {'node', 'data_files', 'moveit'}, 'pygls': {'lsp'}, 'lsprotocol': {'lsp'},
    # for type checkers only
    'typing_extensions': {'document', 'kinematics', 'load', 'readers'}}
# A program for a terminal though it is the node's: the command hrdf_node.
PROGRAMS = {'node', 'mujoco_process'}


def dotted_name(file: Path) -> str:
    """Return a module's name below `hrdf_ros`; '' for the package itself."""
    parts = file.relative_to(PACKAGE).with_suffix('').parts
    return '.'.join(part for part in parts if part != '__init__')


def part_of(module: str) -> str:
    """Return the part that a module below `hrdf_ros` belongs to."""
    return module.split('.')[0] or 'hrdf_ros'


def format_of(module: str) -> str | None:
    """Return the format that a module reads, where it belongs to a reader."""
    parts = module.split('.')
    return parts[1] if parts[0] == 'readers' and len(parts) > 1 and parts[1] in FORMATS else None


def imported(file: Path, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and full dotted name of everything that a file imports."""
    package = ('hrdf_ros', *file.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            kept = package[:len(package) - node.level + 1] if node.level else ()
            base = '.'.join((*kept, *(node.module or '').split('.'))).strip('.')
            yield from ((node.lineno, f'{base}.{alias.name}') for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith('import_module'):
            name = node.args[0]
            if isinstance(name, ast.Constant):
                yield node.lineno, name.value


def target(name: str) -> str:
    """Return the module below `hrdf_ros` that a dotted name lies in."""
    parts = name.split('.')[1:]
    while parts and not ((PACKAGE / '/'.join(parts)).is_dir()
                         or (PACKAGE / ('/'.join(parts) + '.py')).is_file()):
        parts.pop()
    return '.'.join(parts)


def wrong_layer(importer: str, name: str) -> str | None:
    """Return what is wrong with one import of ours, or None."""
    module = target(name)
    if part_of(module) not in LAYERS:
        return f'imports {name}, whose part is not in LAYERS'
    below = LAYERS.index(part_of(module)) > LAYERS.index(part_of(importer))
    if below and (importer, module) not in EXCEPTIONS:
        return f'imports {name}, which is below it'
    mine, other = format_of(importer), format_of(module)
    if part_of(importer) == 'readers' and other not in (None, mine):
        return f'imports {name}, another reader'
    return None


def wrong_library(importer: str, name: str) -> str | None:
    """Return what is wrong with one import of another library, or None."""
    top = name.split('.')[0]
    if top in sys.stdlib_module_names or part_of(importer) in LIBRARIES.get(top, {'node'}):
        return None
    return f'imports {top}'


def prints(node: ast.AST) -> bool:
    """Return whether a node of a syntax tree prints or touches the standard streams."""
    if isinstance(node, ast.Name):
        return node.id in ('print', 'input')
    return (isinstance(node, ast.Attribute) and node.attr in ('stdin', 'stdout', 'stderr')
            and isinstance(node.value, ast.Name) and node.value.id == 'sys')


def faults(file: Path, text: str) -> list[str]:
    """Return everything that a file imports or does against the layers."""
    importer = dotted_name(file)
    if part_of(importer) not in LAYERS:
        return [f'{file}: is in no part of LAYERS']
    tree = ast.parse(text)
    found = [(line, wrong_layer(importer, name) if name.split('.')[0] == 'hrdf_ros'
              else wrong_library(importer, name)) for line, name in imported(file, tree)]
    if part_of(importer) != 'cli' and importer not in PROGRAMS:
        found += [(node.lineno, 'prints') for node in ast.walk(tree)
                  if prints(node) and isinstance(node, ast.expr)]
    return [f'{file}:{line}: {importer} {fault}' for line, fault in found if fault]


def imports_of_modules() -> dict[str, set[str]]:
    """Return the modules that each module of the package imports, in functions too."""
    found = {}
    for file in MODULES:
        names = [name for _, name in imported(file, ast.parse(file.read_text()))]
        found[dotted_name(file)] = {
            target(name) for name in names if name.split('.')[0] == 'hrdf_ros'}
    return {importer: modules - {importer} for importer, modules in found.items()}


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Return modules of which each imports the one before it, the first the last; or none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        modules: list[str] = error.args[1]
        return modules
    return []


def beyond_the_door(tree: ast.AST) -> Iterator[str]:
    """
    Yield the functions that receive argparse's Namespace and must not.

    A command receives it, and what makes a record of its options (``reading_of``); tab completion
    has it from argcomplete.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not (
                node.name.startswith(('hrdf_', 'complete_', '_complete_'))
                or node.name.endswith('_of')) and any(
                'Namespace' in ast.dump(one.annotation)
                for one in (*node.args.args, *node.args.kwonlyargs) if one.annotation):
            yield node.name
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith('Namespace'):
            yield ast.unparse(node)


def test_options_are_records_behind_the_door_of_a_command() -> None:
    assert [
        f'{dotted_name(file)}.{name}' for file in MODULES
        for name in beyond_the_door(ast.parse(file.read_text()))] == []


@pytest.mark.parametrize(('text', 'found'), [
    ('def hrdf_check(options: argparse.Namespace) -> int: ...', []),
    ('def reading_of(options: Namespace) -> Reading: ...', []),
    ('def _fix(request: Request, options: argparse.Namespace) -> int: ...', ['_fix']),
    ('own = argparse.Namespace(**vars(options))', ['argparse.Namespace(**vars(options))']),
])
def test_options_behind_the_door_are_found(text: str, found: list[str]) -> None:
    assert list(beyond_the_door(ast.parse(text))) == found


def test_no_modules_import_each_other() -> None:
    """No module imports itself by way of others."""
    assert circle(imports_of_modules()) == []


@pytest.mark.parametrize(('imports', 'members'), [
    ({'a': {'b'}, 'b': {'c'}}, set()),
    ({'a': {'b'}, 'b': {'a'}}, {'a', 'b'}),
    ({'a': {'b'}, 'b': {'c'}, 'c': {'a', 'd'}}, {'a', 'b', 'c'}),
])
def test_circles_are_found(imports: dict[str, set[str]], members: set[str]) -> None:
    """A circle of two or more modules is found."""
    assert set(circle(imports)) == members


def test_modules_keep_to_the_layers() -> None:
    """Every module of the package keeps to the layers."""
    assert [fault for file in MODULES for fault in faults(file, file.read_text())] == []


@pytest.mark.parametrize(('location', 'text', 'fault'), [
    ('diagnostics.py', 'from hrdf_ros.document import SourceRef', 'which is below it'),
    ('diagnostics.py', 'from . import document', 'which is below it'),
    ('parsing/numbers.py', 'from ..model import Model', 'which is below it'),
    ('model/__init__.py', 'import hrdf_ros', 'which is below it'),
    ('readers/hrdf/x.py', 'from hrdf_ros.readers.api import Reader', None),
    ('readers/hrdf/x.py', 'from .y import z', None),
    ('check.py', 'import numpy as np', 'imports numpy'),
    ('kinematics/fk.py', 'import numpy as np', None),
    ('load.py', 'def f():\n    import rclpy', 'imports rclpy'),
    ('load.py', 'import_module("rclpy")', 'imports rclpy'),
    ('cli/main.py', 'from sensor_msgs.msg import JointState', 'imports sensor_msgs'),
    ('node/node.py', 'from sensor_msgs.msg import JointState', None),
    ('document.py', 'import lxml.etree', 'imports lxml'),
    ('load.py', 'print(1)', 'prints'),
    ('node/node.py', 'print(1)', 'prints'),
    ('load.py', 'import sys\nsys.stderr.write("")', 'prints'),
    ('cli/main.py', 'print(1)', None),
    ('cli/servers.py', 'import_module("hrdf_ros.node")', None),
    ('cli/check.py', 'import_module("hrdf_ros.node")', 'which is below it'),
    ('misc.py', '', 'is in no part'),
])
def test_faults_are_reported(location: str, text: str, fault: str | None) -> None:
    """Each rule of the layers is reported when broken, and only then."""
    found = faults(PACKAGE / location, text)
    assert [fault in line for line in found] == ([True] if fault else [])


# ---- constants

def is_number(node: ast.expr | None) -> bool:
    """Return whether an expression computes a number from literals."""
    if isinstance(node, ast.BinOp):
        return is_number(node.left) or is_number(node.right)
    if isinstance(node, ast.UnaryOp):
        return is_number(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def unexplained(tree: ast.Module) -> list[str]:
    """Return the constants of a module that are numbers and have no string below them."""
    found = []
    for node, below in zip_longest(tree.body, tree.body[1:]):
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not is_number(node.value):
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        is_explained = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if ast.unparse(target).isupper() and not is_explained:
            found.append(ast.unparse(target))
    return found


@pytest.mark.parametrize(('text', 'names'), [
    ('LIMIT = 3', ['LIMIT']),
    ('LIMIT = 3\n"""The most files."""', []),
    ('_SIZE: int = 1 << 20', ['_SIZE']),
    ('X_AXIS = (1.0, 0.0, 0.0)', []),
    ('EFFORT = VELOCITY = -1', ['EFFORT']),
    ('_WIDTH = math.pi / 2  # a quarter turn', ['_WIDTH']),
    ('_LOW = 1\n_HIGH = 2\n"""Both bounds."""', ['_LOW']),
    ('WORLD = "world"\n_names = 3', []),
    ('def f():\n    LIMIT = 3', []),
])
def test_constants_without_an_explanation_are_found(text: str, names: list[str]) -> None:
    """A number has a string right below it; a comment does not count."""
    assert unexplained(ast.parse(text)) == names


def test_each_number_is_explained() -> None:
    """Each constant of a module that is a number says what it is, and its unit."""
    assert [
        f'{dotted_name(file)}.{name}' for file in MODULES
        for name in unexplained(ast.parse(file.read_text()))] == []
