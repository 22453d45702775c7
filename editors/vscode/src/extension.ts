// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0

import { commands, ExtensionContext, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

const LANGUAGES = ['hrdf', 'mjcf', 'sdformat', 'skel', 'urdf'];

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
    { scheme: 'file', pattern: '**/*.cfg.yaml' },
  ];
  client = new LanguageClient('hrdf', 'HRDF', { command, args }, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(
      `HRDF: ${command} lsp does not start (${error}). In a clone of hrdf_ros run: `
      + "pip install '.[lsp]', or set hrdf.path.");
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
