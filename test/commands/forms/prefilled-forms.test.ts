/** Forms that continue an incomplete line, and the input that they give to their commands. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { CommandForm, FormPorts, OpenedForm } from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { prefillFrom } from '../../../src/commands/parser/line-parser.ts';
import { plainLine } from '../../../src/commands/parser/tokenizer.ts';
import { eventId, groupId, personId, policyId } from '../../../src/lib/ids.ts';
import type { AlertQuery } from '../../../src/store/port/alert-records.ts';
import { aDevice, aGroup, aPolicy, START } from '../../harness/builders.ts';
import { aMember, anAlert, aSilence, aSubscription } from '../../harness/records.ts';
import { createFakeSettings } from '../harness/fake-settings.ts';
import { drawn, type Entered, valuesOf } from '../harness/forms.ts';
import { testPorts } from '../harness/ports.ts';
import { namedLine } from '../harness/typed-line.ts';

const LINUX = groupId(20);
const here = { groupIds: [LINUX] };

let ports: FormPorts;
beforeEach(() => {
  ports = testPorts({
    devices: [
      aDevice({ name: 'web-01', groupId: LINUX, policies: [], policyStatuses: [], policyCompliance: [] }),
    ],
    groups: [
      aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
      aGroup({ id: LINUX, name: 'Linux servers', parentId: groupId(1) }),
    ],
    policies: [
      aPolicy({ id: policyId(7), name: 'Disable SMBv1', type: 'custom', ...here }),
      aPolicy({ id: policyId(8), name: 'Apply All Patches', type: 'patch', ...here }),
      aPolicy({ id: policyId(9), name: 'VPN', type: 'required_software', ...here }),
      aPolicy({ id: policyId(10), name: 'Elsewhere', type: 'custom', groupIds: [groupId(1)] }),
    ],
  }).ports;
});

const { id: WEB_01 } = aDevice();
function commandOf(name: string) {
  const command = registry.find(name);
  if (command?.form === undefined) throw new Error(`${name} has no form`);
  return { ...command, form: command.form };
}

async function opens(line: string): Promise<OpenedForm> {
  const { name, words: free } = namedLine(line);
  const command = commandOf(name);
  const words = { ...free, line: plainLine(line) };
  const parsed = command.parse(words);
  if (parsed.kind !== 'fault' || parsed.fault.kind !== 'missing') throw new Error(`${line} lacks nothing`);
  return command.form.open(prefillFrom(command, words, parsed.fault), ports);
}
async function initials(line: string) {
  const { fields } = await drawn(opens(line));
  const initial = fields.flatMap((field) => {
    if (field.kind === 'words') return [];
    const { initial: one } = field;
    const isOption = typeof one === 'object' && one !== null && 'value' in one;
    return [[field.id, isOption ? one.value : one] as const];
  });
  return Object.fromEntries(initial);
}

function reads(name: string, values: Entered, context: unknown = null): ReturnType<CommandForm['read']> {
  return commandOf(name).form.read(valuesOf(values), context, ports);
}
const wrong = (field: string, words: unknown = expect.any(String)) => ({
  kind: 'errors',
  errors: { [field]: words },
});
/** Its input is valid for the command, whatever the result. */
async function gives(name: string, values: Entered, input: unknown, context: unknown = null) {
  expect(reads(name, values, context)).toEqual({ kind: 'input', input });
  const command = commandOf(name);
  const { settings, channel } = ports;
  const view = await (command.kind === 'write'
    ? command.plan(input, ports)
    : command.run(input, 0, { ...ports, refusal: async () => null, settings, channel })
  ).catch(() => null);
  expect(JSON.stringify(view)).not.toContain('this button');
}

describe('every command', () => {
  it.each(registry.all().map((command) => [command.name, command] as const))(
    '%s asks by a form for what it cannot do without',
    (name, { parse, form }) => {
      const parsed = parse({ free: [], filters: [], flags: [], reason: null, line: name });
      if (parsed.kind === 'fault')
        expect([parsed.fault.kind, form === undefined]).toEqual(['missing', false]);
    },
  );
});

