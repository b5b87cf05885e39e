/** Patch, reboot and scan from a list: the form is for exactly the devices that the list shows. */
import { describe, expect, it } from 'vitest';
import { complianceCommand } from '../../../src/commands/compliance.ts';
import type { CommandForm, FormPorts, ReadPorts } from '../../../src/commands/core/command.ts';
import { devicesCommand } from '../../../src/commands/devices.ts';
import { registry } from '../../../src/commands/index.ts';
import { missingCommand } from '../../../src/commands/missing.ts';
import { createMissingPatchIndex } from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { alertId, channelId, deviceId, groupId, packIds, unpackIds } from '../../../src/lib/ids.ts';
import { formWindow } from '../../../src/views/forms/form-window.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import type { FormField } from '../../../src/views/models/form-model.ts';
import { renderView, type View } from '../../../src/views/views.ts';
import { aDevice, aGroup, aPackage } from '../../harness/builders.ts';
import { noMissingPatchesSaved } from '../../harness/nothing-saved.ts';
import { aMember } from '../../harness/records.ts';
import { renderedText } from '../../views/rendered-text.ts';
import { createFakeSettings } from '../harness/fake-settings.ts';
import { type Entered, valuesOf } from '../harness/forms.ts';
import { testPorts } from '../harness/ports.ts';
import { inputOf, commandOf as namedCommand, proposalIn, runCommand } from '../harness/typed-line.ts';

const REFUSED = { kind: 'not-allowed', need: 'operator', role: 'viewer' } as const;
const KIOSKS = groupId(30);

const devicesOf = (count: number, step = 1) =>
  Array.from({ length: count }, (_, at) =>
    aDevice({
      id: deviceId(1001 + at * step),
      name: `web-${1001 + at}`,
      groupId: at % 2 === 0 ? KIOSKS : groupId(20),
      compliant: at % 3 !== 0,
      pendingPatches: 1,
    }),
  );
const CVE = { cves: ['CVE-2026-0001'] };
const packages = [
  aPackage({ ...CVE, name: 'openssl', displayName: 'OpenSSL', severity: 'critical' }),
  aPackage({ ...CVE, id: 502, name: 'curl', displayName: 'curl', severity: 'high' }),
  aPackage({ id: 503, name: 'zlib', displayName: 'zlib', severity: 'low', cves: [] }),
];
const groups = [aGroup(), aGroup({ id: KIOSKS, name: 'Kiosks' })];
const fleetOf = (devices = devicesOf(30)) => testPorts({ devices, groups, packages, pageSize: 500 }).ports;

/** A service that lists the missing packages of all devices. */
function withPackageList(devices: ReturnType<typeof devicesOf>, known = groups) {
  const { ports, fleet, clock } = testPorts({ devices, groups: known, packages, pageSize: 500 });
  const listing = {
    ...fleet,
    async *missingPackages() {
      const rows = devices.flatMap(({ id }) => packages.map((item) => ({ id: item.id, deviceId: id, item })));
      yield { rows, total: null, unreadable: 0 };
    },
  };
  const missingPatches = createMissingPatchIndex({
    fleet: listing,
    clock,
    onNames: () => undefined,
    ...noMissingPatchesSaved,
  });
  return { ...ports, missingPatches };
}

/** `more`: as the form fills it in. */
async function listMissing(text: string, more: object, ports: FormPorts) {
  const view = await missingCommand.run({ ...(inputOf(missingCommand, text) as object), ...more }, 0, ports);
  if (view.kind !== 'missing') throw new Error(JSON.stringify(view));
  return view;
}

type FormButton = {
  readonly label: string;
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
};

function changesIn(view: View): readonly FormButton[] {
  const found: FormButton[] = [];
  for (const { elements = [] } of renderView(view).blocks as readonly {
    readonly elements?: readonly { readonly value?: string; readonly text?: { readonly text: string } }[];
  }[]) {
    for (const { value, text } of elements) {
      const read = value === undefined ? null : readButtonValue(value);
      if (read?.do === 'form' && text !== undefined)
        found.push({ label: text.text, command: read.command, input: read.input as FormButton['input'] });
    }
  }
  return found;
}
const idsIn = ({ input }: FormButton) => unpackIds(String(input['ids']));

