/** Patch, reboot and scan from a list: the form is for exactly the devices that the list shows. */
import { describe, expect, it } from 'vitest';
import { complianceCommand } from '../../../src/commands/compliance.ts';
import type { FormPorts, ReadPorts } from '../../../src/commands/core/command.ts';
import { devicesCommand } from '../../../src/commands/devices.ts';
import { registry } from '../../../src/commands/index.ts';
import { missingCommand } from '../../../src/commands/missing.ts';
import { createMissingPatchIndex } from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { unpackIds } from '../../../src/lib/packed-ids.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import type { View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aGroup, aPackage } from '../../harness/builders.ts';
import { noMissingPatchesSaved } from '../../harness/nothing-saved.ts';
import { renderedText } from '../../views/rendered-text.ts';
import { testPorts } from '../harness/ports.ts';
import { runCommand } from '../harness/run-command.ts';
import { inputOf } from '../harness/typed-line.ts';

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

/** The buttons that open a form. */
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

/** What the button requests, sent as it is filled, for this reason. */
async function requested({ command: name, input }: FormButton, ports: FormPorts) {
  const command = registry.find(name);
  if (command?.kind !== 'write' || command.form === undefined) throw new Error(name);
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
  const planned = await command.plan(read.input, ports);
  if (planned.kind !== 'proposal') throw new Error(JSON.stringify(planned));
  const { command: action, targets } = planned.proposal;
  return { action, ids: targets.map(({ deviceId: id }) => Number(id)).toSorted((a, b) => a - b) };
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
    const view = await list({ ...ports, rollouts: { ...ports.rollouts, maxDevices: count - 1 } });
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
    expect(opened).toMatchObject({
      form: { fields: [{ id: 'device', initial: { value: '1001' } }, {}, {}] },
    });
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
