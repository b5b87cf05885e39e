/**
 * The local Slack has exactly what the product uses: what a view builds or the bot calls is there, and nothing else is. A new
 * block, element or method enters with the view or the call that uses it.
 */
import { globSync, readFileSync } from 'node:fs';
import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EVENT_SCOPES } from '../../../src/sandbox/slack/delivery/events.ts';
import { formatDate } from '../../../src/sandbox/slack/page/text/dates.ts';
import { BLOCKS, ELEMENT_RULES, knownTypes } from '../../../src/sandbox/slack/validate/block-rules.ts';
import { allMethods } from '../../../src/sandbox/slack/web-api/web-api.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
/** The code below these folders, without comments. */
const codeIn = (...folders: readonly string[]) =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
    .map((path) => read(path).replace(/\/\*\*?[\s\S]*?\*\/|\/\/.*/g, ''))
    .join('\n');

const namesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name = '']) => name));

/** Values of `type` that are no block, element or text: views, payloads, answers and our own metadata. */
const OTHER_TYPES = ['block_actions', 'ephemeral', 'global', 'home', 'message', 'modal', 'view'];

it('takes the blocks, elements and texts of the views, and no others', () => {
  const drawn = namesIn(read('test/views/__snapshots__/render.test.ts.snap'), /"type": "(\w+)"/g);
  const written = namesIn(codeIn('src/views', 'src/slack'), /\btype: '(\w+)'/g);
  const used = [...drawn.union(written)].filter(
    (type) => !OTHER_TYPES.includes(type) && !type.startsWith('patchbay_'),
  );
  expect([...new Set(knownTypes())].sort()).toEqual(used.sort());
});

describe('the page', () => {
  const tables = [...codeIn('src/sandbox/slack/page').matchAll(/Object\.entries\(\{([\s\S]*?)\n {2}\}\)/g)];
  /** The types in the table of what draws them, which has this one. */
  const drawnWith = (type: string) => {
    const found = tables.map(([, table = '']) => namesIn(table, /^ {4}(\w+): /gm));
    return [...(found.find((types) => types.has(type)) ?? [])].sort();
  };

  it('draws what messages and views consist of, and nothing else', () => {
    // People's own messages are rich text.
    expect(drawnWith('divider')).toEqual([...Object.keys(BLOCKS), 'rich_text'].sort());
    expect(drawnWith('button')).toEqual(Object.keys(ELEMENT_RULES).sort());
  });

  it('says the dates of the views as Slack does', () => {
    const formats = [...read('src/views/kit/timestamps.ts').matchAll(/= '(.*\{\w+\}.*)'/g)].map(
      ([, one = '']) => one,
    );
    expect(formats.length).toBeGreaterThan(1);
    for (const format of formats) expect(formatDate(0, format, 0)).not.toContain('{');
  });
});

describe('the Web API', () => {
  const code = codeIn('src/slack', 'src/doctor');
  const families = Object.entries(new WebClient())
    .filter(([, family]) => typeof family === 'object' && family !== null)
    .map(([name]) => name);
  const called = namesIn(code, new RegExp(`\\.((?:${families.join('|')})(?:\\.\\w+)+)\\(`, 'g'));

  it('has the methods that the product calls, and no others', () => {
    // A window is opened or pushed by the name that says where it is shown.
    const shown = code.includes('views[where.kind](') ? ['views.open', 'views.push'] : [];
    const isMethod = (name: string) =>
      /^\w+(\.\w+)*$/.test(name) && families.includes(name.split('.')[0] ?? '');
    expect(
      allMethods(() => '')
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...called, ...namesIn(code, /\b(views\.update)\(/g), ...shown].filter(isMethod).sort());
  });
});

it('sends the events of the manifest, and no others', () => {
  const { settings } = parse(read('manifest.yml'));
  expect(Object.keys(EVENT_SCOPES).sort()).toEqual(settings.event_subscriptions.bot_events.toSorted());
});