const commandOf = (name: string) => {
  const { plan, form } = namedCommand('write', name);
  if (form === undefined) throw new Error(`${name} has no form`);
  return { plan, form };
};

/** What the button requests, sent as it is filled, for this reason. */
async function requested({ command: name, input }: FormButton, ports: FormPorts) {
  const command = commandOf(name);
  const opened = await command.form.open(input, ports);
  if (opened.kind === 'problem') return opened.problem;
  const values = new Map<string, readonly string[]>([['reason', ['x']]]);
  for (const field of opened.form.fields) {
    if (field.kind === 'searches')
      values.set(
        field.id,
        field.initial.map(({ value }) => value),
      );
    if (field.kind === 'choices') values.set(field.id, field.initial);
    if (field.kind === 'text' && field.id !== 'reason') values.set(field.id, [field.initial]);
  }
  const read = command.form.read(values, opened.form.context, ports);
  if (read.kind === 'errors') throw new Error(JSON.stringify(read));
  return { ids: proposalIn(await command.plan(read.input, ports)).ids.toSorted((a, b) => a - b) };
}

const LISTS: readonly (readonly [string, (ports: ReadPorts) => Promise<View>, number])[] = [
  ['devices', (ports) => runCommand(devicesCommand, 'devices', 'group:Kiosks', ports), 15],
  ['missing', (ports) => runCommand(missingCommand, 'missing', 'openssl group:Kiosks', ports), 15],
  ['compliance', (ports) => runCommand(complianceCommand, 'compliance', '', ports), 10],
];

describe.each(LISTS)('the list of %s', (_name, list, count) => {
  it('offers to patch, reboot and scan all of its devices, on all pages', async () => {
    const ports = fleetOf();
    const buttons = changesIn(await list(ports));
    expect(buttons.map(({ label, command }) => [label, command])).toEqual([
      [`Patch these ${count}`, 'patch'],
      [`Reboot these ${count}`, 'reboot'],
      [`Scan these ${count}`, 'scan'],
    ]);
    for (const button of buttons) {
      expect(idsIn(button)).toHaveLength(count);
      expect(await requested(button, ports)).toMatchObject({ ids: idsIn(button) });
    }
  });

  it('offers it to nobody who may request no changes', async () => {
    expect(changesIn(await list({ ...fleetOf(), refusal: async () => REFUSED }))).toEqual([]);
    expect(changesIn(await list({ ...fleetOf(), refusal: async () => null }))).toHaveLength(3);
  });

  it('says where it is too long for one request', async () => {
    const ports = fleetOf();
    const view = await list({ ...ports, rollouts: () => ({ ...ports.rollouts(), maxDevices: count - 1 }) });
    expect(changesIn(view)).toEqual([]);
    expect(renderedText(renderView(view))).toContain(
      'Too many devices to patch or reboot from here. Narrow the list first.',
    );
  });

  it('offers nothing without devices', async () => {
    expect(changesIn(await list(testPorts({ devices: [], groups }).ports))).toEqual([]);
  });
});

