// SPDX-License-Identifier: Apache-2.0

/** The fields of a launch configuration that we fill in. */
export interface LaunchFields {
  type?: string;
  request?: string;
  name?: string;
  program?: string;
  python?: string;
  soc?: string;
  checks?: string;
  console?: string;
  [key: string]: unknown;
}

/** What the editor knows when a launch starts. */
export interface LaunchDefaults {
  readonly file: string | undefined;
  readonly python: string;
  readonly soc: string;
  readonly checks: string;
}

/**
 * Complete a launch configuration: F5 without a launch.json gives an empty one.
 * Returns undefined when there is no file to run.
 */
export function completeLaunch(config: LaunchFields, defaults: LaunchDefaults): LaunchFields | undefined {
  const program = config.program ?? defaults.file;
  if (!program) {
    return undefined;
  }
  return {
    ...config,
    type: config.type ?? 'asclens',
    request: config.request ?? 'launch',
    name: config.name ?? 'AscLens: current file',
    program,
    python: config.python ?? defaults.python,
    soc: config.soc ?? defaults.soc,
    checks: config.checks ?? defaults.checks,
    console: config.console ?? 'internalConsole',
  };
}
