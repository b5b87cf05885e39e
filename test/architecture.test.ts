/** The arrows between the folders, the length of files, and the words that must not appear. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../src/lib/log.ts';
import { createClients } from '../src/slack/web-api/clients.ts';
import { createSlackWeb } from '../src/slack/web-api/slack-web.ts';
import { slackAt } from './harness/slack-at.ts';
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
  config: { values: ['lib', 'fleet/dialect.ts', 'rules'] },
  rules: { values: ['fleet/model/'] },
  fleet: { values: [] },
  rollout: { values: [] },
  store: { values: ['rollout', 'rules', 'fleet/model/', 'fleet/facts/'], types: ['fleet', 'views'] },
  views: { values: ['fleet', 'rollout', 'rules', 'store/port/'], types: ['store'] },
  inventory: { values: ['fleet'], types: ['store'] },
  requests: { values: ['fleet', 'rollout', 'rules', 'store/port/'], types: ['store', 'inventory'] },
  commands: { values: ['fleet', 'rollout', 'inventory', 'rules'], types: ['store', 'views', 'requests'] },
  alerts: { values: ['fleet'], types: ['store', 'inventory'] },
  watch: { values: ['fleet', 'alerts'], types: ['store'] },
  slack: {
    values: [
      ...['commands', 'requests/decide/', 'inventory', 'views', 'fleet', 'rollout', 'rules'],
      'store/requests-with-targets.ts',
    ],
    types: ['store', 'watch'],
  },
  health: { values: ['views', 'slack', 'store'], types: ['watch', 'fleet'] },
  doctor: { values: ['slack', 'fleet', 'store', 'views', 'rollout', 'rules', 'commands/rules/'] },
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

type Graph = ReadonlyMap<string, readonly string[]>;

/** The files of the product and those that each of them imports. */
function importGraph(imports: (file: string, text: string) => readonly string[]): Graph {
  const files = CODE.filter(({ path }) => path.endsWith('.ts'));
  return new Map(files.map(({ path, text }) => [path, imports(path, text)]));
}

/** Each import or export from another file, with its names. */
const FROM = /^(?:import|export)\s+(?<names>[^;]*?)\s*from\s+'(?<specifier>\.[^']+)';/gms;

type FromImport = { readonly to: string; readonly typeOnly: boolean };

function fromImports(file: string, text: string): readonly FromImport[] {
  return [...text.matchAll(FROM)].map(({ groups }) => ({
    to: join(dirname(file), groups?.['specifier'] ?? ''),
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
    expect(findCircle(importGraph(valueImports))).toBeNull();
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
    expect(findCircle(importGraph(allImports))).toBeNull();
  });

  it('are followed like values, except to the union of all views', () => {
    const text = "import type { A } from './a.ts';\nimport type { View } from './views.ts';";
    expect(allImports('src/views/x.ts', text)).toEqual(['src/views/a.ts']);
  });
});

/** What a part may use of the folder above it, and what makes that so. */
type Arrow = { readonly open: readonly string[]; readonly why: string };

const arrow = (why: string, ...open: readonly string[]): Arrow => ({ open, why });

