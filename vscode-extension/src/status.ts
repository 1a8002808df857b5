// SPDX-License-Identifier: Apache-2.0
import * as vscode from 'vscode';
import { settings } from './settings';

export type ServerState = 'starting' | 'ready' | 'installing' | 'failed';

const ICONS: Record<ServerState, string> = {
  starting: '$(sync~spin)',
  ready: '$(circuit-board)',
  installing: '$(cloud-download)',
  failed: '$(error)',
};

/** Shows the backend, the chip and the state of the server. */
export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('asclens.status', vscode.StatusBarAlignment.Right, 90);

  constructor() {
    this.item.name = 'AscLens';
    this.item.command = 'asclens.showLog';
    this.set('starting');
    this.item.show();
  }

  /** Show `state`; `detail` becomes the tooltip. */
  set(state: ServerState, detail = ''): void {
    this.item.text = `${ICONS[state]} ${settings().soc.replace('Ascend', '')}`;
    this.item.tooltip = detail || vscode.l10n.t('AscLens: simulator, {0}', state);
  }

  dispose(): void {
    this.item.dispose();
  }
}
