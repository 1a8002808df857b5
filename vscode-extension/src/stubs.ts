// SPDX-License-Identifier: Apache-2.0
import * as vscode from 'vscode';
import type { ToolEnvironment } from './environment';
import { settings } from './settings';

const ASKED = 'asclens.stubsOffered';
const SECTION = 'python.analysis';

/** Add the stubs folder to the Python analysis path of this workspace. */
export async function addStubs(tools: ToolEnvironment): Promise<void> {
  const section = vscode.workspace.getConfiguration(SECTION);
  const paths = section.get<string[]>('extraPaths', []);
  const folder = tools.stubsFolder();
  if (!paths.includes(folder)) {
    await section.update('extraPaths', [...paths, folder], vscode.ConfigurationTarget.Workspace);
  }
}

/** Offer the stubs once per workspace, when another server would call `import asc` unresolved. */
export async function offerStubs(context: vscode.ExtensionContext, tools: ToolEnvironment): Promise<void> {
  const analysed = vscode.extensions.getExtension('ms-python.vscode-pylance') !== undefined;
  if (!analysed || !settings().offerStubs || context.workspaceState.get<boolean>(ASKED)) {
    return;
  }
  await context.workspaceState.update(ASKED, true);
  const add = vscode.l10n.t('Add Stubs');
  const text = vscode.l10n.t(
    'Add type stubs for "asc" to this workspace, so that kernels resolve in other Python tools?',
  );
  if ((await vscode.window.showInformationMessage(text, add)) === add) {
    await addStubs(tools);
  }
}
