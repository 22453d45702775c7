// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0

// The language server: the programs that may be it, and how one is started.

import { ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { workspace } from 'vscode';
import {
  CloseAction, ErrorAction, LanguageClient, LanguageClientOptions,
} from 'vscode-languageclient/node';

const ROS = '/opt/ros';
/** The most restarts of a server within the time below; then it stays ended. */
const RESTARTS = 3;
/** The time in which restarts are counted, in milliseconds. */
const RESTART_WINDOW = 180_000;

/** A program that may be the server: the words that start it, and its name for the user. */
export interface Program {
  name: string;
  command: string[];
}

/**
 * Return the programs that may be the server, in the order in which they are tried.
 *
 * If the setting is given, it is the only one. No program of a workspace is among them before the
 * workspace is trusted; relative directories in PATH are left out, since they lead into it.
 */
export function programs(installed: string): Program[] {
  const setting = workspace.getConfiguration('hrdf').get<string>('path', '').trim();
  if (setting) {
    return [plain(setting.replace(/^~(?=\/)/, homedir()))];
  }
  const path = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const ros = existsSync(ROS) ? readdirSync(ROS).sort().reverse() : [];
  const trusted = workspace.isTrusted ? workspace.workspaceFolders ?? [] : [];
  const found = [
    ...path.map((folder) => plain(join(folder, 'hrdf'))),
    ...ros.map((distribution) => inRos(join(ROS, distribution))),
    plain(installed),
    ...trusted.map(({ uri }) => plain(join(uri.fsPath, '.venv', 'bin', 'hrdf'))),
  ];
  return found.filter(({ name }, index) => existsSync(name)
    && found.findIndex((other) => other.name === name) === index);
}

function plain(name: string): Program {
  return { name, command: [name] };
}

/** Return the program of a ROS installation, which needs the environment of its setup file. */
function inRos(folder: string): Program {
  const name = join(folder, 'lib', 'hrdf_ros', 'hrdf');
  return { name, command: ['/bin/sh', '-c', '. "$0" && exec "$@"', join(folder, 'setup.sh'), name] };
}

/** A client that writes its errors only to its output; the extension shows those that matter. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/**
 * Start a program as the server; `ended` is called after it has ended too often.
 *
 * If the program does not serve, an Error is thrown whose message says why.
 */
export async function startClient(
  { command: [command, ...first] }: Program, options: LanguageClientOptions, ended: () => void,
): Promise<LanguageClient> {
  const settings = workspace.getConfiguration('hrdf');
  const mayExpand = workspace.isTrusted && settings.get<boolean>('expandXacro', false);
  const args = [...first, 'lsp', ...settings.get<string[]>('arguments', [])];
  let printed = '', isRunning = false;
  const ends: number[] = [];
  let fail: (reason: Error) => void;
  const failed = new Promise<never>((_, reject) => { fail = reject; });
  const run = async (): Promise<ChildProcess> => {
    const child = spawn(command, args, { cwd: workspace.workspaceFolders?.[0]?.uri.fsPath });
    child.stderr.on('data', (data) => { printed = (printed + data).slice(-1000); });
    child.once('exit', (status) => fail(new Error(`it ended with status ${status}`)));
    await new Promise((started, refused) => child.once('spawn', started).once('error', refused));
    return child;
  };
  const client = new QuietClient('hrdf', 'HRDF', run, {
    ...options,
    initializationOptions: { expandXacro: mayExpand },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        ends.push(Date.now());
        const isOften = ends.filter((time) => time > Date.now() - RESTART_WINDOW).length > RESTARTS;
        if (isRunning && isOften) {
          ended();
        }
        const action = isRunning && !isOften ? CloseAction.Restart : CloseAction.DoNotRestart;
        return { action, handled: true };
      },
    },
  });
  try {
    await Promise.race([client.start(), failed]);
  } catch (error) {
    throw new Error(printed.trim() || (error instanceof Error ? error.message : String(error)));
  }
  failed.catch(() => undefined); // from here on, `closed` handles its end
  isRunning = true;
  return client;
}
