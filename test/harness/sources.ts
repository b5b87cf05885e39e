/** The files of the project and what they import, for tests of its structure. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ROOT = new URL('../..', import.meta.url).pathname;
export const SOURCES = filesOf('src/**/*.{ts,js,css,html}');
export const TESTS = filesOf('test/**/*.ts');
export const CODE = SOURCES.filter(({ path }) => /\.(ts|js)$/.test(path));

function filesOf(pattern: string) {
  return globSync(pattern, { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
}

export type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

/** Static imports, `export … from` and `import('…')`, with repository paths for our own files. */
export function importsOf({ path, text }: (typeof SOURCES)[number]): readonly Import[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g,
  );
  return [...found].map(([, type, from, dynamic, bare]) => {
    const target = from ?? dynamic ?? bare ?? '';
    const to = target.startsWith('.') ? relative(ROOT, join(ROOT, dirname(path), target)) : target;
    return { from: path, to, typeOnly: type !== undefined };
  });
}
export const IMPORTS = CODE.flatMap(importsOf);
