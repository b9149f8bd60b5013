/*
 * package.test.mjs - the npm package: its contents, and that every example in its README does what it says.
 *
 * `expression; // → value` is an expectation. The package is unpacked into node_modules, as npm would.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { build, root } from './support.mjs';

const work = mkdtempSync(join(tmpdir(), 'tabiya-package-'));
after(() => rmSync(work, { recursive: true, force: true }));

const file = execFileSync(join(root, 'bindings/wasm/pack.sh'), [build, work], { encoding: 'utf8' }).trim();
const folder = join(work, 'node_modules/tabiya');
mkdirSync(folder, { recursive: true });
execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1']);

test('the package holds what it promises, with the version of the library and a licence', () => {
  const { version, files, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const header = readFileSync(join(root, 'include/tabiya.h'), 'utf8');
  const part = (name) => header.match(new RegExp(`#define TBY_VERSION_${name} (\\d+)`))[1];
  assert.equal(version, ['MAJOR', 'MINOR', 'PATCH'].map(part).join('.'));
  const named = Object.values(exports).map((value) => (typeof value === 'string' ? value : value.default));
  const typed = Object.values(exports).map((value) => value.types).filter(Boolean);
  for (const name of [...files, 'LICENSE', 'README.md', ...named, ...typed]) assert.ok(existsSync(join(folder, name)), name);
  const imported = files.filter((name) => name.endsWith('.mjs'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/from '\.\/([^']+)'/g)].map((match) => match[1]));
  for (const name of imported) assert.ok(existsSync(join(folder, name)), `${name} is imported`);
});

test('the types declare every class, method, function and constant, and none besides', () => {
  const source = readFileSync(join(folder, 'tabiya.mjs'), 'utf8');
  const types = readFileSync(join(folder, 'tabiya.d.ts'), 'utf8');
  const body = (text, name) => text.match(new RegExp(`^export class ${name} [^{]*\\{\\n([^]*?)^\\}`, 'm'))[1];
  const methods = (text) => new Set([...text.matchAll(/^ {2}(?:async ?)?\*? ?(?:get )?([a-z]\w*)\(/gm)].map((match) => match[1]).filter((name) => name !== 'constructor'));
  for (const name of ['Board', 'Cursor', 'Game', 'Tabiya']) assert.deepEqual([...methods(body(types, name))].sort(), [...methods(body(source, name))].sort(), name);
  const exported = (text) => [...text.matchAll(/^export (?:async )?(?:class|const|function) (\w+)/gm)].map((match) => match[1]).sort();
  assert.deepEqual(exported(types), exported(source));
});

const blocks = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/```js\n([^]*?)```/g)].map((match) => match[1]);

test('the README begins with an example of under ten lines', () => {
  assert.ok(blocks[0].trimEnd().split('\n').length < 10, blocks[0]);
});

/** Every `expression; // → value` becomes an assertion. */
const checked = (source) => `import assert from 'node:assert/strict';\n${source.replace(/^(.*?); \/\/ → (.*)$/gm,
  (_, expression, expected) => `assert.deepEqual(${expression.trim()}, ${expected}, ${JSON.stringify(expression.trim())});`)}`;

for (const [i, source] of blocks.entries())
  test(`example ${i + 1} of the README: ${source.split('\n').find((line) => line.startsWith('//')) ?? source.split('\n')[0]}`, () => {
    assert.match(source, / \/\/ → /);
    const path = join(work, `example${i}.mjs`);
    writeFileSync(path, checked(source));
    execFileSync(process.execPath, [path], { cwd: work, encoding: 'utf8', stdio: 'pipe' });
  });
