// SPDX-License-Identifier: Apache-2.0
import { readFileSync, readdirSync } from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';

const read = (file: string): string => readFileSync(path.resolve(file), 'utf8');
const manifest = read('package.json');
const english = JSON.parse(read('package.nls.json')) as Record<string, string>;
const chinese = JSON.parse(read('package.nls.zh-cn.json')) as Record<string, string>;
const bundle = JSON.parse(read('l10n/bundle.l10n.zh-cn.json')) as Record<string, string>;

describe('localisation', () => {
  it('has a text in both languages for every key of the manifest, and no more', () => {
    const used = [...manifest.matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]);
    expect(Object.keys(english).sort()).toEqual([...new Set(used)].sort());
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
  });

  it('has a Chinese text for every message in the sources', () => {
    const sources = readdirSync(path.resolve('src'))
      .map((name) => read(`src/${name}`))
      .join('\n');
    const messages = [...sources.matchAll(/l10n\.t\(\s*'([^']*)'/g)].map((match) => match[1]);
    expect(messages.length).toBeGreaterThan(5);
    expect(Object.keys(bundle).sort()).toEqual([...new Set(messages)].sort());
  });
});

describe('trust', () => {
  it('restricts every setting that names a program', () => {
    const { capabilities } = JSON.parse(manifest) as {
      capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
    };
    expect(capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual([
      'asclens.interpreter',
      'asclens.python',
    ]);
  });
});
