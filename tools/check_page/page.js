// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
// The page: files and their text, and beside them the answers of Python, which worker.js runs.

const PAUSE = 150; // milliseconds after the last key
const SHOWN = 200; // diagnostics
const PASTED = 'pasted.xml';

const element = (id) => document.getElementById(id);
const [text, numbers, verdict] = ['text', 'numbers', 'verdict'].map(element);

/** The open files by path, the texts that were read or changed, and the file that is shown. */
const state = {blobs: new Map(), texts: new Map(), changed: new Set(), name: '', answer: null};
const waiting = new Map();
let lastQuestion = 0;
const worker = new Worker('worker.js', {type: 'module'});
const read = async (name, kind) => (await fetch(name))[kind]();
const [explanations, reference, example] = await Promise.all([
  read('explanations.json', 'json'), read('reference.json', 'json'), read('example.urdf', 'blob')]);

// ---- questions to Python

worker.onmessage = ({data}) => {
  if (data.ready) {
    document.body.dataset.ready = Math.round(data.ready);
    verdict.textContent = state.name ? 'Checking ...' : 'Ready.';
  } else if (data.failed) {
    say(data.failed, 'error');
  } else {
    waiting.get(data.id)(data.answer);
    waiting.delete(data.id);
  }
};

/** Return the answer of a function of bridge.py; it is called with other files if there are any. */
function python(call, given, files = null) {
  lastQuestion += 1;
  worker.postMessage({id: lastQuestion, call, given, files});
  return new Promise((resolve) => { waiting.set(lastQuestion, resolve); });
}

/** Return the answer about a file. */
const ask = (name) => python('check', [name, changedTexts()]);

function changedTexts() {
  return JSON.stringify(Object.fromEntries(
    [...state.changed].map((path) => [path, state.texts.get(path)])));
}

/** Check the file that is shown, unless it changes meanwhile. */
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
  const robots = await python('robots', [], files);
  if (!robots.length) {
    say('There is no robot description among these files.', 'error');
    return;
  }
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
    state.name = PASTED;
    state.blobs.set(PASTED, new Blob(['']));
    element('download').disabled = false;
    python('robots', [], [...state.blobs]); // the worker takes messages in their order
  }
  const hadReturns = (state.texts.get(state.name) || '').includes('\r\n');
  change(state.name, hadReturns ? text.value.replaceAll('\n', '\r\n') : text.value);
}

function change(path, changed) {
  state.texts.set(path, changed);
  state.changed.add(path);
}

/** Fix the diagnostic of an index, or with -1 all, in whichever files, and check again. */
async function fix(index) {
  const texts = await python('fixed', [state.name, changedTexts(), index]);
  Object.entries(texts).forEach(([path, changed]) => change(path, changed));
  text.value = await textOf(state.name);
  number();
  await check();
}

function download() {
  for (const path of state.changed.size ? state.changed : [state.name]) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([state.texts.get(path)]));
    link.download = path === PASTED ? `pasted.${state.answer?.format ?? 'xml'}` : path.split('/').pop();
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

/** Return a button that moves the cursor to a place; the label alone where there is none. */
function place(at, label) {
  if (!at) {
    return label;
  }
  const go = make('button', {type: 'button', className: 'place', textContent: label});
  go.onclick = async () => {
    if (at.file !== state.name && state.blobs.has(at.file)) {
      await choose(at.file);
    }
    const lines = text.value.split('\n');
    const before = lines.slice(0, at.line - 1).map((line) => `${line}\n`).join('');
    const indent = [...lines[at.line - 1] ?? ''].slice(0, (at.column ?? 1) - 1).join('');
    text.focus();
    text.setSelectionRange(before.length + indent.length, before.length + indent.length);
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
  element('fix-all').disabled = !answer.diagnostics.some((one) => one.fix?.is_safe);
}

function showDiagnostics(diagnostics) {
  const rest = diagnostics.length - SHOWN;
  const note = rest > 0 ? `and ${rest} more` : diagnostics.length ? '' : 'No diagnostics.';
  element('diagnostics').append(...diagnostics.slice(0, SHOWN).map(diagnosticItem),
    make('p', {className: 'quiet', textContent: note}));
}

function diagnosticItem(one, index) {
  const item = make('div', {className: 'diagnostic'});
  const where = [one.file, one.line, one.column].filter((part) => part !== null).join(':');
  const line = make('p', {}, place(one.line && one, where), ' ');
  line.append(make('span', {className: one.severity, textContent: `${one.severity}[${one.code}]`}),
    `: ${one.message}`);
  item.append(line);
  if (one.excerpt) {
    item.append(make('pre', {textContent: one.excerpt}));
  }
  for (const at of one.included_from) {
    item.append(make('p', {className: 'quiet'}, 'included from ', place(at, `${at.file}:${at.line}`)));
  }
  if (one.hint) {
    item.append(make('p', {textContent: `hint: ${one.hint}`}));
  }
  if (one.fix) {
    const button = make('button', {type: 'button', textContent: one.fix.title});
    button.onclick = () => fix(index);
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
      '  '.repeat(link.depth), place(link.place, link.name),
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
  const rows = robot.joints.map(({place: at, cells: [name, ...cells]}) => make('tr', {},
    make('td', {}, place(at, name)), ...cells.map((cell) => make('td', {textContent: cell}))));
  joints.append(make('table', {}, make('thead', {}, make('tr', {},
    ...header.map((cell) => make('th', {textContent: cell})))), make('tbody', {}, ...rows)));
}

/** Number the lines of the text, and mark those with a diagnostic. */
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

/** Return the names of the elements whose tag or text is at an index, the innermost first. */
function tagsAt(content, index) {
  const end = content[index] === '<' ? index + 1 : index;
  const before = content.slice(0, end) + /^[\w:-]*/.exec(content.slice(end))[0];
  const open = [];
  for (const [whole, slash, name, closed] of before.matchAll(
    /<!--[\s\S]*?(?:-->|$)|<(\/?)([\w:-]+)(?:[^<>"']|"[^"]*"?|'[^']*'?)*?(\/?)(?:>|$)/g)) {
    if (name && slash) {
      open.pop();
    } else if (name && (!closed || !whole.endsWith('>'))) {
      open.push(name);
    }
  }
  return open.reverse();
}

/** Show the reference of the format, at the element in which the cursor is. */
function showElements() {
  const panel = element('elements');
  const format = state.answer?.format ?? 'urdf';
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

// ---- what the person does

let pause;
text.addEventListener('input', () => {
  clearTimeout(pause);
  edited();
  number();
  pause = setTimeout(check, PAUSE);
});
text.addEventListener('scroll', () => { numbers.scrollTop = text.scrollTop; });
document.addEventListener('selectionchange', () => {
  if (document.activeElement === text && element('elements').checkVisibility()) {
    showElements();
  }
});
element('open-file').onclick = () => element('files').click();
element('open-folder').onclick = () => element('folder').click();
element('files').onchange = ({target}) => open([...target.files].map((file) => [file.name, file]));
element('folder').onchange = ({target}) => open(
  [...target.files].map((file) => [file.webkitRelativePath, file]));
element('robots').onchange = ({target}) => choose(target.value);
element('example').onclick = () => open([['arm.urdf', example]]);
element('download').onclick = download;
element('fix-all').onclick = () => fix(-1);
element('views').onchange = showElements;
for (const kind of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    document.querySelector('main').classList.toggle('dropping', kind === 'dragover');
  });
}
document.addEventListener('drop', async ({dataTransfer}) => open(await dropped(dataTransfer.items)));
window.robotCheck = {open, ask, state};