const PRODUCT: Readonly<Record<string, Arrow>> = {
  'alerts/life': arrow('what becomes of an alert is decided without its store'),
  'commands/parser': arrow('words of a line are read without any command'),
  'commands/lists': arrow('pages go over any list'),
  'commands/targets': arrow('targets are named by parsed words', 'parser/'),
  'commands/software': arrow('packages are named like targets', 'parser/', 'targets/'),
  'commands/changes': arrow('a plan needs a parsed line and its targets', 'core/', 'parser/', 'targets/'),
  'fleet/model': arrow('what the service has is the same however it is read'),
  'fleet/schema': arrow('a row is checked without asking for more'),
  'fleet/limits': arrow('turns know lanes, and no request', 'fleet.ts'),
  'fleet/http': arrow('a call needs its turn and a checked answer', 'fleet.ts', 'limits/', 'schema/'),
  'fleet/reads': arrow('a read is a call and its rows', 'fleet.ts', 'http/', 'model/', 'schema/'),
  'inventory/search': arrow('a search reads the texts that it is given', 'nearest-names.ts'),
  'inventory/device-index': arrow('rows are stored with their texts', 'search/'),
  'inventory/persistence': arrow('saved rows become rows of the index', 'device-index/', 'search/'),
  'requests/drift': arrow('two readings are compared without a request'),
  'requests/proof': arrow('proof is judged from what was read', 'clip.ts', 'look-schedule.ts'),
  'requests/kinds': arrow(
    'a kind says how it drifts and is proved',
    ...['clip.ts', 'drift/', 'look-schedule.ts', 'members.ts', 'proof/', 'target-transitions.ts'],
  ),
  'requests/decide': arrow(
    'a decision sends nothing',
    ...[
      'clip.ts',
      'look-schedule.ts',
      'members.ts',
      'notifications.ts',
      'settle-request.ts',
      'target-transitions.ts',
    ],
  ),
  'requests/run': arrow(
    'a run sends what was decided',
    ...[
      'clip.ts',
      'decide/',
      'kinds/',
      'look-schedule.ts',
      'many-devices.ts',
      'notifications.ts',
      'proof/',
      'settle-request.ts',
      'target-transitions.ts',
    ],
  ),
  'requests/follow': arrow(
    'a look asks the kind, and never sends',
    ...['clip.ts', 'kinds/', 'look-schedule.ts', 'many-devices.ts', 'target-transitions.ts'],
  ),
  'slack/web-api': arrow('a call to Slack knows nothing of what is said'),
  'slack/replies': arrow('a reply is a call', 'web-api/'),
  'store/port': arrow('what is stored does not depend on how'),
  'store/tables': arrow('a table is a port on an engine', ...['engines/', 'port/', 'session.ts']),
  'store/due-work': arrow('a worker knows the kinds of due work', 'port/'),
  'views/kit': arrow('blocks are built whatever they say'),
  'views/models': arrow('facts of a view are drawn elsewhere'),
  'views/text': arrow('words are built of the kit', 'kit/'),
};

const SANDBOX: Readonly<Record<string, Arrow>> = {
  'sandbox/contracts': arrow('what the services promise each other needs nothing of them'),
  'sandbox/wire': arrow(
    'every service is served, faulted and recorded alike',
    'parse-json.ts',
    'foreign-caller.ts',
  ),
  'sandbox/management': arrow('the service does not know that Slack is there', 'parse-json.ts'),
  'sandbox/slack': arrow('Slack does not know the service or the bot', 'parse-json.ts'),
  'sandbox/control': arrow(
    'the control interface gets its services given',
    ...['contracts/', 'parse-json.ts', 'foreign-caller.ts'],
  ),
  'sandbox/process': arrow('the bot runs as a process on a moved clock', 'clock-sync.ts', 'wire/listen.ts'),
  'sandbox/management/world': arrow('the fleet begins as it was seeded', 'seed/'),
  'sandbox/management/seed': arrow(
    'a seed has the world’s chance and its states',
    ...['world/random.ts', 'world/event-log.ts', 'world/devices.ts'],
  ),
  'sandbox/management/endpoints': arrow('an endpoint changes the world and answers', 'world/', 'seed/'),
  'sandbox/slack/blocks': arrow('blocks are read as plain JSON', 'core/json-object.ts'),
  'sandbox/slack/state': arrow('what was entered is found in blocks', 'blocks/'),
  'sandbox/slack/core': arrow('the core holds all state', 'state/'),
  'sandbox/slack/objects': arrow(
    'an object of Slack shows state, and text as rich text',
    ...['blocks/', 'core/json-object.ts', 'messages/typed-text.ts', 'state/'],
  ),
  'sandbox/slack/validate': arrow('rules judge blocks as JSON', 'blocks/', 'core/json-object.ts'),
  'sandbox/slack/payloads': arrow('a payload shows state', ...['blocks/', 'core/', 'objects/', 'state/']),
  'sandbox/slack/messages': arrow(
    'content is checked and stored, and refused as the Web API does it',
    ...['blocks/', 'core/', 'state/', 'validate/', 'objects/emoji-names.ts', 'web-api/calls.ts'],
  ),
  'sandbox/slack/web-api': arrow(
    'a method checks, changes and answers',
    ...['blocks/', 'core/', 'messages/', 'objects/', 'state/', 'validate/'],
  ),
  'sandbox/slack/delivery': arrow('events carry objects', 'core/', 'objects/'),
  'sandbox/slack/http': arrow('uploads and response URLs are calls too', 'core/', 'messages/', 'web-api/'),
  'sandbox/slack/people': arrow(
    'an action of a person changes state and sends a payload, and a view in an answer is parsed as a method does it',
    ...[
      'blocks/',
      'core/',
      'messages/',
      'objects/',
      'payloads/',
      'state/',
      'validate/',
      'web-api/view-methods.ts',
    ],
  ),
  'sandbox/slack/page': arrow('the page knows the workspace by its addresses'),
};
const INNER_ARROWS = { ...PRODUCT, ...SANDBOX };

