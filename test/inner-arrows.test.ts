/** The arrows within a folder: which of its parts each part may import by value, and why. Types are free. */
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODE, IMPORTS, type Import } from './harness/sources.ts';

/** What a part may use of the folder above it, and what makes that so. */
type Arrow = { readonly open: readonly string[]; readonly why: string };

const arrow = (why: string, ...open: readonly string[]): Arrow => ({ open, why });

const PRODUCT: Readonly<Record<string, Arrow>> = {
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
const ARROWS = { ...PRODUCT, ...SANDBOX };

/** Imports by value that lead from this part to a place of the folder above that is not open to it. */
function wrongImports(imports: readonly Import[], part: string, { open }: Arrow): readonly string[] {
  const above = `src/${dirname(part)}/`;
  return imports
    .filter(({ from, typeOnly }) => from.startsWith(`src/${part}/`) && !typeOnly)
    .filter(({ to }) => to.startsWith(above) && !to.startsWith(`src/${part}/`))
    .filter(({ to }) => !open.some((place) => to.startsWith(`${above}${place}`)))
    .map(({ from, to }) => `${from} -> ${to}`);
}

describe('the arrows within a folder', () => {
  it.each(Object.entries(ARROWS))('src/%s: $why', (part, its) => {
    expect(CODE.some(({ path }) => path.startsWith(`src/${part}/`))).toBe(true);
    expect(wrongImports(IMPORTS, part, its)).toEqual([]);
  });

  it.each(Object.entries(ARROWS))('src/%s may use only what it uses', (part, { open }) => {
    const used = IMPORTS.filter(({ from }) => from.startsWith(`src/${part}/`)).map(({ to }) => to);
    const above = `src/${dirname(part)}/`;
    expect(open.filter((place) => !used.some((to) => to.startsWith(`${above}${place}`)))).toEqual([]);
  });

  it('find an import that goes another way', () => {
    const planted = Object.entries(ARROWS).map(([part, its]) => {
      const wrong = { from: `src/${part}/a.ts`, to: `src/${dirname(part)}/elsewhere/b.ts`, typeOnly: false };
      const free = [
        { ...wrong, typeOnly: true },
        { ...wrong, to: `src/${part}/c.ts` },
      ];
      return wrongImports([wrong, ...free], part, its);
    });
    expect(planted.map((found) => found.length)).toEqual(planted.map(() => 1));
  });

  it('every folder of the sandbox has its arrows', () => {
    const above = ['sandbox', 'sandbox/management', 'sandbox/slack'];
    const parts = CODE.map(({ path }) => path.split('/').slice(1, -1)).flatMap((folders) =>
      folders.map((_, depth) => folders.slice(0, depth + 1).join('/')),
    );
    const missing = parts.filter((part) => above.includes(dirname(part)) && !(part in ARROWS));
    expect([...new Set(missing)]).toEqual([]);
  });
});
