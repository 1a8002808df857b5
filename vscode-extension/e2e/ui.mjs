// SPDX-License-Identifier: Apache-2.0
// As a person would: the packaged .vsix in a real workbench, clicks and keys, screenshots.
import fs from 'node:fs';
import path from 'node:path';
import { root, shots, withWorkbench } from './workbench.mjs';

const shot = (page, name) => page.screenshot({ path: path.join(shots, `${name}.png`) });
const row = (page, view, text) => page.locator(`${view} .monaco-list-row`, { hasText: text }).first();
const editorLine = (page, text) => page.locator('.monaco-editor .view-line', { hasText: text }).first();

async function squiggleAndFix({ page, open, remote, workspace, log }) {
  await open([['openFile', remote(`${workspace}/relu_scale.py`)]]);
  await page.waitForSelector('.tab.active[data-resource-name="relu_scale.py"]');
  await page.waitForSelector('.monaco-editor .squiggly-error');
  log('squiggle shown');
  await page.keyboard.press('Control+Shift+M');
  const problem = row(page, '.markers-panel', 'ASC201');
  await problem.waitFor();
  await row(page, '.markers-panel', 'Ln 16').waitFor();
  await shot(page, '1-problems');
  log('Problems panel names line 16');
  await editorLine(page, 'x_local > 0').click();
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget .monaco-list-row', { hasText: 'PipeStage.start' }).first().waitFor();
  await shot(page, '2-quick-fix');
  await page.keyboard.press('Enter');
  await editorLine(page, 'PipeStage.start(PipeStage.VECTOR)').waitFor();
  await page.waitForSelector('.monaco-editor .squiggly-error', { state: 'detached' });
  await shot(page, '3-clean');
  log('quick fix applied, no squiggle left');
}

async function runLens({ page, log }) {
  await page.locator('.codelens-decoration a', { hasText: 'Run' }).first().click();
  await row(page, '.repl', 'cycles').waitFor();
  await shot(page, '4-run');
  log('Run prints cycles');
}

async function debugLaunch({ page, open, remote, workspace, log }) {
  const text = fs.readFileSync(path.join(workspace, 'launch.py'), 'utf8').split('\n');
  const lineOf = (part) => text.findIndex((item) => item.includes(part)) + 1;
  await open([['openFile', remote(`${workspace}/launch.py`)]]);
  await page.waitForSelector('.tab.active[data-resource-name="launch.py"]');
  await editorLine(page, 'import numpy').click();
  await page.keyboard.press('Control+End'); // the editor draws only the lines in sight
  const target = editorLine(page, 'asc.launch(');
  await target.waitFor();
  const line = await target.boundingBox();
  const margin = await page.locator('.monaco-editor .glyph-margin').first().boundingBox();
  await page.mouse.click(margin.x + margin.width / 2, line.y + line.height / 2);
  await page.waitForSelector('.codicon-debug-breakpoint');
  await target.click();
  await page.keyboard.press('F5');
  await row(page, '.debug-call-stack', '<module>').waitFor();
  await page.waitForSelector('.debug-top-stack-frame-line', { state: 'attached' });
  log('stopped on the launch line');
  await page.keyboard.press('F11');
  const frame = row(page, '.debug-call-stack', 'process');
  await frame.waitFor();
  await row(page, '.debug-call-stack', 'AIV 1').waitFor();
  log('F11 landed in the kernel; the second core is a thread');
  const top = page.locator('.debug-call-stack .monaco-list-row', { hasText: 'process' }).first();
  for (let step = 0; step < 12; step++) {
    const before = await top.textContent();
    if (before.includes(`${lineOf('x_relu = ')}:`)) {
      break;
    }
    await page.keyboard.press('F10');
    await page.waitForFunction((old) => {
      const rows = [...document.querySelectorAll('.debug-call-stack .monaco-list-row')];
      const found = rows.find((item) => item.textContent.includes('process'));
      return found !== undefined && found.textContent !== old;
    }, before);
  }
  const locals = row(page, '.debug-variables', 'Locals');
  await locals.waitFor();
  if ((await locals.getAttribute('aria-expanded')) !== 'true') {
    await locals.click(); // the auto-expand is racy
  }
  await row(page, '.debug-variables', 'mask').waitFor();
  await shot(page, '5-kernel');
  log('stepping over the comparison made mask appear');
  await page.keyboard.press('Shift+F11');
  await row(page, '.debug-call-stack', `${lineOf('right = ')}:`).waitFor();
  log('Step Out ended on the host line after the launch');
  await page.keyboard.press('F5');
  await page.keyboard.press('Control+Shift+Y');
  await row(page, '.repl', 'result right: True').waitFor();
  await row(page, '.repl', 'core 0 starts at 0').waitFor();
  await page.waitForFunction(() => !document.querySelector('.debug-call-stack .monaco-list-row'));
  await shot(page, '6-finished');
  const link = page.locator('.repl .monaco-list-row', { hasText: 'core 0 starts at 0' }).locator('.source').first();
  await link.click();
  await page.locator('.monaco-editor .view-line', { hasText: 'asc.printf' }).first().waitFor();
  log('a printf line leads to its Python line');
}

const scenarios = { squiggleAndFix, runLens, debugLaunch };
let passed = 0;
await withWorkbench({ vsix: [path.join(root, 'asclens.vsix')] }, async (workbench) => {
  for (const [name, scenario] of Object.entries(scenarios)) {
    await scenario(workbench);
    passed += 1;
    workbench.log(`ok - ${name}`);
  }
});
console.log(`${passed} passed, 0 failed`);
process.exit(0);