describe('a change from a list', () => {
  it('of one device opens the form of one', async () => {
    const ports = fleetOf();
    const view = await runCommand(devicesCommand, 'devices', 'web-1001', ports);
    const [patch] = changesIn(view);
    expect(patch?.label).toBe('Patch this device');
    const opened = await registry.find('patch')?.form?.open(patch?.input, ports);
    const expected = { form: { fields: [{ id: 'device', initial: { value: '1001' } }, {}, {}] } };
    expect(opened).toMatchObject(expected);
  });

  it('is for the devices of all pages, whichever is shown, and for none that matches later', async () => {
    const devices = devicesOf(30);
    const { ports, clock } = testPorts({ devices, groups, packages, pageSize: 500 });
    const first = await runCommand(devicesCommand, 'devices', 'group:Kiosks', ports);
    devices.push(aDevice({ id: deviceId(5001), name: 'late', groupId: KIOSKS }));
    await clock.advance(120_000);
    await ports.inventory.snapshot({ refresh: true });
    const second = await devicesCommand.run(
      {
        words: [],
        filters: [{ key: 'group', value: 'Kiosks', negated: false }],
        result: first.paging.result,
      },
      1,
      ports,
    );
    const [, reboot] = changesIn(second);
    if (reboot === undefined) throw new Error('no button');
    expect(idsIn(reboot)).toHaveLength(15);
    expect(await requested(reboot, ports)).toMatchObject({ ids: idsIn(reboot) });
  });

  it.each([
    ['openssl', { packages: ['openssl'], severities: [] }],
    ['CVE-2026-0001', { packages: ['curl', 'openssl'], severities: [] }],
    ['severity:critical,high', { packages: [], severities: ['critical', 'high'] }],
  ])('patches what devices were listed for: missing %s', async (text, patch) => {
    const ports = fleetOf();
    const value = text.replace('severity:', '');
    const views = [
      await runCommand(missingCommand, 'missing', text, ports),
      await runCommand(devicesCommand, 'devices', `missing:${value}`, ports),
    ];
    for (const view of views) {
      const [button, reboot] = changesIn(view);
      expect(button?.input).toMatchObject(patch);
      expect(reboot?.input).not.toHaveProperty('packages');
    }
  });

  it('is offered for no devices whose names only come near', async () => {
    const ports = fleetOf();
    const view = await runCommand(devicesCommand, 'devices', 'wbe-1001', ports);
    expect(view).toMatchObject({ close: true });
    expect(changesIn(view)).toEqual([]);
  });

  it('says that a list is not all of them yet', async () => {
    const ports = fleetOf();
    const { missingPatches } = ports;
    const half: typeof missingPatches = {
      ...missingPatches,
      query: async (question) => {
        const answer = await missingPatches.query(question);
        return { ...answer, known: new Map([...answer.known].slice(0, 7)), isReading: true };
      },
    };
    const labels = ['Patch these 7 so far', 'Reboot these 7 so far', 'Scan these 7 so far'];
    const asked = { ...ports, missingPatches: half };
    expect(
      changesIn(await runCommand(missingCommand, 'missing', 'openssl', asked)).map((one) => one.label),
    ).toEqual(labels);
    const view = await runCommand(devicesCommand, 'devices', 'missing:openssl', asked);
    expect(changesIn(view).map((one) => one.label)).toEqual(labels);
  });

  it('is asked for once more where the list is too long for a button, and says if it changed', async () => {
    const devices = devicesOf(600, 700);
    const { ports } = testPorts({ devices, groups, packages, pageSize: 500 });
    const [, reboot] = changesIn(await runCommand(devicesCommand, 'devices', 'web is:online', ports));
    expect(reboot?.label).toBe('Reboot these 600');
    expect(reboot?.input).toMatchObject({ listed: { words: ['web'], devices: 600 } });
    if (reboot === undefined) throw new Error('no button');
    expect(await requested(reboot, ports)).toMatchObject({ ids: { length: 600 } });
    devices.pop();
    await ports.inventory.snapshot({ refresh: true });
    const opened = await registry.find('reboot')?.form?.open(reboot.input, ports);
    const [note] = opened?.kind === 'form' ? opened.form.fields : [];
    expect(note).toMatchObject({ text: expect.stringMatching(/^These 599 devices:\n/) });
    expect(note).toMatchObject({ text: expect.stringMatching(/\nThe list showed 600 devices\.$/) });
  });

  it.each<[string, object]>([
    ['openssl', {}],
    ['severity:critical,high', {}],
    ['CVE-2026-0001 group:Kiosks', {}],
    ['openssl group:Kiosks,"Linux servers"', {}],
    ['openssl', { group: [KIOSKS] }],
  ])('finds the devices of a long list of missing packages once more: missing %s %o', async (text, more) => {
    const devices = devicesOf(900, 700);
    const ports = withPackageList(devices);
    const view = await listMissing(text, more, ports);
    const count = view.paging.total;
    const [patch, reboot] = changesIn(view);
    if (patch === undefined || reboot === undefined) throw new Error('no button');
    expect(patch.input).toMatchObject({ listed: { devices: count } });
    expect(await requested(reboot, ports)).toMatchObject({ ids: { length: count } });
    expect(await requested(patch, ports)).toMatchObject({ ids: { length: count } });
    devices.splice(0, 2);
    await ports.inventory.snapshot({ refresh: true });
    const opened = await registry.find('patch')?.form?.open(patch.input, ports);
    const [note] = opened?.kind === 'form' ? opened.form.fields : [];
    expect(note).toMatchObject({ text: expect.stringMatching(`The list showed ${count} devices.`) });
  });

  it('asks to narrow a long list of a group that shares its name with another', async () => {
    const namesake = aGroup({ id: groupId(31), name: 'Kiosks' });
    const ports = withPackageList(devicesOf(900, 700), [...groups, namesake]);
    const view = await listMissing('openssl', { group: [KIOSKS] }, ports);
    expect(changesIn(view)).toEqual([]);
    expect(renderedText(renderView(view))).toContain('Narrow the list first.');
  });

  it('asked for once more by personal data needs the right to see it', async () => {
    const { ports } = testPorts({ devices: devicesOf(600, 700), groups });
    const input = {
      listed: { words: [], filters: [{ key: 'user', value: 'deploy', negated: false }], devices: 600 },
    };
    const opened = await registry.find('reboot')?.form?.open(input, { ...ports, personalFrom: 'admin' });
    expect(opened).toMatchObject({ kind: 'problem', problem: { kind: 'personal' } });
  });
});

