/** What was not sent is requested once more by its original command. */
import { describe, expect, it } from 'vitest';
import { commandOf, planAgain, unsentOf } from '../../../src/commands/changes/request-again.ts';
import type { Planned, WriteCommand } from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { rebootCommand } from '../../../src/commands/reboot.ts';
import { scanCommand } from '../../../src/commands/scan.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { deviceId, groupId, policyId } from '../../../src/lib/ids.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import type { TargetState } from '../../../src/store/port/records.ts';
import type { RequestWithTargets } from '../../../src/store/port/request-records.ts';
import type { RetrySet } from '../../../src/views/model.ts';
import { aDevice, aGroup, aPackage } from '../../harness/builders.ts';
import { aStartedRequest, aTarget } from '../../harness/records.ts';
import { aRollout } from '../../harness/rollouts.ts';
import { editFleetPorts } from '../harness/edit-fleet.ts';
import { BROKEN, type FakeFleetContent } from '../harness/fake-fleet.ts';
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
      color: 'pine green',
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

function commandFor({ action }: RequestWithTargets): WriteCommand {
  const command = registry.find(commandOf(action));
  if (command?.kind !== 'write') throw new Error(`${action.kind} changes nothing`);
  return command;
}

/** Plans from the request as a store returns it. */
function planned(
  request: RequestWithTargets,
  content: FakeFleetContent,
  of: RetrySet | null = null,
): Promise<Planned> {
  const order = unsentOf(request, of);
  const input: object = JSON.parse(JSON.stringify(order.input));
  return planAgain(commandFor(request), { ...order, input }, editFleetPorts(content));
}

it.each([
  [{ kind: 'device-remove' }, { device: 1001 }],
  [{ kind: 'group-remove', groupId: groupId(21) }, { group: 21 }],
] as const)(
  'the form of a removal that was not sent asks for the name again: %o',
  async (action, subject) => {
    const device = action.kind === 'device-remove' ? deviceId(1001) : null;
    const target = aTarget({ deviceId: device, state: 'not_sent' });
    const request = aStartedRequest({ action, reason: 'retired', targets: [target] });
    expect(await planAgain(commandFor(request), unsentOf(request), editFleetPorts())).toEqual({
      kind: 'view',
      view: expect.objectContaining({
        kind: 'fill-in',
        command: action.kind,
        prefill: { ...subject, reason: 'retired' },
      }),
    });
  },
);

describe('requesting again', () => {
  it.each(ORDERS.map((order, at) => ({ order, name: `${at}: ${order.kind}` })))(
    'plans the same order for the same thing, with its reason: $name',
    async ({ order }) => {
      const again = await planned(requestOf(order, 'drill'), { packages: [aPackage()] });
      expect(again).toMatchObject({ kind: 'proposal', proposal: { command: order, reason: 'drill' } });
      expect('leftOut' in again).toBe(false);
    },
  );

  it.each(['policy-test', 'policy-remediate'] as const)('names the policy of a %s by its number', (kind) => {
    const request = requestOf({ kind, policyId: policyId(5), policyName: 'Old name' }, null);
    expect(commandFor(request).name).toBe(kind);
    expect(unsentOf(request)).toMatchObject({
      unsent: [{ name: 'web-01' }],
      input: { device: 1001, policy: 5, reason: null },
    });
  });
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

  it('leaves out, with the reason, what cannot be requested, and asks for the rest', async () => {
    const request = aStartedRequest({ targets: targets('not_sent', 'not_sent', 'not_sent') });
    const again = await planned(request, { devices: devices.slice(0, 2) });
    expect(ids(again)).toEqual([1001, 1002]);
    expect(again).toMatchObject({
      leftOut: [{ name: 'web-1003', problem: { kind: 'device-gone', query: '#1003' } }],
    });
  });

  it('proposes nothing where none can be requested', async () => {
    const request = aStartedRequest({ targets: targets('not_sent', 'not_sent') });
    const again = await planned(request, { devices: devices.slice(2) });
    expect(again).toMatchObject({
      kind: 'view',
      view: { view: null, unrequested: [{ name: 'web-1001' }, { name: 'web-1002' }] },
    });
  });

  it('fails as a whole where the service does not answer, so that none is forgotten', async () => {
    const request = aStartedRequest({ targets: targets('not_sent', 'not_sent') });
    const { ports: given, fleet } = testPorts({ devices });
    fleet.failWith(BROKEN);
    await expect(planAgain(scanCommand, unsentOf(request), given)).rejects.toThrow();
  });

  it('installs what was named and each device is still missing', async () => {
    const chosen = { severities: [], named: ['openssl', 'zlib'] };
    const command = { kind: 'patch-each', chosen } as const;
    const request = aStartedRequest({ action: command, targets: targets('not_sent', 'not_sent') });
    const missing = devices.map((device) => ({ ...device, pendingPatches: 1 }));
    const again = await planned(request, { devices: missing, packages: [aPackage({ name: 'openssl' })] });
    expect(again).toMatchObject({
      proposal: {
        command,
        targets: [{ packages: [{ name: 'openssl' }] }, { packages: [{ name: 'openssl' }] }],
      },
    });
    const none = await planned(request, { devices: missing, packages: [aPackage({ name: 'curl' })] });
    expect(none).toMatchObject({
      view: { view: null, unrequested: [{ problem: { kind: 'none-missing' } }, {}] },
    });
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
    const names = (of: 'failed' | 'not-sent') => unsentOf(request, of).unsent.map(({ name }) => name);
    expect(names('failed')).toEqual(['web-1001', 'web-1003']);
    expect(names('not-sent')).toEqual(['web-1004', 'web-1006']);
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
    expect(await planned(request, { devices: devices.slice(1) }, 'failed')).toMatchObject({
      proposal: { plan: { ...plan, waves: [1, 1] } },
      leftOut: [{ name: 'web-1001' }],
    });
    const alone = aStartedRequest({ targets: targets('verified', 'not_verified'), rollout });
    expect(await planned(alone, { devices }, 'failed')).toMatchObject({
      proposal: { plan: { waves: [1], offline: 'skip' } },
    });
  });

  it('reads fifty devices by a list', async () => {
    const many = Array.from({ length: 50 }, (_, at) => aDevice({ id: deviceId(1001 + at) }));
    const failed = many.map(({ id }) => aTarget({ deviceId: id, state: 'not_verified' }));
    const request = aStartedRequest({ action: { kind: 'reboot' }, reason: 'drill', targets: failed });
    const { ports, fleet } = testPorts({ devices: many, groups: [aGroup()], pageSize: 500 });
    await ports.inventory.snapshot();
    const before = fleet.reads.length;
    const again = await planAgain(rebootCommand, unsentOf(request, 'failed'), ports);
    expect(again).toMatchObject({ kind: 'proposal', proposal: { plan: { waves: [3, 10, 37] } } });
    expect(fleet.reads.slice(before)).toEqual(['devices']);
  });
});
