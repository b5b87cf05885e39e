/** What was not sent is requested once more by its original command. */
import { describe, expect, it } from 'vitest';
import type { Planned } from '../../../src/commands/core/command.ts';
import { openFilled } from '../../../src/commands/forms/seen-devices-form.ts';
import { registry } from '../../../src/commands/index.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import type { RequestWithTargets, TargetState } from '../../../src/store/port/request-records.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import type { FieldValues, FormField } from '../../../src/views/models/form-model.ts';
import { againButton } from '../../../src/views/requests/request-buttons.ts';
import { aDevice, aPackage, START } from '../../harness/builders.ts';
import { aStartedRequest, aTarget } from '../../harness/records.ts';
import { aRollout } from '../../harness/rollouts.ts';
import { EDIT_FLEET } from '../harness/edit-fleet.ts';
import type { FakeFleetContent } from '../harness/fake-fleet.ts';
import { testPorts } from '../harness/ports.ts';

const ORDERS: readonly FleetAction[] = [
  { kind: 'scan' },
  { kind: 'reboot' },
  { kind: 'patch-all' },
  { kind: 'patch', packages: ['openssl'] },
  { kind: 'patch', packages: ['openssl'], chosen: { severities: ['high'], named: [] } },
  { kind: 'device-edit', change: { customName: 'Front door' } },
  {
    kind: 'device-edit',
    change: {
      customName: 'x',
      groupId: groupId(21),
      retag: { add: ['dmz'], remove: ['old'] },
      exception: true,
      addresses: ['192.0.2.9'],
    },
  },
  {
    kind: 'group-create',
    group: {
      name: 'Kiosks',
      parentId: groupId(20),
      refreshIntervalMinutes: 720,
      color: '#059F1D',
      notes: 'by the door',
      osAutoUpdate: true,
    },
  },
  {
    kind: 'group-edit',
    groupId: groupId(21),
    change: { name: 'Front', parentId: groupId(30), refreshIntervalMinutes: 720, notes: '' },
  },
];

const requestOf = (action: FleetAction, reason: string | null) => {
  const deviceId = action.kind.startsWith('group-') ? null : aTarget().deviceId;
  return aStartedRequest({ action, reason, targets: [aTarget({ deviceId, state: 'not_sent' })] });
};

/** What the fields hold as they are drawn. */
function initialValues(fields: readonly FormField[]): FieldValues {
  return new Map(
    fields.flatMap((field) => {
      if (field.kind === 'words') return [];
      const initial = [field.initial].flat().flatMap((one) => one ?? []);
      const values = initial.map((one) => (typeof one === 'string' ? one : one.value));
      return [[field.id, values.filter((value) => value !== '')]];
    }),
  );
}

type RetrySet = Parameters<typeof againButton>[1];

async function opened(request: RequestWithTargets, content: FakeFleetContent, of: RetrySet = null) {
  const value = readButtonValue(
    String(againButton(request, of, { action: 'again', label: 'Again' })?.['value']),
  );
  const command = value?.do === 'form' ? registry.find(value.command) : null;
  if (value?.do !== 'form' || command?.kind !== 'write' || command.form === undefined)
    throw new Error(`${request.action.kind} has no form`);
  const ports = testPorts({ ...EDIT_FLEET, ...content }, { requests: [request] }).ports;
  const drawn = await openFilled(command.form, value.input, ports);
  if (drawn.kind === 'problem') throw new Error(JSON.stringify(drawn.problem));
  const { fields, context } = drawn.form;
  return { command, ports, form: command.form, fields, context };
}

/** Plans what the form holds as it opens. */
async function planned(...request: Parameters<typeof opened>): Promise<Planned> {
  const { command, form, fields, context, ports } = await opened(...request);
  const read = form.read(initialValues(fields), context, ports);
  if (read.kind === 'errors') throw new Error(JSON.stringify(read.errors));
  return command.plan(read.input, ports);
}

it.each([
  [{ kind: 'device-remove' }, 'device'],
  [{ kind: 'group-remove', groupId: groupId(21) }, 'group'],
] as const)('the form of a removal that was not sent asks for the name again: %o', async (action, field) => {
  const { fields } = await opened(requestOf(action, 'retired'), {});
  expect([...initialValues(fields)]).toEqual([
    [field, [expect.any(String)]],
    [expect.stringContaining('confirm'), []],
    ['reason', ['retired']],
  ]);
});

describe('requesting again', () => {
  it.each(ORDERS.map((order, at) => ({ order, name: `${at}: ${order.kind}` })))(
    'plans the same order for the same thing, with its reason: $name',
    async ({ order }) => {
      const again = await planned(requestOf(order, 'drill'), { packages: [aPackage()] });
      expect(again).toMatchObject({ kind: 'proposal', proposal: { command: order, reason: 'drill' } });
      expect('leftOut' in again).toBe(false);
    },
  );
});