describe('forms for the devices that somebody saw in a list or on an alert card', () => {
  const OPS = channelId('C0OPS');

  const devicesOf = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      aDevice({ id: deviceId(1001 + at), name: `web-${1001 + at}`, pendingPatches: 1 }),
    );
  const fleetOf = (devices = devicesOf(300)) =>
    testPorts({ devices, groups: [aGroup()], packages: [aPackage()], pageSize: 500 });
  const idsOf = (count: number, from = 1001) => Array.from({ length: count }, (_, at) => from + at);

  async function opened(form: CommandForm, typed: object, ports: FormPorts) {
    const drawn = await form.open(typed, ports);
    if (drawn.kind === 'problem') return { problem: drawn.problem, fields: [], context: null };
    expect(formWindow(drawn.form, { channel: OPS })).not.toBeNull();
    const { fields, context } = drawn.form;
    return { problem: null, fields, context };
  }
  const idOf = (field: FormField) => (field.kind === 'words' ? field.text : field.id);

  /** The devices of what the form asks for, sent with these values. */
  async function asked(name: string, typed: object, ports: FormPorts, values: Entered) {
    const { form, plan } = commandOf(name);
    const { context } = await opened(form, typed, ports);
    const read = form.read(valuesOf(values), context, ports);
    if (read.kind === 'errors') throw new Error(JSON.stringify(read));
    const { ids, leftOut, ...proposal } = proposalIn(await plan(read.input, ports));
    return { ...proposal, devices: ids.toSorted((a, b) => a - b), leftOut: leftOut.map((one) => one.name) };
  }

  describe('a form for devices of a list', () => {
    it.each(['reboot', 'scan', 'patch'])(
      'shows how many and some of them, and means all of them: %s',
      async (name) => {
        const { ports } = fleetOf();
        const ids = packIds(idsOf(120));
        const { fields } = await opened(commandOf(name).form, { ids, reason: 'x' }, ports);
        expect(fields.map(idOf)).toEqual([
          'These 120 devices:\nweb-1001 · #1001\nweb-1002 · #1002\nweb-1003 · #1003\nweb-1004 · #1004\nweb-1005 · #1005\nand 115 more',
          ...(name === 'patch' ? ['severities', 'packages'] : []),
          'waves',
          'brake',
          'options',
          'reason',
        ]);
        const proposal = await asked(name, { ids }, ports, { options: ['waves:1,100%'], reason: ['x'] });
        expect(proposal).toMatchObject({ devices: idsOf(120), reason: 'x', plan: { waves: [1, 119] } });
      },
    );

    it('names up to fifty in a menu, of which some can be removed', async () => {
      const { ports } = fleetOf();
      const ids = packIds(idsOf(3));
      const { fields } = await opened(commandOf('reboot').form, { ids }, ports);
      const initial = [{ label: 'web-1001' }, { label: 'web-1002' }, { label: 'web-1003' }];
      expect(fields[0]).toMatchObject({ id: 'devices', initial });
      const values = { devices: ['1001', '1003'], filters: [''], options: [''], reason: ['x'] };
      expect(await asked('reboot', { ids }, ports, values)).toMatchObject({ devices: [1001, 1003] });
    });

    it('can be pointed at other devices by a line, once the menu is empty', async () => {
      const { ports } = fleetOf();
      const values = { devices: [], filters: ['#1007, #1008'], options: [''], reason: ['x'] };
      const { devices } = await asked('reboot', { ids: packIds(idsOf(3)) }, ports, values);
      expect(devices).toEqual([1007, 1008]);
    });

    it('means what it showed after a change in the form', async () => {
      const { ports } = fleetOf();
      const { form } = commandOf('reboot');
      const { context } = await opened(form, { ids: packIds(idsOf(3)) }, ports);
      const values = new Map([['devices', ['1001', '1002', '1003']]]);
      const redrawn = await form.redraw?.(values, context, ports);
      expect(redrawn).toMatchObject({ kind: 'form', form: { context } });
    });

    it('speaks of no filters above, which choose nothing here', async () => {
      const { ports } = fleetOf();
      const { form } = commandOf('patch');
      const hintIn = (fields: readonly FormField[] = []) =>
        fields.flatMap((field) =>
          field.kind === 'choices' && field.id === 'severities' ? field.hint : [],
        )[0];
      const plain = 'Leave this and the packages empty to install all missing patches.';
      const typed = await opened(form, { filters: [{ key: 'os', value: 'linux', negated: false }] }, ports);
      expect(hintIn(typed.fields)).toBe(`${plain} With missing: above, only what it names.`);
      for (const count of [3, 120]) {
        const { fields, context } = await opened(form, { ids: packIds(idsOf(count)) }, ports);
        expect(hintIn(fields)).toBe(plain);
        const values = new Map([['devices', ['1001', '1002']]]);
        const redrawn = await form.redraw?.(values, context, ports);
        expect(hintIn(redrawn?.kind === 'form' ? redrawn.form.fields : [])).toBe(plain);
      }
    });

    it('of one device is the form of one', async () => {
      const { ports } = fleetOf();
      const { fields } = await opened(commandOf('patch').form, { ids: packIds([1005]) }, ports);
      expect(fields.map(idOf)).toEqual(['device', 'packages:1005', 'reason']);
    });

    it('leaves out what is gone since the list was read, and says so', async () => {
      const { ports } = fleetOf(devicesOf(99));
      const ids = packIds(idsOf(101));
      const { fields } = await opened(commandOf('reboot').form, { ids }, ports);
      expect(fields.map(idOf)[0]).toMatch(
        /^These 99 devices:\n[\s\S]+\nand 94 more\nNo longer in the fleet, so left out: #1100, #1101\.$/,
      );
      expect((await asked('reboot', { ids }, ports, { reason: ['x'] })).devices).toEqual(idsOf(99));
    });

    it('leaves out what goes while the form is open, and says so in the answer', async () => {
      const devices = devicesOf(60);
      const { ports } = fleetOf(devices);
      await ports.inventory.snapshot();
      devices.splice(10, 1);
      const proposal = await asked('reboot', { ids: packIds(idsOf(60)) }, ports, { reason: ['x'] });
      expect(proposal.devices).toEqual(idsOf(60).filter((id) => id !== 1011));
      expect(proposal.leftOut).toEqual(['#1011']);
    });

    it('says which they were, where all are gone', async () => {
      const { ports } = fleetOf([]);
      const { problem } = await opened(commandOf('reboot').form, { ids: packIds([7, 8]) }, ports);
      expect(problem).toMatchObject({ kind: 'none-to-change', leftOut: [{ name: '#7' }, { name: '#8' }] });
    });

    it('never takes what matches later', async () => {
      const devices = devicesOf(60);
      const { ports } = fleetOf(devices);
      const ids = packIds(idsOf(60));
      const { form, plan } = commandOf('reboot');
      const { context } = await opened(form, { ids }, ports);
      devices.push(aDevice({ id: deviceId(2001), name: 'web-2001' }));
      await ports.inventory.snapshot({ refresh: true });
      const read = form.read(new Map([['reason', ['x']]]), context, ports);
      if (read.kind === 'errors') throw new Error('not read');
      const planned = await plan(read.input, ports);
      expect(planned.kind === 'proposal' && planned.proposal.targets).toHaveLength(60);
    });
  });

  describe('the retry of an alert card', () => {
    const card = { alert: alertId('a1'), channel: OPS };
    const typed = { alerts: card, packages: ['openssl'], reason: 'Retry after: exit 100' };
    /** Packages of devices 1001 and on that fail, two of each, in pages as the store gives them. */
    const withAlerts = (ports: FormPorts, count: number): FormPorts => {
      const all = [...idsOf(count), ...idsOf(count)].map((id) =>
        aMember({ deviceId: deviceId(id), deviceName: `web-${id}` }),
      );
      const rows = [...all, aMember({ deviceId: null })];
      const members: FormPorts['settings']['alerts']['members'] = async (query, { limit, skip }) =>
        query.of === 'alert' && query.openOnly && query.alert === card.alert && query.channel === OPS
          ? { total: rows.length, rows: rows.slice(skip, skip + limit) }
          : { total: 0, rows: [] };
      return { ...ports, settings: createFakeSettings({ members }) };
    };

    it('is for all devices on which it fails, each once, also those that the card does not name', async () => {
      const ports = withAlerts(fleetOf().ports, 300);
      const { fields } = await opened(commandOf('patch').form, typed, ports);
      expect(fields.map(idOf)[0]).toMatch(/^These 300 devices:/);
      expect(fields).toContainEqual(expect.objectContaining({ id: 'packages', initial: 'openssl' }));
      expect(fields.at(-1)).toMatchObject({ id: 'reason', initial: 'Retry after: exit 100' });
      const values = { packages: ['openssl'], reason: ['Retry after: exit 100'] };
      const proposal = await asked('patch', typed, ports, values);
      expect(proposal.devices).toEqual(idsOf(300));
      const chosen = { severities: [], named: ['openssl'] };
      expect(proposal.command).toEqual({ kind: 'patch-each', chosen });
    });

    it('names the devices that are gone', async () => {
      const ports = withAlerts(fleetOf(devicesOf(2)).ports, 3);
      const { fields } = await opened(commandOf('patch').form, typed, ports);
      expect(fields.map(idOf).slice(0, 2)).toEqual([
        'No longer in the fleet, so left out: web-1003.',
        'devices',
      ]);
    });

    it('of one device is the form of one', async () => {
      const ports = withAlerts(fleetOf().ports, 1);
      const { fields } = await opened(commandOf('patch').form, typed, ports);
      expect(fields.map(idOf)).toEqual(['device', 'packages:1001', 'reason']);
    });
  });
});
