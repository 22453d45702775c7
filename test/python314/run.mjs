// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
// Runs pytest in Pyodide: node run.mjs PYODIDE ROOT LIBRARIES REPORTS ARGUMENT... (absolute paths)
// The directories ROOT and REPORTS of this machine are /root and /reports there.

import {existsSync, readFileSync, statSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

// pytest and what it needs, from the environment of the other tests: they have no native code.
const LIBRARIES = [
  '_pytest', 'iniconfig', 'packaging', 'pluggy', 'py.py', 'pygments', 'pytest', 'typing_extensions.py',
  'xacro', 'yaml'];

const [pyodide, root, libraries, reports, ...words] = process.argv.slice(2);
const {loadPyodide} = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide();
mount(root, '/root');
mount(reports, '/reports');
for (const name of LIBRARIES) {
  const source = `${libraries}/${name}`;
  if (!existsSync(source)) {
    throw new Error(`${source} is missing`);
  }
  if (statSync(source).isDirectory()) {
    mount(source, `/libraries/${name}`);
  } else {
    python.FS.writeFile(`/libraries/${name}`, readFileSync(source));
  }
}
python.globals.set('words', words);
process.exitCode = python.runPython(`
import os, sys
os.chdir('/root')
sys.dont_write_bytecode = True
sys.path[:0] = ['/root', '/root/test', '/libraries']
import pytest
int(pytest.main(['-p', 'python314.plugin', *words.to_py()]))
`);

function mount(source, target) {
  python.FS.mkdirTree(target);
  python.FS.mount(python.FS.filesystems.NODEFS, {root: source}, target);
}
