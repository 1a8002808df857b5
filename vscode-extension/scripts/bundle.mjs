// SPDX-License-Identifier: Apache-2.0
// Puts the wheel of our Python packages and the type stubs into bundled/, from where the .vsix takes them.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const repository = path.resolve(root, '..');
const bundled = path.join(root, 'bundled');
const python = process.env.ASCLENS_PYTHON ?? path.join(repository, '.venv/bin/python');

fs.rmSync(bundled, { recursive: true, force: true });
fs.mkdirSync(bundled, { recursive: true });
execFileSync(python, ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', bundled, repository], {
  stdio: 'inherit',
});
const stubs = path.join(repository, 'compiler', 'asclens_compiler', 'stubs');
if (fs.existsSync(stubs)) {
  fs.cpSync(stubs, path.join(bundled, 'stubs'), { recursive: true });
}
console.log(fs.readdirSync(bundled).join(' '));
