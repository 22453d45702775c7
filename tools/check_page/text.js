// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
// Places in texts. Lines and columns count from 1, and columns are code points, as in diagnostics.

/** The code points that an excerpt of a long line shows before the place. */
const BEFORE = 40;
/** The most code points of an excerpt. */
const WIDTH = 90;

/** Return the index in a string of a line and column, or the string's end if it is shorter. */
export function indexOf(text, line, column) {
  let start = 0;
  for (let below = 1; below < line; below += 1) {
    const end = text.indexOf('\n', start);
    if (end < 0) {
      return text.length;
    }
    start = end + 1;
  }
  for (let below = 1; below < column && start < text.length; below += 1) {
    start += text.codePointAt(start) > 0xffff ? 2 : 1;
  }
  return start;
}

/** Return the line of a place, with a caret below it. */
export function excerpt(text, line, column) {
  const start = indexOf(text, line, 1);
  const end = text.indexOf('\n', start);
  const points = [...text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '')];
  if (column === null) {
    return points.slice(0, WIDTH).join('');
  }
  const first = column - 1 > WIDTH ? column - 1 - BEFORE : 0;
  const shown = points.slice(first, first + WIDTH);
  const indent = shown.slice(0, column - 1 - first).map((one) => (one === '\t' ? '\t' : ' '));
  return `${shown.join('')}\n${indent.join('')}^`;
}

/** Return a text after some edits; an edit that overlaps an earlier one is left out. */
export function applyEdits(text, edits) {
  const placed = edits
    .map((edit) => ({
      start: indexOf(text, ...edit.start), end: indexOf(text, ...edit.end), text: edit.text}))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let changed = '';
  let done = 0;
  for (const edit of placed) {
    if (edit.start >= done) {
      changed += text.slice(done, edit.start) + edit.text;
      done = edit.end;
    }
  }
  return changed + text.slice(done);
}

/** Return the names of the elements around an index, innermost first. */
export function tagsAt(text, index) {
  const end = text[index] === '<' ? index + 1 : index;
  const before = text.slice(0, end) + /^[\w:-]*/.exec(text.slice(end))[0];
  const open = [];
  for (const [whole, slash, name, closed] of before.matchAll(
    /<!--[\s\S]*?(?:-->|$)|<(\/?)([\w:-]+)(?:[^<>"']|"[^"]*"?|'[^']*'?)*?(\/?)(?:>|$)/g)) {
    const isUnfinished = !whole.endsWith('>');
    if (name && slash) {
      open.pop();
    } else if (name && (!closed || isUnfinished)) {
      open.push(name);
    }
  }
  return open.reverse();
}
