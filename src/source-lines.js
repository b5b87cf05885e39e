/**
 * Stack traces of the bundle that name the lines of the sources. Node's own way reads all maps at the start and keeps
 * them: 17 MiB; here a map is read when the first stack needs it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @type {Map<string, SourceMap | null>} */
const maps = new Map();

export function showSourceLines() {
  Error.prepareStackTrace = (error, sites) =>
    [`${error}`, ...sites.map((site) => `    at ${located(site)}`)].join('\n');
}

/** @param {NodeJS.CallSite} site */
function located(site) {
  const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (!file?.startsWith('file:') || line === null || column === null) return `${site}`;
  const path = fileURLToPath(file);
  const origin = mapOf(path)?.findOrigin(line, column);
  if (origin === undefined || !('fileName' in origin)) return `${site}`;
  const source = relative('', resolve(path, '..', origin.fileName));
  return `${site}`.replace(
    `${file}:${line}:${column}`,
    `${source}:${origin.lineNumber}:${origin.columnNumber}`,
  );
}

/** @param {string} path */
function mapOf(path) {
  const known = maps.get(path);
  if (known !== undefined) return known;
  const map = existsSync(`${path}.map`)
    ? new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
    : null;
  maps.set(path, map);
  return map;
}
