// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { pathPython } from './pythons';
import { settings } from './settings';
import type { StatusBar } from './status';

const execute = promisify(execFile);
const MINIMUM = [3, 10] as const;
const CANDIDATES = ['python3.12', 'python3.11', 'python3.13', 'python3.10', pathPython()];

/** The Python that runs our own tools: a setting, or a private environment made from the bundled wheel. */
export class ToolEnvironment {
  private pending: Promise<string> | undefined;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: StatusBar,
  ) {}

  /** Return the interpreter; make the private environment on first use. */
  async interpreter(): Promise<string> {
    const configured = settings().interpreter;
    if (configured) {
      return configured;
    }
    this.pending ??= this.privateEnvironment().catch((error: unknown) => {
      this.pending = undefined;
      throw error;
    });
    return this.pending;
  }

  /** Remove the private environment and make it anew. */
  async recreate(): Promise<void> {
    this.pending = undefined;
    await fs.rm(this.folder(), { recursive: true, force: true });
    await this.interpreter();
  }

  /** Return the folder with the type stubs of `asc`. */
  stubsFolder(): string {
    return this.context.asAbsolutePath('bundled/stubs');
  }

  private folder(): string {
    return path.join(this.context.globalStorageUri.fsPath, 'environment');
  }

  private async privateEnvironment(): Promise<string> {
    const wheel = await this.bundledWheel();
    const folder = this.folder();
    const binary = path.join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
    const stamp = path.join(folder, 'installed-wheel');
    if ((await fs.readFile(stamp, 'utf8').catch(() => '')) === (await this.fingerprint(wheel))) {
      return binary;
    }
    this.status.set('installing');
    const title = vscode.l10n.t('AscLens: preparing its Python environment (once)');
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, async () => {
      const base = await this.basePython();
      await fs.rm(folder, { recursive: true, force: true });
      await this.run(base, ['-m', 'venv', folder]);
      await this.run(binary, ['-m', 'pip', 'install', '--disable-pip-version-check', wheel]);
      await fs.writeFile(stamp, await this.fingerprint(wheel));
    });
    return binary;
  }

  private async fingerprint(wheel: string): Promise<string> {
    const { size, mtimeMs } = await fs.stat(wheel);
    return `${path.basename(wheel)} ${size} ${Math.round(mtimeMs)}`;
  }

  private async bundledWheel(): Promise<string> {
    const folder = this.context.asAbsolutePath('bundled');
    const names = await fs.readdir(folder).catch(() => [] as string[]);
    const wheel = names.find((name) => name.startsWith('asclens-') && name.endsWith('.whl'));
    if (!wheel) {
      throw new Error(
        vscode.l10n.t(
          'This build of the extension has no bundled wheel; set "asclens.interpreter" to a Python with asclens.',
        ),
      );
    }
    return path.join(folder, wheel);
  }

  private async basePython(): Promise<string> {
    for (const name of CANDIDATES) {
      const version = await execute(name, ['-c', 'import sys; print(*sys.version_info[:2])']).catch(() => undefined);
      const [major = 0, minor = 0] = version?.stdout.trim().split(' ').map(Number) ?? [];
      if (major === MINIMUM[0] && minor >= MINIMUM[1]) {
        return name;
      }
    }
    throw new Error(
      vscode.l10n.t('No Python {0} or newer was found; install one or set "asclens.interpreter".', MINIMUM.join('.')),
    );
  }

  private async run(command: string, args: string[]): Promise<void> {
    this.log.info(`${command} ${args.join(' ')}`);
    const { stdout, stderr } = await execute(command, args, { maxBuffer: 1 << 26 });
    this.log.info(stdout + stderr);
  }
}
