/** The arrows between the folders, the length of files, and the words that must not appear. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODE, IMPORTS, type Import, importsOf, ROOT, SOURCES, TESTS } from './harness/sources.ts';
import { SHARING_FOLDERS } from './sequencer.ts';

/** The first folder below src, or the file itself at the top. */
function room(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Whether a file is in this room, or in this part of one. */
function isWithin(path: string, part: string): boolean {
  return part.includes('/') ? path.startsWith(`src/${part}`) : room(path) === part;
}

/**
 * Which rooms each room may import from, whole or a part of one; lib and config are open to all. `types` marks rooms
 * of which only types may be used.
 */
const LEAVES = ['lib', 'config'];
const ARROWS: Readonly<
  Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }>
> = {
  lib: { values: [] },
  config: { values: ['lib', 'fleet/dialect.ts'] },
  fleet: { values: [] },
  rollout: { values: [] },
  store: { values: ['rollout', 'fleet/model/', 'fleet/facts/'], types: ['fleet', 'views'] },
  views: { values: ['fleet', 'rollout', 'store/port/'], types: ['store'] },
  inventory: { values: ['fleet'], types: ['store'] },
  requests: { values: ['fleet', 'rollout', 'store/port/'], types: ['store', 'inventory'] },
  commands: { values: ['fleet', 'rollout', 'inventory'], types: ['store', 'views', 'requests'] },
  watch: { values: ['fleet'], types: ['store', 'views', 'inventory'] },
  slack: {
    values: [
      ...['commands', 'requests/decide/', 'inventory', 'views', 'fleet', 'rollout'],
      'store/requests-with-targets.ts',
    ],
    types: ['store', 'watch'],
  },
  health: { values: ['views', 'slack', 'store'], types: ['watch', 'fleet'] },
  doctor: { values: ['slack', 'fleet', 'store', 'views', 'rollout'] },
  maintenance: { values: ['store'] },
  cluster: { values: ['store'], types: ['fleet'] },
  sandbox: { values: ['app.ts', 'start.ts'] },
};

/** Imports of this room from a room that is not open to it. */
function wrongImports(imports: readonly Import[], from: string): readonly string[] {
  const { values = [], types = [] } = ARROWS[from] ?? {};
  return imports
    .filter((one) => one.to.startsWith('src/') && room(one.from) === from && room(one.to) !== from)
    .filter(({ to }) => !(LEAVES.includes(room(to)) && !LEAVES.includes(from)))
    .filter(({ to }) => !values.some((value) => isWithin(to, value)))
    .filter((one) => !(one.typeOnly && types.includes(room(one.to))))
    .map(({ from: file, to }) => `${file} -> ${to}`);
}

describe('the arrows between folders', () => {
  it.each(Object.keys(ARROWS))('%s imports only what stands below it', (from) => {
    expect(wrongImports(IMPORTS, from)).toEqual([]);
  });

  it.each([
    ['lib', 'src/config/config.ts'],
    ['config', 'src/commands/index.ts'],
    ['config', 'src/fleet/client.ts'],
    ['fleet', 'src/store/open.ts'],
    ['sandbox', 'src/slack/slack.ts'],
  ])('an import of %s from %s is found', (from, to) => {
    const planted = { from: `src/${from}/a.ts`, to, typeOnly: false };
    expect(wrongImports([planted], from)).toEqual([`src/${from}/a.ts -> ${to}`]);
  });

  it('every folder has its arrows', () => {
    const folders = new Set(
      CODE.filter(({ path }) => path.split('/').length > 2).map(({ path }) => room(path)),
    );
    expect([...folders].filter((folder) => !(folder in ARROWS))).toEqual([]);
  });

  it('nothing outside the command line and the sandbox imports the sandbox', () => {
    const wrong = IMPORTS.filter(
      ({ from, to }) => to.startsWith('src/sandbox/') && !from.startsWith('src/sandbox/'),
    );
    expect(wrong.map(({ from }) => from)).toEqual(['src/main.ts']);
  });
});

