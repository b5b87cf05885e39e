import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requiredPermission } from '../../src/commands/core/reader-rights.ts';
import { withFleetNames } from '../../src/commands/help.ts';
import { registry } from '../../src/commands/index.ts';
import { OPTION_KEYS } from '../../src/commands/parser/rollout-options.ts';
import { tokenizeTyped } from '../../src/commands/parser/tokenizer.ts';
import type { Suggestion } from '../../src/inventory/inventory.ts';
import { checkPermission, type Permission, ROLES, type Role } from '../../src/lib/access.ts';
import { personId } from '../../src/lib/ids.ts';
import type { Problem, View } from '../../src/views/model.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice } from '../harness/builders.ts';
import { testPorts } from './harness/ports.ts';
import { lineWords } from './harness/typed-line.ts';

const ADMIN = personId('U0ADMIN');

async function helpFor(role: Role | null, topic: string | null = null) {
  const help = registry.find('help');
  if (help?.kind !== 'read') throw new Error('help reads');
  const { ports } = testPorts({ devices: [aDevice({ name: 'shop-7' })] });
  await ports.inventory.snapshot();
  const refusal = async (need: Permission): Promise<Problem | null> => {
    const access = checkPermission(role, need);
    return access.allowed ? null : { kind: 'not-allowed', need: access.needed, role, ask: [ADMIN] };
  };
  const view = await help.run({ topic }, 0, { ...ports, refusal });
  if (view.kind !== 'help') throw new Error('no help');
  return view;
}
const namesOf = ({ sections }: Extract<View, { kind: 'help' }>) =>
  sections.flatMap(({ commands }) => commands.map(({ name }) => name));
const words = (view: View) => JSON.stringify(renderView(view).blocks);

/** The lines of the first screen. */
const tasksOf = ({ start }: Extract<View, { kind: 'help' }>) => start?.tasks.map(({ line }) => line);

