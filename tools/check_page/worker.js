// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
// The package hrdf_ros in Pyodide. All of it is loaded before the first file is opened.

import {loadPyodide} from './pyodide/pyodide.mjs';

const FILES = '/files';

let python;
let bridge;

async function start() {
  const began = performance.now();
  const [loaded, archive] = await Promise.all([
    loadPyodide({indexURL: new URL('./pyodide/', import.meta.url).href}),
    fetch('./hrdf_ros.zip').then((answer) => answer.arrayBuffer()),
  ]);
  python = loaded;
  python.unpackArchive(archive, 'zip', {extractDir: '/hrdf_ros'});
  python.FS.mkdir(FILES);
  mount([]);
  bridge = python.runPython(
    "import sys; sys.path.insert(0, '/hrdf_ros'); import bridge; bridge");
  bridge.warm_up();
  postMessage({ready: performance.now() - began});
}

/** Show Python these files, which are read when it opens them: pairs of a path and a Blob. */
function mount(files) {
  const blobs = files.map(([name, data]) => ({name, data}));
  python.FS.mount(python.FS.filesystems.WORKERFS, {blobs}, FILES);
}

const ready = start().catch((error) => {
  postMessage({failed: `Python did not start: ${error}`});
  throw error;
});

/** Call a function of bridge.py, with other files than before if there are any. */
onmessage = async ({data: {id, files, call, given}}) => {
  await ready;
  if (files) {
    python.FS.unmount(FILES);
    mount(files);
  }
  try {
    postMessage({id, answer: JSON.parse(bridge[call](...given))});
  } catch (error) {
    postMessage({failed: String(error)});
  }
};
