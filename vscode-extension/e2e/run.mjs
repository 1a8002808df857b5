// SPDX-License-Identifier: Apache-2.0
// All editor tests: installs what they need when it may, else skips them with a reason (a failure when CI=true).
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './workbench.mjs';

const REPEATS = Number(process.env.E2E_REPEATS ?? 1);

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  return status ?? 1;
}

const setup = run('sh', [path.join(root, 'e2e', 'setup.sh')]);
if (setup === 3) {
  console.log('editor tests skipped: a browser is absent and cannot be installed here (see the line above)');
  console.log('0 passed, 0 failed, 2 skipped');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
if (setup !== 0 || run('npm', ['run', '--silent', 'package']) !== 0) {
  process.exit(1);
}
let failed = 0;
for (let round = 0; round < REPEATS; round++) {
  for (const script of ['host.mjs', 'ui.mjs']) {
    failed += run('node', [path.join(root, 'e2e', script)]) === 0 ? 0 : 1;
  }
}
console.log(`${2 * REPEATS - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
