/** The form of a change of several devices: what a person picks or types, and what it matches now. */
import { describe, expect, it } from 'vitest';
import type { Command, FormPorts } from '../../../../src/commands/core/command.ts';
import { rebootCommand, scanCommand } from '../../../../src/commands/scan-and-reboot.ts';
import { deviceId, groupId, personId } from '../../../../src/lib/ids.ts';
import type { FieldValues, FormView } from '../../../../src/views/models/form-model.ts';
import { aDevice, aGroup, aPackage } from '../../../harness/builders.ts';
import { testPorts } from '../../harness/ports.ts';

const KIOSKS = groupId(30);
const { form } = rebootCommand;
if (form?.redraw === undefined) throw new Error('no live form');
const { open, read, redraw } = form;

const portsOf = (count = 12): FormPorts =>
  testPorts({
    devices: Array.from({ length: count }, (_, at) =>
      aDevice({ id: deviceId(at + 1), name: `web-${at + 1}`, groupId: at < 7 ? KIOSKS : groupId(20) }),
    ),
    groups: [aGroup(), aGroup({ id: KIOSKS, name: 'Kiosks' })],
    packages: [aPackage({ severity: 'critical' })],
  }).ports;

const entered = (fields: Readonly<Record<string, readonly string[]>>): FieldValues =>
  new Map(Object.entries(fields));
async function drawn(opened: ReturnType<typeof open>): Promise<FormView> {
  const result = await opened;
  if (result.kind !== 'form') throw new Error(result.kind);
  return result.form;
}
/** The window after Enter was pressed in the line. */
const lineDrawn = (line: string, ports: FormPorts) =>
  drawn(redraw(entered({ devices: [], filters: [line] }), null, ports));
const textOf = ({ fields }: FormView): string =>
  fields.flatMap((field) => (field.kind === 'words' ? [field.text] : [])).join('\n');

it('says from how many devices on a reason is required, and never calls that one optional', async () => {
  const reasonOf = async (reasonFrom: number) => {
    const rollouts = { reasonFrom, maxDevices: 100, maxDevicesPerDay: 100, maxWaiting: 20, maxAgeMs: 1 };
    return (await lineDrawn('group:Kiosks', { ...portsOf(), rollouts })).fields.at(-1);
  };
  const hint = 'Approvers see it with the request. Required from 8 devices on.';
  expect(await reasonOf(8)).toMatchObject({ id: 'reason', hint, optional: true });
  expect(await reasonOf(7)).not.toHaveProperty('optional');
});

it('requires the reason of one device where those of the last hour make it required, but not of a scan', async () => {
  const ports = testPorts({}, { asked: 24 }).ports;
  const reasonOf = async ({ form }: Pick<Command, 'form'>) =>
    form && (await drawn(form.open({}, ports))).fields.at(-1);
  const hint =
    'Approvers see it with the request. Required from 25 devices on, counting your 24 of the last hour.';
  expect(await reasonOf(rebootCommand)).toMatchObject({ id: 'reason', hint });
  expect(await reasonOf(rebootCommand)).not.toHaveProperty('optional');
  expect(await reasonOf(scanCommand)).toHaveProperty('optional');
});

