// SPDX-License-Identifier: Apache-2.0
import * as vscode from 'vscode';
import { LanguageClient, State, TransportKind, type ServerOptions } from 'vscode-languageclient/node';
import type { ToolEnvironment } from './environment';
import { settings } from './settings';
import type { StatusBar } from './status';

/** Owns the language client: start, stop, restart, and what the status bar says about it. */
export class ServerClient {
  private client: LanguageClient | undefined;

  constructor(
    private readonly tools: ToolEnvironment,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: StatusBar,
  ) {}

  /** Start the server; a failure is shown and leaves the rest of the extension usable. */
  async start(): Promise<void> {
    this.status.set('starting');
    try {
      const client = new LanguageClient('asclens', 'AscLens', await this.options(), {
        documentSelector: [
          { scheme: 'file', language: 'python' },
          { scheme: 'untitled', language: 'python' },
        ],
        outputChannel: this.log,
        initializationOptions: { soc: settings().soc },
      });
      client.onDidChangeState(({ newState }) => {
        this.status.set(newState === State.Running ? 'ready' : newState === State.Starting ? 'starting' : 'failed');
      });
      this.client = client;
      await client.start();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(message);
      this.status.set('failed', message);
      const show = vscode.l10n.t('Show Log');
      const choice = await vscode.window.showErrorMessage(`AscLens: ${message}`, show);
      if (choice === show) {
        this.log.show();
      }
    }
  }

  /** Stop the server if it runs. */
  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.isRunning()) {
      await client.stop();
    }
  }

  /** Stop and start again, with the settings of now. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  private async options(): Promise<ServerOptions> {
    return {
      command: await this.tools.interpreter(),
      args: ['-m', 'asclens_server'],
      transport: TransportKind.stdio,
      options: { env: { ...process.env, PYTHONUTF8: '1' } },
    };
  }
}
