// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0

// The robot beside the text: a panel with the viewer's page. The server starts the viewer, and keeps
// it up to date.

import { env, TextEditor, Uri, ViewColumn, WebviewPanel, window, workspace } from 'vscode';
import { LanguageClient, Range, ShowDocumentParams } from 'vscode-languageclient/node';

/** The milliseconds without a move of the cursor after which the server is told its place. */
const PAUSE = 100;

export class Preview {
  private panel?: WebviewPanel;
  private timer?: NodeJS.Timeout;
  private column = ViewColumn.One;

  constructor(private readonly client: () => LanguageClient | undefined) {}

  /** Show the robot of an editor's document. */
  async open(editor: TextEditor | undefined): Promise<void> {
    const client = this.client();
    if (!editor || !client || !workspace.isTrusted) { // the command is disabled then
      return;
    }
    const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(editor.document);
    let address: string;
    try {
      ({ address } = await client.sendRequest<{ address: string }>('hrdf/preview', { textDocument }));
    } catch (error) {
      window.showErrorMessage(`HRDF: ${error instanceof Error ? error.message : error}`);
      return;
    }
    this.column = editor.viewColumn ?? ViewColumn.One;
    const panel = this.panel ?? this.create();
    panel.title = `Robot: ${workspace.asRelativePath(editor.document.uri)}`;
    panel.webview.html = html(await reachable(address));
    panel.reveal(undefined, true);
    this.follow(editor);
  }

  /** Mark the link or joint at the cursor of an editor, after a pause. */
  follow(editor: TextEditor): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const client = this.client();
      if (this.panel && client?.isRunning()) {
        client.sendNotification('hrdf/previewCursor', client.code2ProtocolConverter
          .asTextDocumentPositionParams(editor.document, editor.selection.active));
      }
    }, PAUSE);
  }

  /** Show the place of what was clicked, beside the panel and not in its place. */
  readonly show = async ({ uri, selection }: ShowDocumentParams): Promise<{ success: boolean }> => {
    const range = this.client()?.protocol2CodeConverter.asRange(selection as Range);
    const options = { viewColumn: this.column, selection: range, preserveFocus: true };
    await window.showTextDocument(Uri.parse(uri), options);
    return { success: true };
  };

  close(): void {
    this.panel?.dispose();
  }

  private create(): WebviewPanel {
    const panel = window.createWebviewPanel(
      'hrdf.preview', 'Robot', { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true }); // the viewer's page runs scripts
    panel.onDidDispose(() => {
      this.panel = undefined;
      const client = this.client();
      if (client?.isRunning()) {
        client.sendNotification('hrdf/previewClosed', {});
      }
    });
    this.panel = panel;
    return panel;
  }
}

/** Return the address at which the window reaches a page and its socket, perhaps by a proxy. */
async function reachable(address: string): Promise<string> {
  const { origin, searchParams } = new URL(address);
  const page = new URL((await env.asExternalUri(Uri.parse(origin))).toString(true));
  const socket = new URL(page);
  socket.protocol = page.protocol.replace('http', 'ws');
  socket.pathname = page.pathname.replace(/\/?$/, new URL(searchParams.get('websocket')!).pathname);
  page.searchParams.set('websocket', socket.href);
  return page.href;
}

/** Return a page that shows the viewer's page and may load nothing else. */
function html(page: string): string {
  return `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy"
    content="default-src 'none'; frame-src ${new URL(page).origin}; style-src 'unsafe-inline'">
    <style>body { padding: 0 } iframe { position: fixed; border: 0; width: 100%; height: 100% }
    </style></head><body><iframe src="${page}" title="Robot"></iframe></body></html>`;
}
