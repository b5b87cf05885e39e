/** The checker shares no code with the product, or it would share its mistakes. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, 'checker');
const ALLOWED = /^(?:\.\/[\w-]+\.ts|node:[\w/]+|pg|vitest)$/;

it('imports its own files, Node and the database’s client, and nothing else', () => {
  const files = globSync('*.ts', { cwd: FOLDER });
  expect(files.length).toBeGreaterThan(5);
  const imported = files.flatMap((file) =>
    [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/(?:from|import)\s*\(?'([^']+)'/g)].map(
      ([, from = '']) => ({ file, from }),
    ),
  );
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.filter(({ from }) => !ALLOWED.test(from))).toEqual([]);
});
