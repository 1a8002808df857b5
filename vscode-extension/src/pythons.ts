// SPDX-License-Identifier: Apache-2.0
import * as vscode from 'vscode';

/** The part of the Python extension's interface that is used here; the extension is optional. */
interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(env: { path: string }): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
  };
}

/** Name of Python on PATH. */
export function pathPython(platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? 'python' : 'python3';
}

/** Return the interpreter that the Python extension has chosen, if that extension is there. */
async function chosenPython(resource?: vscode.Uri): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  if (!extension) {
    return undefined;
  }
  const api = extension.isActive ? extension.exports : await extension.activate();
  const environments = api.environments;
  if (!environments) {
    return undefined;
  }
  const resolved = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(resource));
  return resolved?.executable?.uri?.fsPath;
}

/** Return the Python that runs the user's scripts: setting, Python extension, PATH. */
export async function userPython(setting: string, resource?: vscode.Uri): Promise<string> {
  return setting || (await chosenPython(resource)) || pathPython();
}
