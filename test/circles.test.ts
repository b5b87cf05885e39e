/**
 * No file of the product needs, by value, a file that needs it: then the order of loading would matter. By type neither,
 * so that each file can be understood from those below it; only a view may contain any view.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Files of a folder and those that each of them imports. */
function importGraph(folder: string, imports: (file: string, text: string) => readonly string[]): Graph {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file));
  return new Map(files.map((file) => [file, imports(file, readFileSync(file, 'utf8'))]));
}

/** Each import or export from another file, with its names. */
const FROM = /^(?:import|export)\s+(?<names>[^;]*?)\s*from\s+'(?<specifier>\.[^']+)';/gms;

type FromImport = { readonly to: string; readonly typeOnly: boolean };

function fromImports(file: string, text: string): readonly FromImport[] {
  return [...text.matchAll(FROM)].map(({ groups }) => ({
    to: path.join(path.dirname(file), groups?.['specifier'] ?? ''),
    typeOnly: isTypeOnly(groups?.['names'] ?? ''),
  }));
}

/** What is only a type is gone at run time. */
function valueImports(file: string, text: string): readonly string[] {
  return fromImports(file, text).flatMap(({ to, typeOnly }) => (typeOnly ? [] : [to]));
}

/** The union of all views: the few that show another view have it as a type. */
const ALL_VIEWS = 'src/views/views.ts';

function allImports(file: string, text: string): readonly string[] {
  return fromImports(file, text).flatMap(({ to, typeOnly }) => (typeOnly && to === ALL_VIEWS ? [] : [to]));
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
    expect(findCircle(importGraph('src', valueImports))).toBeNull();
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

describe('imports of types', () => {
  it('make no circle either', () => {
    expect(findCircle(importGraph('src', allImports))).toBeNull();
  });

  it('are followed like values, except to the union of all views', () => {
    const text = "import type { A } from './a.ts';\nimport type { View } from './views.ts';";
    expect(allImports('src/views/x.ts', text)).toEqual(['src/views/a.ts']);
  });
});
