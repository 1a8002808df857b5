// SPDX-License-Identifier: Apache-2.0
import * as vscode from 'vscode';
import { ServerClient } from './client';
import { registerCommands } from './commands';
import { registerDebugging } from './debug';
import { ToolEnvironment } from './environment';
import { StatusBar } from './status';
import { offerStubs } from './stubs';

let server: ServerClient | undefined;

/** Start the language server and register debugging and commands. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('AscLens', { log: true });
  const status = new StatusBar();
  const tools = new ToolEnvironment(context, log, status);
  server = new ServerClient(tools, log, status);
  context.subscriptions.push(log, status);
  registerDebugging(context, tools, log);
  registerCommands(context, { server, tools, log });
  await server.start();
  void offerStubs(context, tools);
}

/** Stop the language server; its children end with it. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}