describe('requesting again for several devices', () => {
  const [one, two, three] = [1001, 1002, 1003].map((id) => aDevice({ id: deviceId(id), name: `web-${id}` }));
  const targets = (...states: readonly TargetState[]) =>
    states.map((state, at) => {
      const id = deviceId(1001 + at);
      return aTarget({ deviceId: id, displayName: `web-${id}`, state });
    });
  const devices = [one, two, three].flatMap((device) => device ?? []);
  const ids = (shown: Planned) =>
    shown.kind === 'proposal' ? shown.proposal.targets.map(({ deviceId: id }) => id) : shown;

  it('is one proposal about exactly those that were not sent or not accepted', async () => {
    const states = ['not_sent', 'verified', 'refused'] as const;
    const request = aStartedRequest({ action: { kind: 'reboot' }, targets: targets(...states) });
    const again = await planned(request, { devices });
    expect(again).toMatchObject({ kind: 'proposal', proposal: { command: { kind: 'reboot' } } });
    expect(ids(again)).toEqual([1001, 1003]);
  });

  it('takes current facts', async () => {
    const request = aStartedRequest({ targets: targets('not_sent', 'not_sent') });
    const moved = devices.map((device) => ({ ...device, pendingPatches: 77 }));
    const again = await planned(request, { devices: moved });
    expect(again).toMatchObject({ proposal: { targets: [{ pendingPatches: 77 }, { pendingPatches: 77 }] } });
  });

  it('leaves out, and names, what is gone, and asks for the rest', async () => {
    const request = aStartedRequest({ targets: targets('not_sent', 'not_sent', 'not_sent') });
    const left = { devices: devices.slice(0, 2) };
    expect(ids(await planned(request, left))).toEqual([1001, 1002]);
    expect((await opened(request, left)).fields[0]).toMatchObject({ text: expect.stringContaining('#1003') });
  });

  it('leaves out, and names, what may still run the command', async () => {
    const late = {
      evidence: [{ kind: 'still-queued', offline: null, at: START }],
      answeredAt: null,
    } as const;
    const [first, second, third] = targets('not_verified', 'not_verified', 'not_verified');
    if (first === undefined || second === undefined || third === undefined) throw new Error('no targets');
    const request = aStartedRequest({ targets: [first, second, { ...third, ...late }] });
    expect(ids(await planned(request, { devices }, 'failed'))).toEqual([1001, 1002]);
    const expected = { kind: 'words', text: 'Left out, because they may still run the command: web-1003.' };
    expect((await opened(request, { devices }, 'failed')).fields[0]).toEqual(expected);
  });

  it('installs what was named on all of them', async () => {
    const command = { kind: 'patch-each', chosen: { severities: [], named: ['openssl', 'zlib'] } } as const;
    const request = aStartedRequest({ action: command, targets: targets('not_sent', 'not_sent') });
    const missing = devices.map((device) => ({ ...device, pendingPatches: 1 }));
    const packages = ['openssl', 'zlib'].map((name) => aPackage({ name }));
    const both = { packages: packages.map(({ name }) => ({ name })) };
    const again = await planned(request, { devices: missing, packages });
    expect(again).toMatchObject({ proposal: { command, targets: [both, both] } });
  });

  it('keeps how the packages were chosen', async () => {
    const chosen = { severities: ['high'], named: [] };
    const command = { kind: 'patch', packages: ['openssl'], chosen } as const;
    const request = aStartedRequest({ action: command, targets: targets('not_sent') });
    const high = aPackage({ name: 'openssl', severity: 'high' });
    const again = await planned(request, { devices, packages: [high] });
    expect(again).toMatchObject({ proposal: { command } });
  });

  it('keeps an edit whole, even where some devices already have a part of it', async () => {
    const retag = { add: ['dmz'], remove: [] };
    const command = { kind: 'device-edit', change: { retag, exception: true } } as const;
    const request = aStartedRequest({ action: command, targets: targets('not_sent', 'not_sent') });
    const [first, second] = devices.map((device) => ({ ...device, exception: false }));
    const there = [first, second && { ...second, exception: true }].flatMap((device) => device ?? []);
    const again = await planned(request, { devices: there });
    expect(again).toMatchObject({ proposal: { command } });
    expect(ids(again)).toEqual([1001, 1002]);
  });

  it('asks for exactly what failed, or exactly what was not sent', async () => {
    const states = ['not_verified', 'verified', 'refused', 'not_sent', 'unknown', 'not_sent'] as const;
    const request = aStartedRequest({ action: { kind: 'reboot' }, targets: targets(...states) });
    const all = [1001, 1002, 1003, 1004, 1005, 1006].map((id) => aDevice({ id: deviceId(id) }));
    expect(ids(await planned(request, { devices: all }, 'failed'))).toEqual([1001, 1003]);
    expect(ids(await planned(request, { devices: all }, 'not-sent'))).toEqual([1004, 1006]);
  });

  it('keeps the options of a rollout, also where some devices are left out now', async () => {
    const states = ['not_verified', 'not_verified', 'not_verified', 'verified'] as const;
    const brake = { kind: 'devices', devices: 3 } as const;
    const plan = planRollout(4, { waves: [{ kind: 'devices', devices: 1 }], brake, offline: 'skip' });
    const rollout = aRollout(4, { plan });
    const request = aStartedRequest({ action: { kind: 'reboot' }, targets: targets(...states), rollout });
    expect(await planned(request, { devices }, 'failed')).toMatchObject({
      proposal: { plan: { ...plan, waves: [1, 2] } },
    });
    const alone = aStartedRequest({ targets: targets('verified', 'not_verified'), rollout });
    const expected = { proposal: { plan: { waves: [1], offline: 'skip' } } };
    expect(await planned(alone, { devices }, 'failed')).toMatchObject(expected);
  });
});