describe('who may hold what', () => {
  const importersOf = (target: RegExp) => [
    ...new Set(
      IMPORTS.filter(({ to, from }) => target.test(to) && !from.startsWith('src/sandbox/')).map(
        ({ from }) => from,
      ),
    ),
  ];

  it('only slack and doctor run Slack’s libraries; views use their types', () => {
    const running = IMPORTS.filter(({ to, typeOnly }) => /^@slack\//.test(to) && !typeOnly).map(
      ({ from }) => from,
    );
    expect(running.filter((path) => !/^src\/(slack|doctor)\//.test(path))).toEqual([]);
    expect(importersOf(/^@slack\//).filter((path) => !/^src\/(slack|doctor|views)\//.test(path))).toEqual([]);
  });

  it('WebClients are made in one place', () => {
    const makers = CODE.filter(({ text }) => /new WebClient\(/.test(text)).map(({ path }) => path);
    expect(makers).toEqual(['src/slack/web-api/clients.ts']);
  });

  it('undici is known to the client of the service, to connections with Slack and to the way through a proxy', () => {
    expect(
      importersOf(/^undici/).filter(
        (path) => !/^src\/(fleet\/|doctor\/|slack\/socket-mode\/|lib\/proxy\.ts)/.test(path),
      ),
    ).toEqual([]);
  });

  it('the database is known to the store', () => {
    expect(importersOf(/^(kysely|pg|node:sqlite)/).filter((path) => !path.startsWith('src/store/'))).toEqual(
      [],
    );
  });
});

describe('words that must not appear', () => {
  const BANNED: readonly (readonly [string, RegExp, RegExp | null])[] = [
    ['any', /(?::|<|\bas)\s*any(?=[\s;,)>\]=]*(?:[;,)>\]=]|$))/m, null],
    ['as unknown as', /as unknown as/, null],
    ['non-null assertions', /[\w)\]]!(?:\.|\[|;|\)|,)/, null],
    ['process.env', /process\.env/, /^src\/(config\/config\.ts|runtime\.js|sandbox\/)/],
    [
      'the time of day',
      /Date\.now\(|new Date\(\)|performance\.now\(/,
      /^src\/(lib\/clock\.ts|sandbox\/slack\/page\/)/,
    ],
    ['switched-off checks', /@ts-ignore|@ts-expect-error|biome-ignore/, null],
    ['module mocks', /vi\.mock\(/, null],
    ['unfinished work', /\b(?:TODO|FIXME|XXX)\b|not implemented/, null],
  ];
  const files = [...CODE, ...TESTS];
  for (const [name, pattern, allowed] of BANNED) {
    it(name, () => {
      const wrong = files
        .filter(({ path }) => path !== 'test/architecture.test.ts' && !(allowed?.test(path) ?? false))
        .filter(({ path }) =>
          name !== 'process.env' && name !== 'the time of day' ? true : path.startsWith('src/'),
        )
        .filter(({ text }) => pattern.test(text));
      expect(wrong.map(({ path }) => path)).toEqual([]);
    });
  }
});

describe('what the compiler checks', () => {
  const projects = globSync(['tsconfig.json', '{src,test}/**/tsconfig.json'], { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));

  it('browser names are known to the page, and to the tests that look into a browser', () => {
    const withBrowser = projects.filter(({ text }) => text.includes('"DOM"')).map(({ path }) => path);
    expect(withBrowser.sort()).toEqual(['src/sandbox/slack/page/tsconfig.json', 'test/tsconfig.json']);
    expect(CODE.filter(({ text }) => /<reference\s+lib/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('every project is checked by npm run types, and so are the types of libraries', () => {
    const { types } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;
    const expected = projects.map(({ path }) =>
      path === 'tsconfig.json' ? 'tsc --noEmit' : `tsc --noEmit --project ${dirname(path)}`,
    );
    expect(types.split(' && ').sort()).toEqual(expected.sort());
    expect(projects.filter(({ text }) => /"skipLibCheck": true/.test(text))).toEqual([]);
  });
});

describe('the size of things', () => {
  it('no source file is longer than 700 lines', () => {
    const long = SOURCES.filter(({ text }) => text.split('\n').length > 700);
    expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length}`)).toEqual([]);
  });

  it('no test file is longer than 700 lines', () => {
    const long = TESTS.filter(({ text }) => text.split('\n').length > 700);
    expect(TESTS.length).toBeGreaterThan(300);
    expect(long.map(({ path, text }) => `${path}: ${text.split('\n').length}`)).toEqual([]);
  });

  it('the top level holds what it should and nothing else', () => {
    const tracked = globSync('*', { cwd: ROOT }).filter(
      (name) => !['node_modules', 'coverage', 'dist'].includes(name),
    );
    expect(tracked.filter((name) => !/\.sqlite|\.lock\.db$/.test(name)).sort()).toEqual(
      [
        'Dockerfile',
        'LICENSE',
        'README.md',
        'manifest.yml',
        'package-lock.json',
        'package.json',
        'src',
        'test',
        'tsconfig.json',
      ].sort(),
    );
  });

  it('the lockfile records no addresses', () => {
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
  });
});

it('what test files share a worker import registers no hook of its own', () => {
  const helpers = TESTS.filter(({ path }) => !path.endsWith('.test.ts'));
  const withHooks = helpers
    .filter(({ text }) => /^(before|after)(Each|All)\(|^export const \w+ = perTest/m.test(text))
    .map(({ path }) => path);
  expect(withHooks.length).toBeGreaterThan(2);
  const shared = TESTS.filter(({ path }) =>
    SHARING_FOLDERS.some((folder) => path.startsWith(`test/${folder}/`)),
  );
  const imported = shared.flatMap(importsOf).map(({ to }) => to);
  expect(shared.length).toBeGreaterThan(100);
  expect(withHooks.filter((path) => imported.includes(path))).toEqual([]);
});

describe('a test of the page', () => {
  const READS = 'textContent|innerText|allTextContents|allInnerTexts|count|isVisible|isChecked|isEnabled';
  /** A read of an element that is judged at once: the page may be drawn anew at that moment. */
  const ONCE = new RegExp(
    `expect\\(\\s*await [^;]*?\\.(${READS}|inputValue|getAttribute|boundingBox)\\(`,
    'g',
  );

  it.each([
    ["expect(await page.locator('b').textContent()).toBe('x');", true],
    ['expect(\n  await card.count(),\n).toBe(1);', true],
    ["await expect.poll(() => page.locator('b').textContent()).toBe('x');", false],
    ["expect(await hears('x')).toBe(1);\nawait expect.poll(() => a.count()).toBe(1);", false],
  ])('%j judges what it reads at once: %s', (text, isOnce) => {
    expect(text.match(ONCE) !== null).toBe(isOnce);
  });

  it('asks until what it reads is as it should be', () => {
    const pages = TESTS.filter(({ path }) => /^test\/(sandbox\/page|e2e)\//.test(path));
    expect(pages.length).toBeGreaterThan(40);
    expect(
      pages.flatMap(({ path, text }) => (text.match(ONCE) ?? []).map((found) => `${path}: ${found}`)),
    ).toEqual([]);
  });
});
