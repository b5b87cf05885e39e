/** Removals from request to proof: approved, sent once, proven by being gone, and looked for if the answer is lost. */

import { describe, expect, it } from 'vitest';
import type { Removal } from '../../../src/fleet/model/actions.ts';
import type { Group } from '../../../src/fleet/model/resources.ts';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, groupId, pauseId, policyId } from '../../../src/lib/ids.ts';
import { aGroup, aPolicy } from '../../harness/builders.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { anError } from '../fleet-builders.ts';
import { ALICE, createRequestsSetup } from '../requests-setup.ts';

const GROUP = groupId(9);
const device: Removal = { kind: 'device-remove' };
const group: Removal = { kind: 'group-remove', groupId: GROUP };
const BOTH = [
  ['a device', device, 'deleteDevice 42', 'device'],
  ['a group', group, 'deleteGroup 9', 'group'],
] as const;

const line = madePerTest(createRequestsSetup);

const changeGroup = (id: Group['id'], change: Partial<Group>) => {
  line.world.groups = line.world.groups.map((one) => (one.id === id ? { ...one, ...change } : one));
};
const addSubgroup = () => {
  const below = aGroup({ id: groupId(12), name: 'Shops', parentId: GROUP });
  line.world.groups = [...line.world.groups, below];
};

describe.each(BOTH)('the removal of %s', (_what, removal, call, thing) => {
  const gone = { kind: 'removed', thing };

  it('waits for another person, is sent once, and is verified when it is gone', async () => {
    const request = await line.ask(removal);
    expect(await line.approve(request, ALICE)).toMatchObject({ refusal: { kind: 'own-request' } });
    expect(line.world.edits).toEqual([]);
    await line.approve(request);
    await line.settle();
    await line.pass(10 * MINUTE);
    expect(line.world.edits).toEqual([call]);
    expect(await line.targetFor(request)).toMatchObject({ state: 'verified', evidence: [gone] });
    expect(line.learned).toEqual([thing === 'device' ? 'device 42 gone' : 'group 9 gone']);
  });

  it('answered by an error with a good status is a refusal if it is still there in the end', async () => {
    line.world.fate = 'declined-before';
    const request = await line.approved(removal);
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', endedAt: null });
    await line.pass(10 * MINUTE);
    const evidence = [{ kind: 'refused' }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'refused', evidence });
    expect(line.world.edits).toEqual([call]);
  });

  it('is accepted while the service still shows it, and verified later', async () => {
    line.world.removesLate = true;
    const request = await line.approved(removal);
    const evidence = [{ kind: 'still-there', thing }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'accepted', evidence });
    await line.pass(20 * SECOND);
    for (const settle of line.world.lateRemovals) settle();
    await line.pass(MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'verified', evidence: [gone] });
    expect(line.learned).toEqual([thing === 'device' ? 'device 42 gone' : 'group 9 gone']);
    expect(line.world.edits).toEqual([call]);
  });

  it('that the service goes on showing is not verified, and not sent again', async () => {
    line.world.removesLate = true;
    const request = await line.approved(removal);
    await line.pass(10 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'not_verified',
      evidence: [
        { kind: 'edit-unconfirmed', answerLost: false },
        { kind: 'still-there', thing },
      ],
    });
    expect(line.world.edits).toEqual([call]);
    expect(line.learned).toEqual([]);
  });

  it.each([
    ['that was done', 'lost-after', 'verified', [{ kind: 'shown-after-loss' }, gone]],
    [
      'that never arrived',
      'lost-before',
      'unknown',
      [
        { kind: 'edit-unconfirmed', answerLost: true },
        { kind: 'still-there', thing },
      ],
    ],
  ] as const)('whose answer was lost, and %s, is looked for and never sent again', async (...row) => {
    const [, fate, state, evidence] = row;
    line.world.fate = fate;
    const request = await line.approved(removal);
    await line.pass(10 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state, evidence, endedAt: expect.anything() });
    expect(line.world.edits).toEqual([call]);
  });

  it('that a stop interrupted after its claim is looked for and never sent', async () => {
    let stops = 1;
    const line = await createRequestsSetup({
      onFailpoint: (name) => {
        if (name !== 'target.claimed' || stops === 0) return;
        stops -= 1;
        throw new Error('stopped');
      },
    });
    const request = await line.ask(removal);
    await line.approve(request);
    await expect(line.settle()).rejects.toThrow('stopped');
    await line.pass(10 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', endedAt: expect.anything() });
    expect(line.world.edits).toEqual([]);
  });

  it('approved twice at once is sent once', async () => {
    const request = await line.ask(removal);
    await Promise.all([line.approve(request), line.approve(request)]);
    await line.settle();
    await line.approve(request);
    await line.settle();
    expect(line.world.edits).toEqual([call]);
  });

  it('that is refused changed nothing', async () => {
    line.world.fate = 'refuse';
    const request = await line.approved(removal);
    const evidence = [{ kind: 'refused', error: { kind: 'forbidden' } }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'refused', evidence });
    expect(line.learned).toEqual([]);
  });

  it('that certainly never left is sent later', async () => {
    line.world.fate = 'unsent';
    const request = await line.approved(removal);
    expect(await line.targetFor(request)).toMatchObject({ state: 'ready' });
    line.world.fate = 'accept';
    await line.pass(MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'verified' });
  });

  it('of what is gone already is not sent', async () => {
    const request = await line.approved(removal, () => {
      line.world.device = null;
      line.world.groups = line.world.groups.filter(({ id }) => id !== GROUP);
    });
    const evidence = [{ kind: 'gone', thing }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent', evidence });
    expect(line.world.edits).toEqual([]);
  });

  it('that is approved while changes are paused waits again', async () => {
    const request = await line.ask(removal);
    await line.approve(request);
    const pause = { id: pauseId('p_1'), by: ALICE, reason: 'an incident', since: line.clock.now() };
    await line.store.pause.begin(pause);
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting', note: { kind: 'paused' } });
    expect(line.world.edits).toEqual([]);
  });

  it('is kept in the audit with its name', async () => {
    await line.ask(removal);
    const [entry] = await line.store.audit.list(0, 10);
    const name = thing === 'device' ? 'web-01' : 'Servers';
    expect(entry?.detail).toMatchObject({ command: removal.kind, name });
  });
});

