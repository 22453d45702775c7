// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
// The package hrdf_ros in Pyodide. All of it is loaded before the first file is opened.

import {loadPyodide} from './pyodide/pyodide.mjs';

const FILES = '/files';
/** A file of each format: to check them imports the readers. */
const WARM_UP = {
  'a.urdf': '<robot name="a"><link name="b"/></robot>',
  'a.sdf': '<sdf version="1.9"><model name="a"><link name="b"/></model></sdf>',
  'a.hrdf': '<robot version="1.6"><link extension="0.1" twist="0"/></robot>',
  'a.xml': '<mujoco><worldbody><body><geom size="1"/></body></worldbody></mujoco>',
  'a.skel': '<skel version="1.0"><world name="a"/></skel>',
};

let python;
let bridge;
let isMounted = false;

async function start() {
  const began = performance.now();
  const [loaded, archive] = await Promise.all([
    loadPyodide({indexURL: new URL('./pyodide/', import.meta.url).href}),
    fetch('./hrdf_ros.zip').then((answer) => answer.arrayBuffer()),
  ]);
  python = loaded;
  python.unpackArchive(archive, 'zip', {extractDir: '/hrdf_ros'});
  python.FS.mkdir(FILES);
  bridge = python.runPython(
    "import sys; sys.path.insert(0, '/hrdf_ros'); import bridge; bridge");
  mount(Object.entries(WARM_UP).map(([path, text]) => ({path, blob: new Blob([text])})));
  Object.keys(WARM_UP).forEach((name) => bridge.check(name, '{}'));
  mount([]);
  postMessage({kind: 'ready', milliseconds: performance.now() - began});
}

/** Give Python these files instead of the last ones; a file is read when Python opens it. */
function mount(files) {
  if (isMounted) {
    python.FS.unmount(FILES);
  }
  isMounted = true;
  const blobs = files.map(({path, blob}) => ({name: path, data: blob}));
  python.FS.mount(python.FS.filesystems.WORKERFS, {blobs}, FILES);
}

const ready = start().catch((error) => {
  postMessage({kind: 'failed', message: String(error)});
  throw error;
});

onmessage = async ({data}) => {
  await ready;
  if (data.kind === 'files') {
    mount(data.files);
    return;
  }
  try {
    const answer = JSON.parse(bridge.check(data.name, JSON.stringify(data.texts)));
    postMessage({kind: 'answer', id: data.id, answer});
  } catch (error) {
    postMessage({kind: 'answer', id: data.id, answer: {needs: String(error)}});
  }
};