/** Imports by value that lead from this part to a place of the folder above that is not open to it. */
function wrongInnerImports(imports: readonly Import[], part: string, { open }: Arrow): readonly string[] {
  const above = `src/${dirname(part)}/`;
  return imports
    .filter(({ from, typeOnly }) => from.startsWith(`src/${part}/`) && !typeOnly)
    .filter(({ to }) => to.startsWith(above) && !to.startsWith(`src/${part}/`))
    .filter(({ to }) => !open.some((place) => to.startsWith(`${above}${place}`)))
    .map(({ from, to }) => `${from} -> ${to}`);
}

describe('the arrows within a folder', () => {
  it.each(Object.entries(INNER_ARROWS))('src/%s: $why', (part, its) => {
    expect(CODE.some(({ path }) => path.startsWith(`src/${part}/`))).toBe(true);
    expect(wrongInnerImports(IMPORTS, part, its)).toEqual([]);
  });

  it.each(Object.entries(INNER_ARROWS))('src/%s may use only what it uses', (part, { open }) => {
    const used = IMPORTS.filter(({ from }) => from.startsWith(`src/${part}/`)).map(({ to }) => to);
    const above = `src/${dirname(part)}/`;
    expect(open.filter((place) => !used.some((to) => to.startsWith(`${above}${place}`)))).toEqual([]);
  });

  it('find an import that goes another way', () => {
    const planted = Object.entries(INNER_ARROWS).map(([part, its]) => {
      const wrong = { from: `src/${part}/a.ts`, to: `src/${dirname(part)}/elsewhere/b.ts`, typeOnly: false };
      const free = [
        { ...wrong, typeOnly: true },
        { ...wrong, to: `src/${part}/c.ts` },
      ];
      return wrongInnerImports([wrong, ...free], part, its);
    });
    expect(planted.map((found) => found.length)).toEqual(planted.map(() => 1));
  });

  it('every folder of the sandbox has its arrows', () => {
    const above = ['sandbox', 'sandbox/management', 'sandbox/slack'];
    const parts = CODE.map(({ path }) => path.split('/').slice(1, -1)).flatMap((folders) =>
      folders.map((_, depth) => folders.slice(0, depth + 1).join('/')),
    );
    const missing = parts.filter((part) => above.includes(dirname(part)) && !(part in INNER_ARROWS));
    expect([...new Set(missing)]).toEqual([]);
  });
});

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const TABLE = [
  ...read('src/OUTSIDE-CALLS.md').matchAll(/^\| `(\w+)` \| (\w+) \| (.+) \| (\S+): (.+) \|$/gm),
].map(([, call = '', sent = '', unknown = '', file = '', test = '']) => ({
  call,
  sent,
  unknown,
  file,
  test,
}));

/** The methods of a type, as it is written. */
function methodsOf(path: string, type: string): readonly string[] {
  const [, body = ''] = read(path).split(new RegExp(`export type ${type} = (?:\\w+ & )?\\{\\n`));
  const [members = ''] = body.split('\n};');
  return [...members.matchAll(/^ {2}readonly (\w+): /gm)].map(([, name = '']) => name);
}

const CALLS = [
  ...Object.keys(createSlackWeb(createClients(slackAt('http://localhost:1/'), silentLog))),
  ...methodsOf('src/fleet/fleet.ts', 'FleetReader'),
  ...methodsOf('src/fleet/fleet.ts', 'FleetWriter'),
  ...methodsOf('src/fleet/fleet.ts', 'FleetEditor'),
  // Slack's response URLs, what it is told over a connection, and the address of that.
  ...['respond', 'acknowledge', 'connect'],
];

describe('the table of calls to the outside', () => {
  it('has each of them once, and no other', () => {
    expect(CALLS.length).toBeGreaterThan(40);
    expect(TABLE.map(({ call }) => call).sort()).toEqual([...CALLS].sort());
  });

  it.each(TABLE)('$call says whether it is repeated, and what becomes of it', ({ sent, unknown }) => {
    expect(['once', 'repeated']).toContain(sent);
    expect(unknown.length).toBeGreaterThan(10);
  });

  it.each(TABLE)('$call names a test that exists', ({ file, test }) => {
    const path = [`test/${file}.test.ts`, `test/${file}.ts`].find((one) => existsSync(join(ROOT, one)));
    expect(path).toBeDefined();
    expect(read(path ?? '')).toContain(test);
  });
});
