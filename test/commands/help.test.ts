import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRegistry, type ReadPorts } from '../../src/commands/core/command.ts';
import { requiredPermission } from '../../src/commands/core/reader-rights.ts';
import { withFleetNames } from '../../src/commands/help.ts';
import { registry } from '../../src/commands/index.ts';
import { OPTION_KEYS } from '../../src/commands/parser/rollout-options.ts';
import { tokenizeTyped } from '../../src/commands/parser/tokenizer.ts';
import { scanCommand } from '../../src/commands/scan-and-reboot.ts';
import type { Suggestion } from '../../src/inventory/inventory.ts';
import { checkPermission, type Permission, ROLES, type Role } from '../../src/lib/access.ts';
import { deviceId, personId, policyId } from '../../src/lib/ids.ts';
import { readButtonValue } from '../../src/views/kit/buttons.ts';
import { type Problem, renderView, type View } from '../../src/views/views.ts';
import { aDevice, aGroup, aPackage, aPolicy } from '../harness/builders.ts';
import { property } from '../harness/property.ts';
import { testPorts } from './harness/ports.ts';
import { commandOf, lineWords, namedLine, taken } from './harness/typed-line.ts';

const ADMIN = personId('U0ADMIN');
const help = commandOf('read', 'help');

async function helpFor(role: Role | null, topic: string | null = null) {
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

  it('names who has which role to those who may look, and where that is set', async () => {
    const view = await help.run({ topic: 'roles' }, 0, testPorts({}).ports);
    expect(words(view)).toContain(
      '*Approver*: <@UAPPROVER>\\n*Operator*: <@UOPERATOR>, <!subteam^S0OPS>\\n*Viewer*: nobody',
    );
    expect(words(view)).toContain('in the configuration file, not in Slack');
    expect(words(await helpFor(null, 'roles'))).not.toContain('<!subteam');
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
    const expected = { problem: { kind: 'unknown-command', nearest: expect.arrayContaining(['changing']) } };
    expect(await help.run({ topic: 'changin' }, 0, testPorts({}).ports)).toMatchObject(expected);
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

  const piece = fc.constantFrom(' ', ...'<!channel> * ` " \' : - $& web because or #1'.split(' '));
  const label = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));
  property([fc.array(label, { maxLength: 4 })])(
    'are read back as one word, whatever the fleet is called',
    (labels) => {
      const [first = ''] = shown(labels.map((one) => ({ label: one })));
      const read = tokenizeTyped(first);
      expect(read.kind === 'words' && read.words.free).toHaveLength(2);
      expect(first).not.toMatch(/[<>*`]/);
    },
  );
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

describe('the commands', () => {
  describe('registry', () => {
    it('finds a command whatever the case', () => {
      expect(registry.find('Reboot')?.name).toBe('reboot');
      expect(registry.find('rebot')).toBeNull();
      expect(registry.find('constructor')).toBeNull();
    });

    it('offers the nearest names', () => {
      expect(registry.nearest('rebot')[0]).toBe('reboot');
      expect(registry.nearest('devcie')[0]).toBe('device');
    });

    it('refuses two commands of one name', () => {
      expect(() => createRegistry(() => [scanCommand, scanCommand])).toThrow('scan');
    });

    it('starts every usage and every example with the name of its command', () => {
      for (const { name, usage, examples, summary } of registry.all()) {
        for (const line of [usage, ...examples]) expect(line.split(' ')[0]).toBe(name);
        expect(summary).toMatch(/^[A-Z].*\.$/);
      }
    });

    it('gives everybody only help', () => {
      const open = registry.all().filter((command) => command.kind === 'read' && command.open);
      expect(open.map(({ name }) => name)).toEqual(['help']);
    });
  });

  describe('help', () => {
    const { ports } = testPorts({});
    const none = { free: [], filters: [], flags: [], reason: null };

    it('lists every command of the registry where no person is given', async () => {
      const view = await help.run({ topic: 'all' }, 0, ports);
      if (view.kind !== 'help') throw new Error('no help');
      const named = view.sections.flatMap(({ commands }) => commands);
      expect(named.toSorted(byName)).toEqual(registry.help().toSorted(byName));
      expect(view.sections.map(({ title }) => title)).toEqual([
        'Look at the fleet',
        'Change devices, groups and policies',
        'Alerts',
        'Settings',
      ]);
      expect(view).toMatchObject({ withheld: 0, refusal: null });
      expect(registry.help().map(({ name }) => name)).toEqual(registry.all().map(({ name }) => name));
    });

    it('describes one', async () => {
      const parsed = help.parse({ ...none, free: ['REBOOT'] });
      if (parsed.kind === 'fault') throw new Error('no fault');
      const topic = { name: 'reboot' };
      expect(await help.run(parsed.input, 0, ports)).toMatchObject({ kind: 'help', topic });
    });

    it('names an unknown topic back', async () => {
      const problem = { kind: 'unknown-command', word: 'rebot', root: '/fleet' };
      expect(await help.run({ topic: 'rebot' }, 0, ports)).toMatchObject({ kind: 'problem', problem });
    });

    it('names a flag in place of a command', () => {
      const fault = { word: '--x' };
      expect(help.parse({ ...none, flags: ['--x'] })).toMatchObject({ kind: 'fault', fault });
    });
  });

  const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
});

describe('buttons for viewers', () => {
  const worklet = aPolicy({ id: policyId(12), name: 'Harden SSH', type: 'custom' });
  const content = {
    devices: [aDevice({ policies: [worklet] }), aDevice({ id: deviceId(1002), name: 'web-02' })],
    groups: [aGroup()],
    policies: [worklet],
    packages: [aPackage()],
  };
  const LINES = [
    'device web-01',
    'device web-01 policies',
    'packages web-01',
    'queue web-01',
    'devices',
    'groups',
    'group "Linux servers"',
    'policies',
    'policy "Harden SSH"',
    'missing openssl',
    'compliance',
    'events web-01',
  ];
  /** Their answers have buttons that change something, for people who may. */
  const OFFERING = ['device web-01', 'device web-01 policies', 'packages web-01', 'group "Linux servers"'];

  /** Commands that the answer's buttons run, or whose forms they open. */
  async function offered(line: string, more: Partial<ReadPorts>): Promise<readonly string[]> {
    const { name, words } = namedLine(line);
    const command = commandOf('read', name);
    const view = await command.run(taken(command.parse(words)), 0, { ...testPorts(content).ports, ...more });
    return valuesIn(renderView(view).blocks).flatMap((text) => {
      const value = readButtonValue(text);
      return value?.do === 'run' || value?.do === 'form' ? [value.command] : [];
    });
  }

  function valuesIn(part: unknown): readonly string[] {
    if (Array.isArray(part)) return part.flatMap(valuesIn);
    if (typeof part !== 'object' || part === null) return [];
    return Object.entries(part).flatMap(([key, value]) =>
      key === 'value' && typeof value === 'string' ? [value] : valuesIn(value),
    );
  }

  const changes = (commands: readonly string[]) =>
    commands.filter((command) => registry.find(command)?.kind === 'write');
  const refused = { kind: 'not-allowed', need: 'operator', role: 'viewer', ask: [] } as const;

  describe('what buttons offer', () => {
    it.each(LINES)('nothing below “%s” asks for a change that its reader may not ask for', async (line) => {
      expect(changes(await offered(line, { refusal: async () => refused }))).toEqual([]);
    });

    it.each(OFFERING)('but “%s” offers changes to who may ask for them', async (line) => {
      expect(changes(await offered(line, { refusal: async () => null }))).not.toEqual([]);
    });
  });
});