describe('an incomplete line', () => {
  it.each([
    ['missing group:"Linux servers"', { package: null, cve: '', group: [{ value: '20' }] }],
    ['policy-test', { device: null, reason: '' }],
    [
      'policy-test web-01 because audit',
      { device: String(WEB_01), [`policy:${WEB_01}`]: null, reason: 'audit' },
    ],
    [
      'policy-remediate web-01 policy:VPN because',
      { device: String(WEB_01), [`policy:${WEB_01}`]: '9', reason: '' },
    ],
    [
      'silence until 18:00 because it moves',
      { events: [], group: null, device: null, package: '', lasts: '18:00', reason: 'it moves' },
    ],
    [
      'silence patch failures group:"Linux servers" for 90m because',
      { events: ['patch-failed'], group: '20', device: null, package: '', lasts: '90m', reason: '' },
    ],
    ['silence everything because', { events: ['*'], others: '', lasts: '2h' }],
    ['silence system.device.renamed because', { events: [], others: 'system.device.renamed' }],
    ['alias', null],
    ['alias shared lr', { name: 'lr', line: '', whose: 'shared' }],
    ['alias = status', { name: '', line: 'status', whose: 'mine' }],
    ['save', { name: '', line: '', whose: 'mine' }],
    ['explain', { line: '' }],
    ['explain reboot because “x”', { line: 'reboot because "x"' }],
    ['pause because', { reason: '' }],
    ['audit device days:30', { device: null, days: '30' }],
    ['events policy:VPN days:3 name:', { device: null, days: '3', until: '', name: null, policy: '9' }],
  ])('%s', async (line, expected) => {
    if (expected === null) await expect(initials(line)).rejects.toThrow('lacks nothing');
    else expect(await initials(line)).toMatchObject(expected);
  });

  it.each(['unsubscribe', 'acknowledge', 'silence off', 'alias remove', 'save remove'])(
    '%s says so where there is nothing to choose',
    async (line) => {
      expect(await opens(line)).toMatchObject({ kind: 'problem', problem: { fault: { kind: 'missing' } } });
    },
  );
});

describe('what can be chosen', () => {
  const optionsOf = async (line: string) => {
    const opened = await opens(line);
    const [field] = opened.kind === 'form' ? opened.form.fields.filter(({ kind }) => kind === 'choice') : [];
    return field?.kind === 'choice' ? field.options.map(({ value }) => value) : [];
  };

  it('are the policies of the device that can be run so', async () => {
    expect(await optionsOf('policy-test web-01')).toEqual(['7']);
    expect(await optionsOf('policy-remediate web-01')).toEqual(['7', '9']);
  });

  it('are subscriptions of this place, one’s own and those of other channels, but nobody else’s', async () => {
    const all = [
      aSubscription({ number: 1 }),
      aSubscription({ number: 2, channel: ports.channel }),
      aSubscription({ number: 3, person: ports.asker }),
      aSubscription({ number: 4, person: personId('UOTHER') }),
      aSubscription({ number: 5, channel: ports.channel }),
    ];
    ports = { ...ports, settings: createFakeSettings({ subscriptions: async () => all }) };
    expect(await optionsOf('unsubscribe')).toEqual(['2', '5', '3', '1', 'here']);
  });

  it('are open alerts that nobody acknowledged, and active silences', async () => {
    const taken = { number: eventId(2), acknowledgedBy: ports.asker };
    const rows = [anAlert(), anAlert([aMember()], taken)];
    const list = async ({ state }: AlertQuery) => ({ total: 2, rows: state === 'open' ? rows : [] });
    const silences = async () => [aSilence({ number: 4 }), aSilence({ number: 5, until: START })];
    ports = { ...ports, settings: createFakeSettings({ list, silences }) };
    expect(await optionsOf('acknowledge')).toEqual(['70001']);
    expect(await optionsOf('silence off')).toEqual(['4']);
  });

  it('are the person’s names, to remove', async () => {
    const by = ports.asker;
    await ports.settings.aliases.save({ owner: by, name: 'lr', by, line: 'status' });
    await ports.settings.aliases.save({ owner: null, name: 'all', by, line: 'devices' });
    expect(await optionsOf('alias remove')).toEqual(['mine:lr', 'shared:all']);
  });
});

