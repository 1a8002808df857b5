// SPDX-License-Identifier: Apache-2.0
import * as vscode from 'vscode';

/** The settings of this extension, read anew each time. */
export interface Settings {
  readonly interpreter: string;
  readonly python: string;
  readonly soc: string;
  readonly checks: string;
  readonly offerStubs: boolean;
}

/** Read the settings that apply to `scope`. */
export function settings(scope?: vscode.ConfigurationScope): Settings {
  const section = vscode.workspace.getConfiguration('asclens', scope);
  return {
    interpreter: section.get('interpreter', ''),
    python: section.get('python', ''),
    soc: section.get('soc', 'Ascend910B1'),
    checks: section.get('simulator.checks', 'all'),
    offerStubs: section.get('offerStubs', true),
  };
}
