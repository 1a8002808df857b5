// SPDX-License-Identifier: Apache-2.0
import * as vscode from 'vscode';
import type { ToolEnvironment } from './environment';
import { completeLaunch } from './launch';
import { userPython } from './pythons';
import { settings } from './settings';

const TYPE = 'asclens';

/** Fills in what a configuration leaves open, so that F5 works with no launch.json. */
class ConfigurationProvider implements vscode.DebugConfigurationProvider {
  provideDebugConfigurations(): vscode.DebugConfiguration[] {
    return [{ type: TYPE, request: 'launch', name: 'AscLens: current file', program: '${file}' }];
  }

  async resolveDebugConfiguration(
    folder: vscode.WorkspaceFolder | undefined,
    config: vscode.DebugConfiguration,
  ): Promise<vscode.DebugConfiguration | undefined> {
    const editor = vscode.window.activeTextEditor;
    const file = editor?.document.languageId === 'python' ? editor.document.uri.fsPath : undefined;
    const scope = editor?.document.uri ?? folder?.uri;
    const { python, soc, checks } = settings(scope);
    const complete = completeLaunch(config, {
      file,
      python: await userPython(python, scope),
      soc,
      checks,
    });
    if (!complete) {
      void vscode.window.showErrorMessage(vscode.l10n.t('AscLens: open a Python file to run first.'));
      return undefined;
    }
    return complete as vscode.DebugConfiguration;
  }
}

/** Register the debug type: configuration provider and adapter. */
export function registerDebugging(
  context: vscode.ExtensionContext,
  tools: ToolEnvironment,
  log: vscode.LogOutputChannel,
): void {
  const provider = new ConfigurationProvider();
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider(TYPE, provider),
    vscode.debug.registerDebugConfigurationProvider(
      TYPE,
      provider,
      vscode.DebugConfigurationProviderTriggerKind.Dynamic,
    ),
    vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
      async createDebugAdapterDescriptor(): Promise<vscode.DebugAdapterDescriptor> {
        const python = await tools.interpreter();
        log.info(`debug adapter: ${python} -m asclens_debugadapter`);
        return new vscode.DebugAdapterExecutable(python, ['-m', 'asclens_debugadapter']);
      },
    }),
  );
}