describe('what was filled in', () => {
  const run = `policy:${WEB_01}`;
  const keep = { name: ['LR'], line: ['device  web-01 because “x”'], whose: ['shared'] };
  it.each([
    [
      'missing',
      { package: ['curl'], group: ['20'] },
      { sought: { kind: 'package', name: 'curl' }, group: [20] },
    ],
    [
      'missing',
      { severities: ['high', 'critical'] },
      { sought: { kind: 'severity', severities: ['critical', 'high'] }, group: null },
    ],
    ['missing', { cve: ['2026-1234'] }, { sought: { kind: 'cve', cves: ['CVE-2026-1234'] }, group: null }],
    ['policy-test', { device: [String(WEB_01)], [run]: ['7'] }, { device: WEB_01, policy: 7, reason: null }],
    [
      'silence',
      { events: ['*'], device: ['5'], lasts: ['18:00'], reason: ['x'] },
      {
        events: [],
        group: null,
        device: 5,
        package: null,
        lasts: { untilMinute: 1_080 },
        reason: 'x',
      },
    ],
    ['alias', keep, { do: 'keep', name: 'lr', shared: true, line: 'device web-01 because "x"' }],
    [
      'save',
      { name: ['x'], line: ['is:online'], whose: ['mine'] },
      { do: 'keep', name: 'x', shared: false, line: 'is:online' },
    ],
    ['timezone', { zone: ['new york'] }, { do: 'choose', zone: 'America/New_York' }],
    ['timezone', { zone: [] }, { do: 'reset' }],
    ['pause', { reason: [] }, { do: 'on', reason: null }],
    ['unsubscribe', { which: ['3'] }, { number: 3 }],
    ['unsubscribe', { which: ['me'] }, { all: 'me' }],
    ['acknowledge', { alert: ['70001'] }, { alert: 70_001 }],
    ['audit', { device: ['5'], days: ['30'] }, { device: 5, days: 30 }],
    [
      'events',
      { device: ['5'], days: ['30'], until: ['2026-03-05'], name: ['patch-failed'], policy: [] },
      {
        device: 5,
        filters: { policy: null, user: null, name: 'patch-failed', days: 30, until: '2026-03-05' },
      },
    ],
    [
      'events',
      { device: [], days: ['2'], name: ['user.login'], policy: ['9'] },
      { filters: { policy: 9, user: null, name: 'user.login', days: 2, until: null } },
    ],
    [
      'explain',
      { line: ['reboot web-01 because x'] },
      {
        command: 'reboot',
        typed: { free: ['web-01'], filters: [], flags: [], reason: 'x' },
        input: null,
      },
    ],
  ])('of %s is valid input: %j', (name, values, input) => gives(name, values, input));

  it('to end a silence or to remove a name is what the command takes', async () => {
    await gives('silence', { silence: ['4'] }, { off: 4 }, { off: true });
    const removal = { do: 'remove', name: 'lr', shared: true };
    await gives('alias', { removed: ['shared:lr'] }, removal, { remove: true });
  });

  it.each([
    ['missing', {}, 'package'],
    ['missing', { package: ['curl'], cve: ['2026-1234'] }, 'cve'],
    ['missing', { severities: ['high'], cve: ['2026-1234'] }, 'severities'],
    ['missing', { cve: ['x'] }, 'cve'],
    ['policy-test', { device: [] }, 'device'],
    ['policy-test', { device: ['5'], 'policy:5': [] }, 'policy:5'],
    ['policy-test', { device: ['5'], 'policy:6': ['7'] }, 'device'],
    ['silence', { events: [], lasts: ['2h'] }, 'events'],
    ['silence', { events: ['*', 'patch-failed'], lasts: ['2h'] }, 'events'],
    ['silence', { others: ['renamed'], lasts: ['2h'] }, 'others'],
    ['alias', { name: ['two words'], line: ['status'] }, 'name'],
    ['alias', { name: ['reboot'], line: ['status'] }, 'name'],
    ['alias', { name: ['x'], line: ['nothing of ours'] }, 'line'],
    ['alias', { name: ['a = b'], line: ['status'] }, 'name'],
    ['save', { name: ['x'], line: ['is:onlin'] }, 'line'],
    ['save', { name: ['x'], line: ['in:y'] }, 'line'],
    ['explain', { line: ['   '] }, 'line'],
    ['explain', { line: ['"open'] }, 'line'],
    ['explain', { line: ['reboot'] }, 'line'],
    ['unsubscribe', { which: [] }, 'which'],
    ['acknowledge', { alert: ['x'] }, 'alert'],
    ['events', { device: ['5'], until: ['tomorrow'] }, 'until'],
  ])('of %s has its error on the field: %j', (name, values, field) => {
    expect(reads(name, values)).toEqual(wrong(field));
  });

  it('comes with near matches', () => {
    expect(reads('timezone', { zone: ['Europe/Berln'] })).toEqual(
      wrong('zone', expect.stringContaining('Europe/Berlin')),
    );
    expect(reads('explain', { line: ['rebot web-01'] })).toEqual(
      wrong('line', expect.stringContaining('reboot')),
    );
  });
});

it('the policy that was typed stays chosen until another is, also for another device', async () => {
  const { redraw } = commandOf('policy-remediate').form;
  const policyOf = async (values: Entered) => {
    const { fields } = await drawn(redraw?.(valuesOf(values), { typed: { policy: 'VPN' } }, ports));
    return fields.find((field) => field.kind === 'choice')?.initial;
  };
  expect(await policyOf({ device: [String(WEB_01)] })).toBe('9');
  expect(await policyOf({ device: [String(WEB_01)], [`policy:${WEB_01}`]: ['7'] })).toBe('7');
});
