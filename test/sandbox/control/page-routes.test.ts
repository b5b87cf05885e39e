import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callControl, fakeControl } from './fake-services.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-page-'));
  await mkdir(join(folder, 'blocks'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Page</title>');
  await writeFile(join(folder, 'blocks', 'one.ts'), 'export const one: number = 1;');
  await writeFile(join(folder, 'style.css'), 'body {}');
  await writeFile(join(folder, 'tsconfig.json'), '{}');
  await writeFile(join(folder, '..', `${folder.split('/').at(-1)}-secret.ts`), 'secret');
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(`${folder}-secret.ts`);
});
const get = (path: string) => callControl(fakeControl(folder), 'GET', path);

describe('the page', () => {
  test('is served at the root, with nothing of elsewhere and nothing cached', async () => {
    const response = await get('/');
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(await response.text()).toContain('<title>Page</title>');
  });

  test.each([
    ['/page/blocks/one.ts', 'text/javascript'],
    ['/page/style.css', 'text/css'],
    ['/page/index.html', 'text/html'],
  ])('has %s with its type', async (path, type) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('has its scripts without types, in the same places', async () => {
    const script = await (await get('/page/blocks/one.ts')).text();
    expect(script).toBe('export const one         = 1;');
  });

  test.each([
    ['emoji.json', 'application/json', '"tada"'],
    ['preact.js', 'text/javascript', 'export{'],
    ['hooks.js', 'text/javascript', 'from"./preact.js"'],
  ])('has %s of a package', async (name, type, part) => {
    const response = await get(`/page/packages/${name}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toContain(part);
  });

  test.each(['package.json', 'hono', 'constructor', '..%2fpackage.json', 'zod'])(
    'has nothing of packages by the name %s',
    async (name) => {
      expect((await get(`/page/packages/${name}`)).status).toBe(404);
    },
  );

  test.each(['/page/tsconfig.json', '/page/missing.ts', '/page/blocks'])('has no %s', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test.each(['..%2f', '%2e%2e/', '..%5c', 'blocks/..%2f..%2f'])(
    'does not reach out of its folder by %s',
    async (way) => {
      const name = `${folder.split('/').at(-1)}-secret.ts`;
      expect((await get(`/page/${way}${name}`)).status).toBe(404);
    },
  );
});
