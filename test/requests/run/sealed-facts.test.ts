/** What stands in the seal is what runs: a record that changed meanwhile is not sent to. */
import { beforeEach, describe, expect, it } from 'vitest';
import { FleetFailure } from '../../../src/fleet/fleet.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { withMembers } from '../../../src/requests/members.ts';
import { noteText } from '../../../src/views/requests/evidence.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup, aPolicy } from '../../harness/builders.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { aGroupToEdit } from '../builders.ts';
import { createRequestsSetup } from '../requests-setup.ts';

const line = madePerTest(createRequestsSetup);
beforeEach(() => line.fleet.change({ serialNumber: 'SN-1', uuid: 'u-1', createTime: line.clock.now() }));

const reboot = { kind: 'reboot' } as const;
const other = () =>
  line.fleet.change({ serialNumber: 'SN-2', uuid: 'u-2', createTime: later(line.clock.now(), MINUTE) });

describe('another machine under the same id', () => {
  it('is not sent to, and no record says which', async () => {
    const request = await line.ask(reboot);
    other();
    await line.approve(request);
    await line.settle();
    const { state, note } = await line.requestNow(request);
    expect(state).toBe('waiting');
    expect(note).toMatchObject({ changes: [{ kind: 'other-machine' }] });
    expect(JSON.stringify(note)).not.toMatch(/SN-|u-1|u-2/);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is not sent to where nobody has to approve', async () => {
    const id = await line.start({ kind: 'scan' });
    other();
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence: [{ kind: 'drifted' }] });
    expect(line.fleet.world.posts).toEqual([]);
  });
});

describe('a device that moves to a group', () => {
  const move: FleetAction = { kind: 'device-edit', change: { groupId: groupId(10) } };
  const attached = (...ids: readonly number[]) => {
    line.fleet.world.policies = [12, 13].map((id) =>
      aPolicy({
        id: policyId(id),
        name: `Policy ${id}`,
        digest: 'decade',
        groupIds: ids.includes(id) ? [groupId(10)] : [],
      }),
    );
  };
  beforeEach(() => {
    line.fleet.world.groups = [...line.fleet.world.groups, aGroup({ id: groupId(10), name: 'Kiosks' })];
    attached(12);
  });

  it('is sealed with the policies that will apply, and returns where another is attached meanwhile', async () => {
    const request = await line.ask(move);
    expect(await line.targetFor(request)).toMatchObject({
      facts: { editable: { policies: [{ id: 12, name: 'Policy 12', digest: 'decade' }] } },
    });
    attached(12, 13);
    await line.approve(request);
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({
      state: 'waiting',
      note: { changes: [{ field: 'editable.policies', added: ['Policy 13 (#13)'] }] },
    });
    expect(line.fleet.world.edits).toEqual([]);
  });
});

describe('the devices of a group', () => {
  const groups = { groupIds: [groupId(9)] };
  const policy = { ...groups, name: 'New', severities: [], days: 0, settings: {} };
  it.each<FleetAction>([
    { kind: 'group-edit', groupId: groupId(9), change: { policyIds: [policyId(12)] } },
    { kind: 'policy-edit', policyId: policyId(12), change: groups },
    { kind: 'policy-create', policy },
  ])('are sealed for $kind, so that it returns where others took their places', async (action) => {
    const line = await createRequestsSetup({ readsIndex: true });
    const [first, second, third] = line.fleet.addDevices(2);
    for (const id of [first, second]) line.fleet.change({ groupId: groupId(9) }, id);
    line.fleet.change({ groupId: groupId(1) }, third);
    const request = await line.ask(action);
    line.fleet.change({ groupId: groupId(1) }, second);
    line.fleet.change({ groupId: groupId(9) }, third);
    await line.clock.advance(2 * MINUTE);
    await line.approve(request);
    await line.settle();
    const { seal, note, state } = await line.requestNow(request);
    expect(note && noteText(note, action)).toMatch(
      /the list of devices that .+ applies to changed, though not its length\.$/,
    );
    expect([state, line.fleet.world.edits]).toEqual(['waiting', []]);
    await line.approve({ ...request, seal });
    await line.settle();
    expect(line.fleet.world.edits).toHaveLength(1);
  });

  it('are sealed only when the whole fleet was read', async () => {
    const { inventory } = testPorts({ devices: [aDevice()] }).ports;
    const snapshot = { ...(await inventory.snapshot()), partial: { of: null } };
    await expect(withMembers(aGroupToEdit(), async () => snapshot)).rejects.toThrow(FleetFailure);
  });
});
