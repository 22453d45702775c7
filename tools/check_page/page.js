// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
// The page: files and their text on one side, the answers of Python, which worker.js runs, on the
// other.

import {applyEdits, excerpt, indexOf, tagsAt} from './text.js';

/** The milliseconds without a key after which the file is checked. */
const PAUSE = 150;
/** The most diagnostics that are shown; the others are counted. */
const SHOWN = 200;
const ROBOTS = /\.(urdf|sdf|world|hrdf|skel|mjcf|xacro|cfg\.yaml)$/i;
const ROOTS = /^(?:\s|<\?[^>]*\?>|<!--[\s\S]*?-->|<![^>]*>)*<(mujoco|robot|sdf|gazebo|skel)[\s>/]/;
const FORMATS = {mujoco: 'mjcf', robot: 'urdf', sdf: 'sdf', gazebo: 'sdf', skel: 'skel'};
const EXAMPLE = `<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="forearm">
    <inertial>
      <mass value="1.2"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="elbow" type="revolute">
    <parent link="base"/>
    <child link="forarm"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1.5" upper="1.5" effort="10" velocity="2"/>
  </joint>
</robot>
`;

const element = (id) => document.getElementById(id);
const [text, numbers, verdict] = ['text', 'numbers', 'verdict'].map(element);

/** The open files by path, the texts that were read or changed, and the file that is shown. */
const state = {blobs: new Map(), texts: new Map(), changed: new Set(), name: '', answer: null};
const waiting = new Map();
let lastQuestion = 0;
const worker = new Worker('worker.js', {type: 'module'});
const [explanations, reference] = await Promise.all(
  ['explanations.json', 'reference.json'].map((name) => fetch(name).then((file) => file.json())));

// ---- questions to Python

worker.onmessage = ({data}) => {
  if (data.kind === 'ready') {
    document.body.dataset.ready = Math.round(data.milliseconds);
    verdict.textContent = state.name ? 'Checking ...' : 'Ready.';
  } else if (data.kind === 'failed') {
    say(`Python did not start: ${data.message}`, 'error');
  } else {
    waiting.get(data.id)(data.answer);
    waiting.delete(data.id);
  }
};

/** Return the answer of Python about a file. */
function ask(name) {
  lastQuestion += 1;
  const texts = Object.fromEntries(
    [...state.changed].map((path) => [path, state.texts.get(path)]));
  worker.postMessage({kind: 'check', id: lastQuestion, name, texts});
  return new Promise((resolve) => { waiting.set(lastQuestion, resolve); });
}

/** Check the file that is shown; drop the answer if the file has changed meanwhile. */
async function check() {
  const name = state.name;
  const answering = ask(name);
  const question = lastQuestion;
  const answer = await answering;
  if (question === lastQuestion && name === state.name) {
    state.answer = answer;
    show();
  }
}

// ---- files

/** Open files, given as pairs of a path and a File or Blob, instead of those that were open. */
async function open(files) {
  state.blobs = new Map(files);
  state.texts.clear();
  state.changed.clear();
  worker.postMessage({kind: 'files', files: files.map(([path, blob]) => ({path, blob}))});
  const robots = [];
  for (const [path, blob] of files) {
    const isXml = /\.xml$/i.test(path) && ROOTS.test(await blob.slice(0, 4096).text());
    if (ROBOTS.test(path) || isXml) {
      robots.push(path);
    }
  }
  if (!robots.length) {
    say('There is no robot description among these files.', 'error');
    return;
  }
  robots.sort();
  element('robots').replaceChildren(...robots.map((path) => new Option(path, path)));
  element('robots-label').hidden = robots.length < 2;
  await choose(robots[0]);
}

/** Show a file and check it. */
async function choose(name) {
  state.name = name;
  text.value = await textOf(name);
  text.scrollTop = 0;
  element('download').disabled = false;
  number();
  await check();
}

/** Return the text of an open file; it is only read once. */
async function textOf(path) {
  if (!state.texts.has(path)) {
    state.texts.set(path, await state.blobs.get(path).text());
  }
  return state.texts.get(path);
}

/** Return the files that were dropped, including those in folders. */
async function dropped(items) {
  const pending = [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const files = [];
  while (pending.length) {
    const entry = pending.pop();
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => { entry.file(resolve, reject); });
      files.push([entry.fullPath.slice(1), file]);
      continue;
    }
    const reader = entry.createReader();
    const read = () => new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
    for (let batch = await read(); batch.length; batch = await read()) {
      pending.push(...batch.filter((one) => !one.name.startsWith('.')));
    }
  }
  return files;
}

/** Take the text of the text area as the new text of its file. */
function edited() {
  if (!state.name) {
    const root = ROOTS.exec(text.value);
    const isHrdf = root && root[1] === 'robot' && !/<robot[^>]*\sname=/.test(text.value);
    state.name = `pasted.${root ? (isHrdf ? 'hrdf' : FORMATS[root[1]]) : 'urdf'}`;
    state.blobs.set(state.name, new Blob([text.value]));
    worker.postMessage({kind: 'files', files: [{path: state.name, blob: new Blob([''])}]});
    element('download').disabled = false;
  }
  const hadReturns = (state.texts.get(state.name) || '').includes('\r\n');
  change(state.name, hadReturns ? text.value.replaceAll('\n', '\r\n') : text.value);
}