describe('the removal of a device', () => {
  it.each([
    ['another name', () => line.fleet.change({ name: 'db-01' }), { field: 'hostname', now: 'db-01' }],
    ['another group', () => line.fleet.change({ groupId: groupId(1) }), { field: 'groupId' }],
    ['a connection', () => line.fleet.change({ connected: false }), { field: 'connected', now: false }],
    [
      'a new command in its queue',
      () => line.fleet.enqueue({ kind: 'reboot' }),
      { kind: 'listed', name: 'web-01', field: 'removal.queued', added: ['Reboot'] },
    ],
  ])('with %s since goes back to the approver, and nothing is sent', async (_what, between, drift) => {
    const before = await line.approved(device, between);
    const after = await line.requestNow(before);
    expect(after).toMatchObject({ state: 'waiting', note: { kind: 'drifted', subject: 'device' } });
    expect(after.note).toMatchObject({ changes: [expect.objectContaining(drift)] });
    expect(line.world.edits).toEqual([]);
    expect(await line.approve(before)).toEqual({ kind: 'refused', refusal: { kind: 'stale-card' } });
  });

  it('whose queue got shorter since is sent', async () => {
    line.fleet.enqueue({ kind: 'reboot' });
    await line.approved(device, () => line.fleet.clearQueue());
    expect(line.world.edits).toEqual(['deleteDevice 42']);
  });

  it('seals what goes with it', async () => {
    line.fleet.enqueue({ kind: 'scan' });
    const request = await line.ask(device);
    const expected = { removal: { policies: [], queued: [{ type: 'GetOS' }] } };
    expect((await line.targetFor(request)).facts).toMatchObject(expected);
  });
});

describe('the removal of a group', () => {
  it.each([
    [
      'another name',
      () => changeGroup(GROUP, { name: 'Machines' }),
      [{ name: 'Servers', field: 'displayName', now: 'Machines' }],
    ],
    [
      'more devices',
      () => void line.fleet.addDevices(2),
      [
        { field: 'removal.devices.count', was: 1, now: 3 },
        { field: 'removal.devices.listed', added: ['node-1001 (#1001)', 'node-1002 (#1002)'] },
      ],
    ],
    ['a subgroup', addSubgroup, [{ field: 'removal.subgroups', added: [expect.stringMatching(/^Shops /)] }]],
    [
      'a policy of the Default Group',
      () => {
        line.world.policies = [aPolicy({ id: policyId(3), name: 'Wipe' })];
        changeGroup(groupId(1), { policyIds: [policyId(3)] });
      },
      [{ field: 'removal.policiesAfter', added: ['Wipe (#3)'] }],
    ],
  ])('with %s since goes back to the approver, and nothing is sent', async (_what, between, drift) => {
    const before = await line.approved(group, between);
    const after = await line.requestNow(before);
    expect(after).toMatchObject({ state: 'waiting', note: { kind: 'drifted', subject: 'group' } });
    expect(after.note).toMatchObject({ changes: drift });
    expect(line.world.edits).toEqual([]);
    await line.approve(after);
    await line.settle();
    expect(line.world.edits).toEqual(['deleteGroup 9']);
  });

  it('with fewer devices since is sent', async () => {
    line.fleet.addDevices(2);
    await line.approved(group, () => line.fleet.change({ groupId: groupId(1) }, deviceId(1001)));
    expect(line.world.edits).toEqual(['deleteGroup 9']);
  });

  it('with as many devices, but another one, goes back', async () => {
    line.fleet.addDevices(2);
    line.fleet.change({ groupId: groupId(1) }, deviceId(1001));
    const request = await line.approved(group, () => {
      line.fleet.change({ groupId: groupId(1) }, deviceId(1002));
      line.fleet.change({ groupId: GROUP }, deviceId(1001));
    });
    const { note } = await line.requestNow(request);
    const expected = { changes: [{ field: 'removal.devices.listed', added: ['node-1001 (#1001)'] }] };
    expect(note).toMatchObject(expected);
  });

  it('that answers 403 while the list still has it is followed as one that is there', async () => {
    const request = await line.approved(group, () => {
      line.world.removesLate = true;
    });
    line.world.holdRead = async () => {
      line.world.readError = anError('forbidden', 403);
    };
    await line.pass(10 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'not_verified' });
  });
});
