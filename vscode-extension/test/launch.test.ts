// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { completeLaunch } from '../src/launch';

const defaults = { file: '/ws/kernel.py', python: 'python3', soc: 'Ascend910B1', checks: 'all' };

describe('completeLaunch', () => {
  it('makes a whole configuration from an empty one', () => {
    expect(completeLaunch({}, defaults)).toEqual({
      type: 'asclens',
      request: 'launch',
      name: 'AscLens: current file',
      program: '/ws/kernel.py',
      python: 'python3',
      soc: 'Ascend910B1',
      checks: 'all',
      console: 'internalConsole',
    });
  });

  it('keeps what the user wrote', () => {
    const mine = { type: 'asclens', request: 'launch', name: 'mine', program: '/ws/a.py', soc: 'Ascend910B4', seed: 7 };
    expect(completeLaunch(mine, defaults)).toMatchObject({ ...mine, python: 'python3' });
  });

  it('gives nothing when no file is open', () => {
    expect(completeLaunch({}, { ...defaults, file: undefined })).toBeUndefined();
  });
});
