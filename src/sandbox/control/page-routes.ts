/** The page: a small Slack workspace in the browser. */
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

/** File types served to browsers; the folder also holds the settings of the compiler. */
const SERVED_TYPES = /\.(?:html|ts|css|svg)$/;

/** Only the page's own scripts run, whatever a message or name contains. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Files of packages that the page loads, by the name under `/page/packages/`. */
const PACKAGE_FILES: Readonly<Record<string, string>> = {
  'emoji.json': 'emoji-picker-element-data/en/iamcal/data.json',
  'hooks.js': 'preact/hooks',
  'htm.js': 'htm',
  'preact.js': 'preact',
};

/** The text of that file of a package, as it is; `null` for any other name. */
export async function packageText(name: string): Promise<string | null> {
  const specifier = Object.hasOwn(PACKAGE_FILES, name) ? PACKAGE_FILES[name] : undefined;
  if (specifier === undefined) return null;
  const text = await readFile(new URL(import.meta.resolve(specifier)), 'utf8');
  // Browsers know other packages by their addresses alone.
  return text.replaceAll('from"preact"', 'from"./preact.js"');
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** By their source: a page loads all of its files each time. */
const scripts = new Map<string, string>();

/** A file of the page as browsers run it: types become spaces, so lines and columns stay the same. */
export function pageScript(source: string): string {
  const known = scripts.get(source);
  if (known !== undefined) return known;
  const script = stripTypeScriptTypes(source);
  scripts.set(source, script);
  return script;
}

/** `GET /` and `GET /page/…` from this folder, never cached: the next start may be another version. */
export function pageRoutes(folder: string): Hono {
  const files = serveStatic({ root: folder, rewriteRequestPath: (path) => path.replace(/^\/page/, '') });
  return new Hono()
    .use(async (context, next) => {
      await next();
      context.header('cache-control', 'no-store');
      context.header('x-content-type-options', 'nosniff');
      context.header('content-security-policy', CONTENT_SECURITY_POLICY);
    })
    .get('/', async (context) => context.html(await readFile(join(folder, 'index.html'), 'utf8')))
    .get('/page/packages/:name', async (context, next) => {
      const name = context.req.param('name');
      const text = await packageText(name);
      if (text === null) return next();
      return context.body(text, 200, {
        'content-type': name.endsWith('.js') ? SCRIPT_TYPE : 'application/json',
      });
    })
    .get('/page/*', async (context, next) => {
      const { path } = context.req;
      if (!SERVED_TYPES.test(path)) return next();
      const file = await files(context, next);
      return file instanceof Response && path.endsWith('.ts')
        ? context.body(pageScript(await file.text()), 200, { 'content-type': SCRIPT_TYPE })
        : file;
    });
}
