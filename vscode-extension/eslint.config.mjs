// SPDX-License-Identifier: Apache-2.0
import js from '@eslint/js';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['dist/**', 'bundled/**', 'node_modules/**', '.e2e-tools/**'] },
  js.configs.recommended,
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    extends: [...ts.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['e2e/**/*.{mjs,cjs}', 'scripts/*.mjs', '*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        document: 'readonly',
        require: 'readonly',
        exports: 'writable',
        encodeURIComponent: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
      },
    },
  },
);
