// SPDX-License-Identifier: Apache-2.0
// Runs e2e/host/index.cjs inside the extension host, with the extension loaded from this folder (no .vsix needed).
import path from 'node:path';
import { format } from 'node:util';
import { root, withWorkbench } from './workbench.mjs';

const code = await withWorkbench({ smokeTestDriver: true }, async ({ page, open, remote, log }) => {
  let exit;
  const exited = new Promise((resolve) => {
    exit = resolve;
  });
  await page.exposeFunction('codeAutomationLog', (kind, args) => {
    const text = format(...args);
    if (/^(ok|not ok|\d+ passed)/.test(text) || kind === 'error') {
      console.log(text);
    }
  });
  await page.exposeFunction('codeAutomationExit', (status) => exit(status));
  await open([
    ['extensionDevelopmentPath', remote(root)],
    ['extensionTestsPath', remote(path.join(root, 'e2e/host/index.cjs'))],
  ]);
  const timer = setTimeout(() => exit('no answer within 400 s'), 400_000);
  const status = await exited;
  clearTimeout(timer);
  log(`exit: ${status}`);
  return status;
});
process.exit(code === 0 ? 0 : 1);