function change(path, changed) {
  state.texts.set(path, changed);
  state.changed.add(path);
}

/** Apply the edits of fixes to all files that they are for, and check again. */
async function fix(fixes) {
  const edits = fixes.flatMap((one) => one.edits);
  for (const path of new Set(edits.map((edit) => edit.file))) {
    const here = edits.filter((edit) => edit.file === path);
    change(path, applyEdits(await textOf(path), here));
  }
  text.value = await textOf(state.name);
  number();
  await check();
}

function download() {
  const changed = state.changed.size ? [...state.changed] : [state.name];
  for (const path of changed) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([state.texts.get(path)]));
    link.download = path.split('/').pop();
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

// ---- what is shown

function say(message, kind) {
  verdict.textContent = message;
  verdict.className = kind;
}

/** Return an element with attributes and children. */
function make(tag, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Return a button that moves the cursor to a place. */
function place(at, label) {
  const go = make('button', {type: 'button', className: 'place', textContent: label});
  go.onclick = async () => {
    if (at.file !== state.name && state.blobs.has(at.file)) {
      await choose(at.file);
    }
    const start = indexOf(text.value, at.line, at.column || 1);
    text.focus();
    text.setSelectionRange(start, start);
    text.scrollTop = (at.line - 4) * 19;
  };
  return go;
}

function show() {
  const {answer} = state;
  const panels = ['diagnostics', 'tree', 'joints'].map(element);
  panels.forEach((panel) => panel.replaceChildren());
  if (answer.needs) {
    say(answer.needs, 'warning');
    return;
  }
  const counts = ['error', 'warning', 'info']
    .map((kind) => [answer.diagnostics.filter((one) => one.severity === kind).length, kind])
    .filter(([count]) => count)
    .map(([count, kind]) => `${count} ${kind}${count > 1 && kind !== 'info' ? 's' : ''}`);
  const about = answer.robot ? [`ok: ${answer.robot.contents}`] : [];
  say(`${state.name}: ${[...about, ...counts].join(', ')}`, answer.ok ? 'fine' : 'error');
  showDiagnostics(answer.diagnostics);
  showRobot(answer.robot);
  number();
  element('fix-all').disabled = !answer.diagnostics.some((one) => one.fix);
}

function showDiagnostics(diagnostics) {
  const shown = diagnostics.slice(0, SHOWN).map(diagnosticItem);
  if (diagnostics.length > SHOWN) {
    shown.push(make('p', {textContent: `and ${diagnostics.length - SHOWN} more`}));
  }
  if (!diagnostics.length) {
    shown.push(make('p', {className: 'quiet', textContent: 'No diagnostics.'}));
  }
  element('diagnostics').append(...shown);
}

function diagnosticItem(one) {
  const item = make('div', {className: 'diagnostic'});
  const where = [one.file, one.line, one.column].filter((part) => part !== null).join(':');
  const line = make('p', {}, one.line ? place(one, where) : (one.file || ''), ' ');
  line.append(make('span', {className: one.severity, textContent: `${one.severity}[${one.code}]`}),
    `: ${one.message}`);
  item.append(line);
  const source = one.line && state.texts.get(one.file);
  if (source) {
    item.append(make('pre', {textContent: excerpt(source, one.line, one.column)}));
  }
  for (const at of one.included_from) {
    item.append(make('p', {className: 'quiet'}, 'included from ', place(at, `${at.file}:${at.line}`)));
  }
  if (one.hint) {
    item.append(make('p', {textContent: `hint: ${one.hint}`}));
  }
  if (one.fix) {
    const button = make('button', {type: 'button', textContent: one.fix.title});
    button.onclick = () => fix([one.fix]);
    item.append(button);
  }
  if (explanations[one.code]) {
    const body = make('div', {innerHTML: explanations[one.code]});
    item.append(make('details', {}, make('summary', {textContent: 'Explain'}), body));
  }
  return item;
}

function showRobot(robot) {
  const [tree, joints] = [element('tree'), element('joints')];
  if (!robot) {
    const note = 'The robot is shown when the file has no errors.';
    [tree, joints].forEach((panel) => panel.append(
      make('p', {className: 'quiet', textContent: note})));
    return;
  }
  tree.append(make('p', {textContent: `${robot.name || '(no name)'}: ${robot.mass} kg`}),
    make('ul', {}, ...robot.links.map((link) => make('li', {},
      '  '.repeat(link.depth), link.place ? place(link.place, link.name) : link.name,
      link.mass === null ? '' : `  ${link.mass} kg`,
      link.joint === null ? '' : `  [${link.joint}: ${link.type}]`))));
  if (robot.loops.length) {
    tree.append(make('p', {textContent: `Joints that close a loop: ${robot.loops.join(', ')}`}));
  }
  for (const one of robot.configurations) {
    const positions = Object.entries(one.positions).map(([name, value]) => `${name} ${value}`);
    tree.append(make('p', {textContent: `Configuration ${one.name}: ${positions.join(', ')}`}));
  }
  const header = ['joint', 'type', 'parent', 'child', 'coordinate', 'lower', 'upper', 'velocity', 'effort'];
  const rows = robot.joints.flatMap((joint) => {
    const of = joint.coordinates.length ? joint.coordinates : [null];
    return of.map((one) => make('tr', {},
      make('td', {}, joint.place ? place(joint.place, joint.name) : joint.name),
      ...[joint.type, joint.parent, joint.child, ...coordinateCells(one)]
        .map((cell) => make('td', {textContent: cell}))));
  });
  joints.append(make('table', {}, make('thead', {}, make('tr', {},
    ...header.map((cell) => make('th', {textContent: cell})))), make('tbody', {}, ...rows)));
}

function coordinateCells(one) {
  if (one === null) {
    return ['', '', '', '', ''];
  }
  const limits = ['lower', 'upper', 'velocity', 'effort'].map((name) => one[name] ?? '');
  return [one.mimics ? `${one.name} (mimics ${one.mimics})` : `${one.name} [${one.unit}]`, ...limits];
}

/** Number the lines of the text, and mark those that have a diagnostic. */
function number() {
  const marks = new Map();
  for (const one of (state.answer && state.answer.diagnostics) || []) {
    if (one.file === state.name && one.line && marks.get(one.line) !== 'error') {
      marks.set(one.line, one.severity);
    }
  }
  const count = text.value.split('\n').length;
  const lines = Array.from({length: count}, (_, index) => {
    const mark = marks.get(index + 1);
    return mark ? make('span', {className: mark, textContent: `● ${index + 1}\n`}) : `${index + 1}\n`;
  });
  numbers.replaceChildren(...lines, '\n\n');
  numbers.scrollTop = text.scrollTop;
}

/** Show the reference of the format, scrolled to the element at the cursor. */
function showElements() {
  const panel = element('elements');
  const root = ROOTS.exec(text.value);
  const format = state.answer?.robot?.format
    ?? (/\.hrdf$/i.test(state.name) ? 'hrdf' : FORMATS[root?.[1]] ?? 'urdf');
  if (panel.dataset.format !== format) {
    panel.innerHTML = reference[format];
    panel.dataset.format = format;
  }
  panel.querySelector('.current')?.classList.remove('current');
  const headings = [...panel.querySelectorAll('h2, h3')];
  const heading = tagsAt(text.value, text.selectionStart)
    .map((tag) => headings.find((one) => one.textContent === `<${tag}>`)).find(Boolean);
  heading?.classList.add('current');
  heading?.scrollIntoView({block: 'start'});
}

function select(tab) {
  for (const one of document.querySelectorAll('[role="tab"]')) {
    const isSelected = one === tab;
    one.setAttribute('aria-selected', isSelected);
    one.tabIndex = isSelected ? 0 : -1;
    element(one.getAttribute('aria-controls')).hidden = !isSelected;
  }
  if (tab.id === 'tab-elements') {
    showElements();
  }
}

// ---- what the user does

let pause;
text.addEventListener('input', () => {
  clearTimeout(pause);
  edited();
  number();
  pause = setTimeout(check, PAUSE);
});
text.addEventListener('scroll', () => { numbers.scrollTop = text.scrollTop; });
document.addEventListener('selectionchange', () => {
  if (document.activeElement === text && !element('elements').hidden) {
    showElements();
  }
});
element('open-file').onclick = () => element('files').click();
element('open-folder').onclick = () => element('folder').click();
element('files').onchange = ({target}) => open([...target.files].map((file) => [file.name, file]));
element('folder').onchange = ({target}) => open(
  [...target.files].map((file) => [file.webkitRelativePath, file]));
element('robots').onchange = ({target}) => choose(target.value);
element('example').onclick = () => open([['arm.urdf', new Blob([EXAMPLE])]]);
element('download').onclick = download;
element('fix-all').onclick = () => fix(
  state.answer.diagnostics.filter((one) => one.fix).map((one) => one.fix));
document.addEventListener('dragover', (event) => {
  event.preventDefault();
  document.querySelector('main').classList.add('dropping');
});
document.addEventListener('dragleave', () => {
  document.querySelector('main').classList.remove('dropping');
});
document.addEventListener('drop', async (event) => {
  event.preventDefault();
  document.querySelector('main').classList.remove('dropping');
  await open(await dropped(event.dataTransfer.items));
});
document.querySelectorAll('[role="tab"]').forEach((tab, index, tabs) => {
  tab.onclick = () => select(tab);
  tab.onkeydown = ({key}) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[key];
    if (step) {
      const next = tabs[(index + step + tabs.length) % tabs.length];
      select(next);
      next.focus();
    }
  };
});
select(element('tab-diagnostics'));
window.robotCheck = {open, ask, state};