describe('the line of filters in a form', () => {
  it('shows how many devices match now, and some of them', async () => {
    expect(textOf(await lineDrawn('group:Kiosks', portsOf()))).toBe(
      [
        '7 devices match now:',
        'web-1 · #1',
        'web-2 · #2',
        'web-3 · #3',
        'web-4 · #4',
        'web-5 · #5',
        'and 2 more',
      ].join('\n'),
    );
  });

  it.each([
    ['missing:critical group:Kiosks', /^7 devices match now:/],
    ['missing:low', /^No devices match\.$/],
    ['missing:opnssl', /^No device has “opnssl”\.$/],
    ['group:nowhere', /^No device has “nowhere”\.$/],
    ['web-1, web-2', /^Each name is looked up when you send the form\.$/],
    ['speed:9', /Unknown|doesn’t apply/],
    ['group:Kiosks because x', /reason in its own field/],
    ['in:nothing', /Unknown saved target “in:nothing”/],
  ])('%s: says what is known of it', async (line, text) => {
    expect(textOf(await lineDrawn(line, portsOf()))).toMatch(text);
  });

  it('says so while packages are being read', async () => {
    const ports = portsOf();
    const answer = await ports.missingPatches.query({ groups: null, waitMs: 0 });
    const missingPatches = { ...ports.missingPatches, query: async () => ({ ...answer, known: new Map() }) };
    expect(textOf(await lineDrawn('missing:critical', { ...ports, missingPatches }))).toBe(
      'Packages of 0 of 12 devices read so far. Press Enter again in a minute.',
    );
  });

  it('takes a saved target once it was looked up', async () => {
    const ports = portsOf();
    const line = 'group:Kiosks';
    const owner = personId('UOPERATOR');
    await ports.settings.saved.save({ owner, name: 'kiosks', line, by: owner });
    const values = entered({ devices: [], filters: ['in:kiosks'] });
    expect(read(values, null, ports)).toEqual({
      kind: 'errors',
      errors: { filters: 'Press Enter in this field to look up the saved target.' },
    });
    const view = await lineDrawn('in:kiosks', ports);
    expect(textOf(view)).toMatch(/^7 devices match now:/);
    expect(read(values, JSON.parse(JSON.stringify(view.context)), ports)).toMatchObject({
      kind: 'input',
      input: { filters: [{ key: 'group', value: 'Kiosks' }] },
    });
    // Another line than the one that was looked up.
    expect(read(entered({ devices: [], filters: ['in:others'] }), view.context, ports)).toMatchObject({
      kind: 'errors',
    });
  });
});

describe('the form of several devices', () => {
  it('is for those that are picked, or for the line, and never for both', () => {
    const ports = portsOf();
    expect(
      read(entered({ devices: ['1', '2'], options: ['waves:1'], reason: ['x'] }), null, ports),
    ).toMatchObject({
      kind: 'input',
      input: { device: '#1, #2', rollout: { waves: [{ kind: 'devices', devices: 1 }] }, reason: 'x' },
    });
    expect(read(entered({ devices: [], filters: ['web-1, web-2'] }), null, ports)).toMatchObject({
      input: { device: 'web-1, web-2' },
    });
    for (const fields of [
      { devices: ['1'], filters: ['is:online'] },
      { devices: [] },
      { devices: ['1'], options: ['x:1'] },
    ])
      expect(read(entered(fields), null, ports).kind).toBe('errors');
  });

  it('has menus in words for waves and brake, and the line for the rest', async () => {
    const ports = portsOf();
    const waves = [
      { kind: 'devices', devices: 1 },
      { kind: 'share', percent: 100 },
    ];
    const opened = await drawn(open({ device: 'web-1, web-2', rollout: { waves, gate: 'manual' } }, ports));
    expect(opened.fields.slice(2)).toMatchObject([
      { kind: 'choice', id: 'waves', initial: 'waves:1,100%', optional: true },
      { kind: 'choice', id: 'brake', initial: null },
      { id: 'options', initial: 'gate:manual' },
      { id: 'reason' },
    ]);
    const picked = {
      devices: ['1', '2'],
      waves: ['waves:1,100%'],
      brake: ['brake:2'],
      options: ['gate:manual'],
    };
    const rollout = { waves, brake: { kind: 'devices', devices: 2 }, gate: 'manual' };
    expect(read(entered(picked), null, ports)).toMatchObject({ input: { rollout } });
    const twice = read(entered({ ...picked, options: ['brake:3'] }), null, ports);
    expect(twice).toMatchObject({
      errors: { options: expect.stringContaining('is chosen above. Clear the menu') },
    });
  });

  it('opens with what was typed', async () => {
    const ports = portsOf();
    const line = await drawn(
      open({ filters: [{ key: 'missing', value: 'critical', negated: false }] }, ports),
    );
    expect(line.fields).toMatchObject([
      { id: 'devices', initial: [] },
      { id: 'filters', initial: 'missing:critical', live: true },
      { kind: 'words' },
      { id: 'waves' },
      { id: 'brake' },
      { id: 'options' },
      { id: 'reason' },
    ]);
    const names = await drawn(open({ device: 'web-1, web-2', reason: 'x' }, ports));
    expect(names.fields[0]).toMatchObject({ initial: [{ value: '1' }, { value: '2' }] });
  });
});
