/** No file of the product needs, by value, a file that needs it: then the order of loading would matter. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Files of a folder and those that each of them imports by value; what is only a type is gone at run time. */
function importsByValue(folder: string): Graph {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file));
  return new Map(files.map((file) => [file, valueImports(file, readFileSync(file, 'utf8'))]));
}

/** Each import or export from another file, with its names. */
const FROM = /^(?:import|export)\s+(?<names>[^;]*?)\s*from\s+'(?<specifier>\.[^']+)';/gms;

function valueImports(file: string, text: string): readonly string[] {
  return [...text.matchAll(FROM)]
    .filter(({ groups }) => !isTypeOnly(groups?.['names'] ?? ''))
    .map(({ groups }) => path.join(path.dirname(file), groups?.['specifier'] ?? ''));
}

function isTypeOnly(names: string): boolean {
  if (names.startsWith('type ')) return true;
  const inBraces = /^\{(?<list>.*)\}$/s.exec(names)?.groups?.['list'];
  const listed = (inBraces ?? 'all').split(',').map((name) => name.trim());
  return listed.every((name) => name === '' || name.startsWith('type '));
}

/** One circle, as the files on the way round; null where there is none. */
function findCircle(graph: Graph): readonly string[] | null {
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const next of graph.get(file) ?? []) {
      const circle = walk(next, [...way, file]);
      if (circle !== null) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const circle = walk(file, []);
    if (circle !== null) return circle;
  }
  return null;
}

describe('imports by value', () => {
  it('make no circle', () => {
    expect(findCircle(importsByValue('src'))).toBeNull();
  });

  it('that make one are found', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(findCircle(graph)).toEqual(['b', 'c', 'b']);
  });

  it('leave out what is only a type', () => {
    const text =
      "import type { A } from './a.ts';\nimport { type B } from './b.ts';\nimport { c, type D } from './c.ts';";
    expect(valueImports('src/x.ts', text)).toEqual(['src/c.ts']);
  });
});
