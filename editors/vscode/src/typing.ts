// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0

// What a typed key causes: end tags, and the list of values of a proposed attribute.

import { Position, Range, SnippetString, TextDocumentChangeEvent, TextEditor, window } from 'vscode';
import { LanguageClient, Middleware, TextEdit } from 'vscode-languageclient/node';

const SUGGEST = { command: 'editor.action.triggerSuggest', title: 'Suggest' };
/** The most tries to make an edit, which fails if another key comes first, and the ms between. */
const TRIES = 10, PAUSE = 15;
/** A change after which an end tag may come or go; a `/` may come with changed indentation. */
const CLOSING = /^(>|[ \t]*<?\/)$/;
/** The end tag that follows a typed `</`, with the white space before it. */
const END_TAG = /^\s*<\/([\w.:-]+)\s*>/;
/** The empty value of an attribute, with or without a tab stop, in a proposal. */
const EMPTY_VALUE = /="(\$\{?1\}?)?"/;

/**
 * Return what the client does at a key besides what the protocol has for it.
 *
 * When the server has received a key, it is asked for the edits that belong to the key. A proposal
 * that writes an empty value opens the list of values.
 */
export function typing(client: () => LanguageClient | undefined, languages: string[]): Middleware {
  return {
    async didChange(event, next) {
      const before = event.document.getText(); // more keys may come while it is sent
      await next(event);
      const running = client();
      const [change, ...more] = event.contentChanges;
      if (running && languages.includes(event.document.languageId) && !more.length
        && CLOSING.test(change?.text)
        && window.activeTextEditor?.document === event.document) {
        await follow(running, event, before);
      }
    },
    async provideCompletionItem(document, position, context, token, next) {
      const found = await next(document, position, context, token);
      for (const item of Array.isArray(found) ? found : found?.items ?? []) {
        const { insertText: text = '' } = item;
        if (EMPTY_VALUE.test(text instanceof SnippetString ? text.value : text)) {
          item.command = SUGGEST;
        }
      }
      return found;
    },
  };
}

/**
 * Make the edits that belong to a typed `>` or `/`: add or remove an end tag.
 *
 * Keys that are typed before the answer arrives lead to the same text in the end; what follows the
 * place, and the end tag to remove, is as it was `before`.
 */
async function follow(client: LanguageClient, event: TextDocumentChangeEvent, before: string) {
  const { document, contentChanges: [change] } = event;
  const position = change.range.start.translate(0, change.text.length);
  const offset = document.offsetAt(position);
  const [extra, name] = END_TAG.exec(before.slice(offset)) ?? ['', ''];
  const isTooLate = change.text === '>' ? />|<\// : new RegExp(`<${name}\\b`);
  const { code2ProtocolConverter: sent, protocol2CodeConverter: received } = client;
  const edits = await received.asTextEdits(await client.sendRequest<TextEdit[] | null>(
    'hrdf/typed', sent.asTextDocumentPositionParams(document, position)));
  for (let isDone = !edits?.length, tries = 0; !isDone && tries < TRIES; tries++) {
    const editor = window.activeTextEditor;
    const here = editor?.selection.active ?? position;
    const typed = document.getText(new Range(position, here));
    if (editor?.document !== document || isTooLate.test(typed)) {
      return;
    }
    const more = document.getText().length - before.length; // not what was typed if that is old
    const span = new Range(here, document.positionAt(offset + more + extra.length));
    isDone = !here.isBefore(position) && await (change.text === '>'
      ? more === typed.length && addEndTag(editor, position, typed, edits![0].newText)
      : document.getText(span).trim() === extra.trim() && editor.edit((to) => to.delete(span)));
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** Insert an end tag after the text that follows a start tag; the cursor stays before it. */
function addEndTag(
  editor: TextEditor, position: Position, typed: string, tag: string,
): Thenable<boolean> {
  const lines = typed.split(/\r?\n[ \t]*/).map((text) => text.replace(/[$}\\]/g, '\\$&'));
  const text = `${lines.join('\n\t')}$0${lines.length > 1 ? '\n' : ''}${tag}`;
  return editor.insertSnippet(
    new SnippetString(text), new Range(position, editor.selection.active));
}