describe('the first screen of help', () => {
  it.each([
    ['viewer', ['devices is:pending group:"Linux servers"', 'devices is:needs-reboot'], 'operations'],
    [
      'operator',
      ['patch shop-7 severity:critical because monthly patches', 'reboot shop-7 because kernel update'],
      'operations',
    ],
    [
      'approver',
      ['patch shop-7 severity:critical because monthly patches', 'reboot shop-7 because kernel update'],
      'approvals',
    ],
  ] as const)('shows a %s six tasks with names of their own fleet', async (role, own, last) => {
    const view = await helpFor(role);
    const read = ['device shop-7', 'packages shop-7'];
    expect(tasksOf(view)).toEqual([...read, ...own, 'alerts', last]);
  });

  it('says what the reader’s role is, and who changes roles', async () => {
    expect(renderView(await helpFor('operator')).text).toContain(
      'You’re an operator. Approvers and admins approve requests. Roles come from the configuration file. Ask <@U0ADMIN> to change them.',
    );
    expect(renderView(await helpFor('admin')).text).not.toContain('Ask <@');
  });

  it.each(ROLES)('shows a %s only tasks of commands that the role may use', async (role) => {
    const tasks = tasksOf(await helpFor(role)) ?? [];
    expect(tasks).toHaveLength(6);
    for (const line of tasks) {
      const command = registry.find(line.split(' ')[0] ?? '');
      if (command === null) throw new Error(line);
      expect(checkPermission(role, requiredPermission(command)).allowed, line).toBe(true);
    }
  });

  it('leads by text and buttons to every topic, and each command is in one of them', async () => {
    const view = await helpFor('admin');
    const topics = view.start?.topics ?? [];
    expect(topics).toEqual(['looking', 'changing', 'alerts', 'filters', 'settings']);
    const drawn = words(view);
    expect(drawn).toContain(`Or type \`/fleet help TOPIC\`: ${topics.join(', ')}.`);
    for (const topic of topics) {
      expect(drawn).toContain(`{\\"topic\\":\\"${topic}\\"}`);
    }
    const pages = await Promise.all(topics.map((topic) => helpFor('admin', topic)));
    expect(pages.flatMap(namesOf).toSorted()).toEqual(
      registry
        .all()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('fits on one screen', async () => {
    for (const role of ROLES) expect(renderView(await helpFor(role)).blocks.length).toBeLessThan(8);
  });
});

describe('a topic of help', () => {
  it('that has the name of a command shows both', async () => {
    const view = await helpFor('viewer', 'alerts');
    expect(view.topic?.name).toBe('alerts');
    expect(namesOf(view)).toEqual(expect.arrayContaining(['alerts', 'subscribe']));
    const drawn = words(view);
    expect(drawn).toContain('*Examples*');
    expect(drawn).toContain('`/fleet subscriptions`');
  });

  it('counts commands that need a higher role', async () => {
    const view = await helpFor('viewer', 'changing');
    expect(namesOf(view)).toEqual(['explain']);
    expect(words(view)).toContain('13 more commands need a higher role.');
  });

  it('that is mistyped is offered', async () => {
    const help = registry.find('help');
    if (help?.kind !== 'read') throw new Error('help reads');
    expect(await help.run({ topic: 'changin' }, 0, testPorts({}).ports)).toMatchObject({
      problem: { kind: 'unknown-command', nearest: expect.arrayContaining(['changing']) },
    });
  });
});

describe('help', () => {
  it.each(ROLES)('shows a %s exactly what that role may do, and how much more there is', async (role) => {
    const view = await helpFor(role, 'all');
    const allowed = registry
      .all()
      .filter((command) => checkPermission(role, requiredPermission(command)).allowed);
    expect(namesOf(view).toSorted()).toEqual(allowed.map(({ name }) => name).toSorted());
    expect(view.withheld).toBe(registry.all().length - allowed.length);
  });

  it('shows who has no role why, and whom to ask', async () => {
    const view = await helpFor(null);
    expect(namesOf(view)).toEqual(['help']);
    expect(words(view)).toContain('You need the viewer role (you have no role).');
    expect(words(view)).toContain('Ask <@U0ADMIN> for this role.');
  });

  it('shows all of one command, with its values, and why the reader may not use it', async () => {
    const reboot = words(await helpFor('viewer', 'reboot'));
    expect(reboot).toContain('You need the operator role (you’re a viewer).');
    expect(words(await helpFor('viewer', 'device-edit'))).toMatch(/\*Values\*\\n`name:NEW`, `name:none`/);
  });

  it.each(['devices', 'filters', 'Filters'])(
    '%s: says what each filter finds, with what the fleet has, to who may look',
    async (topic) => {
      const view = await helpFor('viewer', topic);
      const explained = words(view);
      for (const filter of [
        '`os:Linux` with this operating system',
        '`tag:web` with this tag',
        '`is:offline,stale` in any of these states',
        '`-is:online` “-” negates a filter',
      ])
        expect(explained).toContain(filter);
      const { usage = '' } = view.topic ?? {};
      const keys = [...usage.matchAll(/\[([a-z]+):/g)].map(([, key]) => key);
      expect(view.filters?.map(({ text }) => text.split(':')[0])).toEqual([...keys, '-is', 'is']);
      expect((await helpFor(null, topic)).filters).toBeUndefined();
    },
  );

  it('explains filters by examples that are understood', async () => {
    const devices = registry.find('devices');
    const { filters = [] } = await helpFor('viewer', 'filters');
    expect(filters.length).toBeGreaterThan(10);
    for (const { text } of filters.filter((one) => !one.text.startsWith('in:'))) {
      expect(devices?.parse(lineWords(text)), text).toMatchObject({ kind: 'input' });
    }
  });

  it('has examples from the reader’s own fleet, and none of them for who may not look', async () => {
    expect((await helpFor('operator', 'reboot')).topic?.examples).toEqual([
      'reboot shop-7 because kernel update',
      'reboot group:"Linux servers" is:needs-reboot waves:1,25% because kernel update',
    ]);
    expect((await helpFor('viewer', 'reboot')).topic?.examples).toEqual([
      'reboot web-01 because kernel update',
      'reboot group:"Linux servers" is:needs-reboot waves:1,25% because kernel update',
    ]);
  });
});

describe('names in examples', () => {
  const entry = { name: 'x', usage: 'x', summary: 'X.', examples: ['x web-01', 'x group:"Linux servers"'] };
  const shown = (found: readonly Partial<Suggestion>[]) =>
    withFleetNames(entry, {
      suggest: () => found.map((one) => ({ id: 5, label: 'a', detail: null, ...one })),
    }).examples;

  it.each([
    ['plain ones', ['shop-7'], ['x shop-7', 'x group:shop-7']],
    ['spaces only in quotes', ['shop floor'], ['x web-01', 'x group:"shop floor"']],
    ['what two have is passed over', ['dup', 'dup', 'one'], ['x one', 'x group:one']],
    ['a word of the grammar keeps its quotes', ['because'], ['x web-01', 'x group:"because"']],
    ['none is left as it was', [], entry.examples],
  ])('%s', (_what, labels, examples) => {
    expect(shown(labels.map((label) => ({ label })))).toEqual(examples);
  });

  it('are read back as one word, whatever the fleet is called', () => {
    const piece = fc.constantFrom(
      '<!channel>',
      '*',
      '`',
      '"',
      "'",
      ':',
      '-',
      '$&',
      ' ',
      'web',
      'because',
      'or',
      '#1',
    );
    const label = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(label, { maxLength: 4 }), (labels) => {
        const [first = ''] = shown(labels.map((one) => ({ label: one })));
        const read = tokenizeTyped(first);
        expect(read.kind === 'words' && read.words.free).toHaveLength(2);
        expect(first).not.toMatch(/[<>*`]/);
      }),
    );
  });
});

describe('the button below the help of a command', () => {
  const attempts = async (kind: 'run' | 'form' | undefined) => {
    const views = await Promise.all(
      registry.all().map(async ({ name }) => ({ name, view: await helpFor('admin', name) })),
    );
    return views.filter(({ view }) => view.attempt?.do === kind).map(({ name }) => name);
  };

  it('runs only reads and lists, opens a form for the others, and every command has one', async () => {
    expect(await attempts('run')).toEqual([
      ...['devices', 'events', 'groups', 'policies', 'compliance', 'organization', 'approvals'],
      ...['operations', 'audit', 'status', 'alerts', 'subscriptions', 'saved', 'accept-removals', 'help'],
    ]);
    expect(await attempts(undefined)).toEqual([]);
  });

  it('is missing for people who may not use the command', async () => {
    expect((await helpFor('viewer', 'reboot')).attempt).toBeNull();
    expect(words(await helpFor('viewer', 'reboot'))).not.toContain('"try"');
    expect(words(await helpFor('operator', 'reboot'))).toContain('"try"');
  });
});

it('explains the options of each command whose usage stands for them with one word', async () => {
  const commands = registry.all().filter(({ usage }) => usage.includes('[OPTIONS]'));
  expect(commands.map(({ name }) => name)).toContain('patch');
  for (const { name } of commands) {
    const shown = words(await helpFor('operator', name));
    for (const key of OPTION_KEYS) expect(shown).toContain(`\`${key}:`);
  }
  expect(words(await helpFor('operator', 'queue'))).not.toContain('*Options*');
});

it('draws only what can be typed as code in the sentence about a command', async () => {
  expect(words(await helpFor('operator', 'device-edit'))).toContain(
    'one device alone. `group:`, `tag:` and `ip:` set values here. To select devices',
  );
  expect(words(await helpFor('operator', 'save'))).toContain(
    'Save filters of “devices” under a name, to use as `in:NAME`.',
  );
});
