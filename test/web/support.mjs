/*
 * support.mjs - shared by the tests of the module and of the page: the module, and the tables of expected results.
 *
 * TABIYA_BUILD names the build folder to test.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from '../../web/tabiya.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const build = process.env.TABIYA_BUILD ?? join(root, 'build/release');
export const modulePath = join(build, 'web/tabiya.wasm');

export const loadModule = () => load(readFileSync(modulePath));

/** The rows of test/vectors/NAME.tsv as objects by the names of the columns. */
export function vectors(name) {
  const [head, ...lines] = readFileSync(join(root, 'test/vectors', `${name}.tsv`), 'utf8').trimEnd().split('\n');
  const columns = head.split('\t');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((value, i) => [columns[i], value])));
}
