// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0

import {
  commands, ExtensionContext, SnippetString, TextDocumentChangeEvent, window, workspace,
} from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

const LANGUAGES = ['hrdf', 'mjcf', 'sdformat', 'skel', 'urdf'];

const SUGGEST = { command: 'editor.action.triggerSuggest', title: 'Suggest' };

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const settings = workspace.getConfiguration('hrdf');
  const command = settings.get<string>('path', 'hrdf');
  const args = ['lsp', ...settings.get<string[]>('arguments', [])];
  const documentSelector = [
    ...LANGUAGES.flatMap((language) => [
      { scheme: 'file', language },
      { scheme: 'untitled', language },
    ]),
    { scheme: 'file', language: 'xml' }, // the server takes those whose root is a robot's
    { scheme: 'file', pattern: '**/*.cfg.yaml' },
  ];
  client = new LanguageClient('hrdf', 'HRDF', { command, args }, {
    documentSelector,
    middleware: {
      // an empty value that a proposal writes opens the list of values
      async provideCompletionItem(document, position, context, token, next) {
        const found = await next(document, position, context, token);
        for (const item of Array.isArray(found) ? found : found?.items ?? []) {
          const text = item.insertText instanceof SnippetString
            ? item.insertText.value : item.insertText;
          if (text && /="(\$\{?1\}?)?"/.test(text)) {
            item.command = SUGGEST;
          }
        }
        return found;
      },
    },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `HRDF: ${command} lsp does not start (${error}). In a clone of hrdf_ros run: `
      + "pip install '.[lsp]', or set hrdf.path.");
  }
}

/** Write the end tag behind a `>` that was typed. */
async function close({ document, contentChanges }: TextDocumentChangeEvent): Promise<void> {
  const [change] = contentChanges;
  const editor = window.activeTextEditor;
  if (!client || editor?.document !== document || !LANGUAGES.includes(document.languageId)
    || contentChanges.length !== 1 || change.text !== '>' || change.rangeLength) {
    return;
  }
  const position = change.range.start.translate(0, 1);
  const { version } = document;
  const tag = await client.sendRequest<string | null>(
    'hrdf/closingTag', client.code2ProtocolConverter.asTextDocumentPositionParams(document, position));
  if (tag && document.version === version && editor.selection.active.isEqual(position)) {
    await editor.insertSnippet(new SnippetString(`$0${tag.replace(/[$}\\]/g, '\\$&')}`), position);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

export async function activate(context: ExtensionContext): Promise<void> {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    commands.registerCommand('hrdf.restart', restart),
    workspace.onDidChangeTextDocument(close),
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration('hrdf')) {
        await restart();
      }
    }));
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}
