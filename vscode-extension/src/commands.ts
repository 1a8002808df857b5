// SPDX-License-Identifier: Apache-2.0
import * as vscode from 'vscode';
import type { ServerClient } from './client';
import type { ToolEnvironment } from './environment';
import { addStubs } from './stubs';

interface Parts {
  readonly server: ServerClient;
  readonly tools: ToolEnvironment;
  readonly log: vscode.LogOutputChannel;
}

/** What a Run or Debug lens passes. */
interface KernelTarget {
  readonly uri: string;
  readonly kernel?: string;
}

async function launch(target: KernelTarget | undefined, noDebug: boolean): Promise<void> {
  const uri = target ? vscode.Uri.parse(target.uri) : vscode.window.activeTextEditor?.document.uri;
  if (!uri) {
    void vscode.window.showErrorMessage(vscode.l10n.t('AscLens: open a Python file to run first.'));
    return;
  }
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  await document?.save();
  const kernel = target?.kernel;
  await vscode.debug.startDebugging(
    vscode.workspace.getWorkspaceFolder(uri),
    {
      type: 'asclens',
      request: 'launch',
      name: kernel ? `AscLens: ${kernel}` : 'AscLens: current file',
      program: uri.fsPath,
      ...(kernel ? { kernel } : {}),
      internalConsoleOptions: 'openOnSessionStart',
    },
    { noDebug },
  );
}

/** Register the commands of the palette and of the code lenses. */
export function registerCommands(context: vscode.ExtensionContext, { server, tools, log }: Parts): void {
  const register = (name: string, action: (target?: KernelTarget) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(`asclens.${name}`, action));
  };
  register('run', (target) => launch(target, true));
  register('debug', (target) => launch(target, false));
  register('restartServer', () => server.restart());
  register('showLog', () => {
    log.show();
  });
  register('addStubs', () => addStubs(tools));
  register('recreateEnvironment', async () => {
    await server.stop();
    await tools.recreate();
    await server.start();
  });
}
