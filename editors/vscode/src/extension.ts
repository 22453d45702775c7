// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0

import {
  commands, ConfigurationTarget, ExtensionContext, languages, LanguageStatusSeverity,
  ProcessExecution, Range, Task, tasks, TaskScope, TextEditor, window, workspace,
} from 'vscode';
import { LanguageClient, TextDocumentFilter } from 'vscode-languageclient/node';

import { Preview } from './preview';
import { programs, startClient } from './server';
import { typing } from './typing';

const LANGUAGES = ['hrdf', 'mjcf', 'sdformat', 'skel', 'urdf'];

const SELECTOR: TextDocumentFilter[] = [
  ...LANGUAGES.flatMap((language) => ['file', 'untitled'].map((scheme) => ({ scheme, language }))),
  { scheme: 'file', language: 'xml' }, // the server ignores files that describe no robot
  { scheme: 'file', pattern: '**/*.cfg.yaml' },
];

const PACKAGE = 'hrdf_ros[lsp,view] @ git+https://github.com/hrdf-ros/hrdf_ros.git';

/** The root element of a robot, after the comments and instructions of a file. */
const ROOT = /^\s*<(gazebo|mujoco|robot|sdf|skel)\b/;

let client: LanguageClient | undefined;
let starting = Promise.resolve();

/** Return the directory of the environment that `install` makes. */
const environment = (context: ExtensionContext): string => `${context.globalStorageUri.fsPath}/server`;

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

/** Install the server in a Python environment of its own, in a terminal that the user sees. */
async function install(context: ExtensionContext): Promise<void> {
  const run = new ProcessExecution('/bin/sh', ['-c',
    'python3 -m venv "$0" && "$0/bin/pip" install "$1"', environment(context), PACKAGE]);
  const task = new Task({ type: 'hrdf' }, TaskScope.Global, 'install the server', 'HRDF', run);
  const execution = await tasks.executeTask(task);
  const listener = tasks.onDidEndTaskProcess((event) => {
    if (event.execution === execution) {
      listener.dispose();
      commands.executeCommand('hrdf.restart');
    }
  });
}

/** Let the user choose the program, and write it into the settings, which starts it. */
async function choose(): Promise<void> {
  const [file] = await window.showOpenDialog({ title: 'The command hrdf', openLabel: 'Use' }) ?? [];
  if (file) {
    await workspace.getConfiguration('hrdf').update('path', file.fsPath, ConfigurationTarget.Global);
  }
}

/** Tell the menus whether an editor shows a robot, which may be in a file of language xml. */
function offerPreview(editor: TextEditor | undefined): void {
  const start = editor?.document.getText(new Range(0, 0, 100, 0)) ?? '';
  const isRobot = ROOT.test(start.replace(/<!--[^]*?-->|<\?[^]*?\?>/g, ''));
  commands.executeCommand('setContext', 'hrdf.isRobot', isRobot);
}

/** Offer the ways to get a running server. */
async function setUp(context: ExtensionContext): Promise<void> {
  const picked = await window.showQuickPick([
    { label: 'Install', detail: `pip install '${PACKAGE}', in ${environment(context)}`, run: install },
    { label: 'Choose', detail: 'Where the command hrdf is (hrdf.path)', run: choose },
    { label: 'Try again', run: () => commands.executeCommand('hrdf.restart') },
  ], { title: 'HRDF: the language server' });
  await picked?.run(context);
}

export async function activate(context: ExtensionContext): Promise<void> {
  const status = languages.createLanguageStatusItem('hrdf', SELECTOR);
  const preview = new Preview(() => client);
  status.name = 'HRDF';
  const fail = async (problem: string): Promise<void> => {
    status.severity = LanguageStatusSeverity.Error;
    status.text = 'HRDF: no server';
    status.detail = problem;
    status.command = { command: 'hrdf.setUp', title: 'Set Up' };
    if (await window.showErrorMessage(`HRDF: ${problem}`, 'Set Up') === 'Set Up') {
      await setUp(context);
    }
  };

  const middleware = { ...typing(() => client, LANGUAGES), window: { showDocument: preview.show } };
  const options = { documentSelector: SELECTOR, middleware };
  const start = async (): Promise<void> => {
    preview.close();
    await stop();
    status.busy = true;
    status.text = 'HRDF: starting';
    const problems: string[] = [];
    for (const program of programs(`${environment(context)}/bin/hrdf`)) {
      try {
        client = await startClient(program, options, () => {
          fail(`${program.name} ended again and again; the output HRDF says why.`);
        });
        status.severity = LanguageStatusSeverity.Information;
        status.text = `HRDF ${client.initializeResult?.serverInfo?.version ?? ''}`;
        status.detail = program.name;
        status.command = { command: 'hrdf.restart', title: 'Restart' };
        break;
      } catch (error) {
        problems.push(`${program.name}: ${(error as Error).message}`);
      }
    }
    status.busy = false;
    if (!client) {
      fail(problems.join('; ') || 'the command hrdf is not on this machine.');
    }
  };
  const restart = (): Promise<void> => starting = starting.then(start);

  context.subscriptions.push(
    status,
    commands.registerCommand('hrdf.restart', restart),
    commands.registerCommand('hrdf.setUp', () => setUp(context)),
    commands.registerCommand('hrdf.preview', () => preview.open(window.activeTextEditor)),
    workspace.onDidGrantWorkspaceTrust(restart),
    window.onDidChangeActiveTextEditor(offerPreview),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (languages.match(SELECTOR, textEditor.document)) {
        preview.follow(textEditor);
        offerPreview(textEditor);
      }
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('hrdf')) {
        restart();
      }
    }));
  offerPreview(window.activeTextEditor);
  await restart();
}

export { stop as deactivate };
