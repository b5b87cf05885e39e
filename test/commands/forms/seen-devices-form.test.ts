/** Forms for the devices that somebody saw in a list or on an alert card: these, and no others. */
import { describe, expect, it } from 'vitest';
import type { CommandForm, FormPorts } from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { alertId, channelId, deviceId } from '../../../src/lib/ids.ts';
import { packIds } from '../../../src/lib/packed-ids.ts';
import { formWindow } from '../../../src/views/forms/form-window.ts';
import type { FormField } from '../../../src/views/models/form-model.ts';
import { aDevice, aGroup, aPackage } from '../../harness/builders.ts';
import { anAlert } from '../../harness/records.ts';
import { createFakeSettings } from '../harness/fake-settings.ts';
import { testPorts } from '../harness/ports.ts';

const OPS = channelId('C0OPS');

const devicesOf = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    aDevice({ id: deviceId(1001 + at), name: `web-${1001 + at}`, pendingPatches: 1 }),
  );
const fleetOf = (devices = devicesOf(300)) =>
  testPorts({ devices, groups: [aGroup()], packages: [aPackage()], pageSize: 500 });
const idsOf = (count: number, from = 1001) => Array.from({ length: count }, (_, at) => from + at);

const commandOf = (name: string) => {
  const command = registry.find(name);
  if (command?.kind !== 'write' || command.form === undefined) throw new Error(`${name} has no form`);
  return { plan: command.plan, form: command.form };
};

async function opened(form: CommandForm, typed: object, ports: FormPorts) {
  const drawn = await form.open(typed, ports);
  if (drawn.kind === 'problem') return { problem: drawn.problem, fields: [], context: null };
  expect(formWindow(drawn.form, { channel: OPS })).not.toBeNull();
  const { fields, context } = drawn.form;
  return { problem: null, fields, context };
}
const idOf = (field: FormField) => (field.kind === 'words' ? field.text : field.id);

/** The devices of what the form asks for, sent with these values. */
async function asked(
  name: string,
  typed: object,
  ports: FormPorts,
  values: Readonly<Record<string, string[]>>,
) {
  const { form, plan } = commandOf(name);
  const { context } = await opened(form, typed, ports);
  const read = form.read(new Map(Object.entries(values)), context, ports);
  if (read.kind === 'errors') throw new Error(JSON.stringify(read));
  const planned = await plan(read.input, ports);
  if (planned.kind !== 'proposal') throw new Error(JSON.stringify(planned));
  const { proposal, leftOut = [] } = planned;
  const devices = proposal.targets.map(({ deviceId: id }) => Number(id)).toSorted((a, b) => a - b);
  return { ...proposal, devices, leftOut: leftOut.map((one) => one.name) };
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
    expect(fields[0]).toMatchObject({
      id: 'devices',
      initial: [{ label: 'web-1001' }, { label: 'web-1002' }, { label: 'web-1003' }],
    });
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
      fields.flatMap((field) => (field.kind === 'choices' && field.id === 'severities' ? field.hint : []))[0];
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
  const card = { card: alertId('a1'), channel: OPS };
  const typed = { alerts: card, packages: ['openssl'], reason: 'Retry after: exit 100' };
  /** Alerts of devices 1001 and on, two of each, in pages as the store gives them. */
  const withAlerts = (ports: FormPorts, count: number): FormPorts => {
    const all = [...idsOf(count), ...idsOf(count)].map((id) =>
      anAlert({ deviceId: deviceId(id), deviceName: `web-${id}` }),
    );
    const rows = [...all, anAlert({ deviceId: null })];
    const list: FormPorts['settings']['alerts']['list'] = async (query, { limit, skip }) =>
      query.of === 'card' && query.card === card.card && query.channel === OPS
        ? { total: rows.length, rows: rows.slice(skip, skip + Math.min(limit, 40)) }
        : { total: 0, rows: [] };
    return { ...ports, settings: createFakeSettings({ list }) };
  };

  it('is for all of its devices, each once, also those that the card does not name', async () => {
    const ports = withAlerts(fleetOf().ports, 120);
    const { fields } = await opened(commandOf('patch').form, typed, ports);
    expect(fields.map(idOf)[0]).toMatch(/^These 120 devices:/);
    expect(fields).toContainEqual(expect.objectContaining({ id: 'packages', initial: 'openssl' }));
    expect(fields.at(-1)).toMatchObject({ id: 'reason', initial: 'Retry after: exit 100' });
    const values = { packages: ['openssl'], reason: ['Retry after: exit 100'] };
    const proposal = await asked('patch', typed, ports, values);
    expect(proposal.devices).toEqual(idsOf(120));
    expect(proposal.command).toEqual({ kind: 'patch-each', chosen: { severities: [], named: ['openssl'] } });
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
