/*
 * eslint.config.mjs - what eslint looks for in the modules of the page and in their tests: mistakes, not layout.
 */
import js from '@eslint/js';
import globals from 'globals';

const rules = {
  ...js.configs.recommended.rules,
  'no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_', caughtErrors: 'none', destructuredArrayIgnorePattern: '^_' }],
  'no-shadow': 'off',
  'no-var': 'error',
  'prefer-const': 'error',
  eqeqeq: 'error',
  'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
};

export default [
  { ignores: ['node_modules/'] },
  { files: ['*.mjs'], languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals: { ...globals.browser, scheduler: 'readonly' } }, rules },
  // Not panels: the board, the library, and what reads published games.
  { files: ['board.mjs', 'tabiya.mjs', 'english.mjs', 'published*.mjs'], rules: { 'max-lines': 'off' } },
  { files: ['worker.mjs'], languageOptions: { globals: { ...globals.serviceworker, OFFLINE_FILES: 'readonly' } } },
];
