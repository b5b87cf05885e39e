/** Who is told that a rollout stands still: once for each time, until it goes on. */

import { beforeEach, describe, expect, it } from 'vitest';
import { FleetFailure } from '../../../src/fleet/fleet.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import {
  cardKey,
  channelId,
  groupId,
  isCardKey,
  type PersonId,
  policyId,
  type RequestId,
} from '../../../src/lib/ids.ts';
import { holdAllRollouts } from '../../../src/requests/decide/hold-rollout.ts';
import { withMembers } from '../../../src/requests/members.ts';
import { heldFrom } from '../../../src/rollout/progress.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { noteText } from '../../../src/views/requests/evidence.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup, aPolicy } from '../../harness/builders.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { aGroupToEdit } from '../builders.ts';
import {
  ALICE,
  APPROVALS,
  BOB,
  createRequestsSetup,
  type RequestsSetup,
  reboot,
  START,
  scan,
} from '../requests-setup.ts';
import { createRolloutSetup, ONE_THEN_REST } from './rollout-setup.ts';

const line = madePerTest(createRolloutSetup);

/** How often the message about what holds it changed since it was asked for; null: there is none. */
async function toldOf(id: RequestId) {
  const hold = (await line.rolloutOf(id))?.hold ?? null;
  if (hold === null) throw new Error('nothing holds it');
  const keyOf = (person: PersonId) => cardKey('returned', `${id}.held.${heldFrom(hold)}`, channelId(person));
  const read = async () =>
    Promise.all(
      [ALICE, BOB].map(async (person) => (await line.store.cards.get(keyOf(person)))?.wantedRevision ?? null),
    );
  return { kind: hold.kind, told: await read(), read };
}

async function afterFirstWave(plan: object = {}) {
  const { id, devices } = await line.begin(9, { ...ONE_THEN_REST, ...plan });
  await line.settle();
  line.restart(...devices.slice(0, 1));
  return id;
}

describe('its requester and its approver get one message each', () => {
  it('when its brake stops it, which changes when somebody lets it go on', async () => {
    const id = await afterFirstWave();
    line.world.fate = 'refuse';
    await line.pass(HOUR);
    const { kind, told, read } = await toldOf(id);
    expect({ kind, told }).toEqual({ kind: 'braked', told: [1, 1] });
    line.world.fate = 'accept';
    await line.control(id, 'resume');
    expect(await read()).toEqual([2, 2]);
  });

  it('when it waits at a gate', async () => {
    const id = await afterFirstWave({ gate: 'manual' });
    await line.pass(HOUR);
    expect(await toldOf(id)).toMatchObject({ kind: 'gate', told: [1, 1] });
  });

  it('when answers are lost, and no other one when it is braked for them', async () => {
    const { id } = await line.begin(12, { waves: [], brake: { kind: 'devices', devices: 5 } });
    line.world.fate = 'lost-before';
    await line.pass(MINUTE);
    expect(await toldOf(id)).toMatchObject({ kind: 'unanswered', told: [1, 1] });
    await line.pass(HOUR);
    expect(await toldOf(id)).toMatchObject({ kind: 'braked', told: [3, 3] });
  });

  it('when its approval ends before all was sent', async () => {
    const { id } = await line.begin(9, ONE_THEN_REST);
    await line.settle();
    line.fleet.change({ connected: false });
    await line.pass(DAY + HOUR);
    expect(await toldOf(id)).toMatchObject({ kind: 'expired', told: [1, 1] });
  });
});

it('all approvers are told in their channel where nobody approved it, once more a day later, and when it goes on', async () => {
  const { id, devices } = await line.begin(9, { ...ONE_THEN_REST, gate: 'manual' }, scan);
  await line.pass(MINUTE);
  line.restart(...devices.slice(0, 1));
  line.fleet.change({ lastRefreshTime: line.clock.now() }, devices[0]);
  await line.pass(HOUR);
  const hold = (await line.rolloutOf(id))?.hold;
  if (hold?.kind !== 'gate') throw new Error('it does not wait');
  const key = `returned:${id}.held.${hold.at}`;
  const read = async (time = '') =>
    Promise.all(
      ([`${key}${time}`, `${key}${time}@${ALICE}`] as const).map(async (of) => {
        const card = isCardKey(of) ? await line.store.cards.get(of) : null;
        return card && [card.channel, card.wantedRevision];
      }),
    );
  expect(await read()).toEqual([
    [APPROVALS, 1],
    [ALICE, 1],
  ]);
  expect(await read('.again')).toEqual([null, null]);
  await line.pass(DAY);
  expect(await read('.again')).toEqual([
    [APPROVALS, 1],
    [ALICE, 1],
  ]);
  await line.pass(DAY);
  expect(await read('.again')).toEqual([
    [APPROVALS, 1],
    [ALICE, 1],
  ]);
  await line.control(id, 'continue');
  expect([await read(), await read('.again')]).toEqual([
    [
      [APPROVALS, 2],
      [ALICE, 2],
    ],
    [
      [APPROVALS, 2],
      [ALICE, 2],
    ],
  ]);
});

it.each([
  ['what a person did', (id: RequestId) => line.control(id, 'pause')],
  [
    'what was announced to all',
    () => {
      const at = line.clock.now();
      return line.store.transaction((tables) =>
        holdAllRollouts(tables, { kind: 'paused', by: null, at }, { now: at }),
      );
    },
  ],
])('nobody is told %s', async (_what, pause) => {
  const id = await afterFirstWave();
  await pause(id);
  expect(await toldOf(id)).toMatchObject({ kind: 'paused', told: [null, null] });
});

describe('sealed facts', () => {
  const line = madePerTest(createRequestsSetup);
  beforeEach(() => line.fleet.change({ serialNumber: 'SN-1', uuid: 'u-1', createTime: line.clock.now() }));

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
      expect(line.world.posts).toEqual([]);
    });

    it('is not sent to where nobody has to approve', async () => {
      const id = await line.start({ kind: 'scan' });
      other();
      await line.settle();
      expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence: [{ kind: 'drifted' }] });
      expect(line.world.posts).toEqual([]);
    });
  });

  describe('a device that moves to a group', () => {
    const move: FleetAction = { kind: 'device-edit', change: { groupId: groupId(10) } };
    const attached = (...ids: readonly number[]) => {
      line.world.policies = [12, 13].map((id) =>
        aPolicy({
          id: policyId(id),
          name: `Policy ${id}`,
          digest: 'decade',
          groupIds: ids.includes(id) ? [groupId(10)] : [],
        }),
      );
    };
    beforeEach(() => {
      line.world.groups = [...line.world.groups, aGroup({ id: groupId(10), name: 'Kiosks' })];
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
      const note = { changes: [{ field: 'editable.policies', added: ['Policy 13 (#13)'] }] };
      expect(await line.requestNow(request)).toMatchObject({ state: 'waiting', note });
      expect(line.world.edits).toEqual([]);
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
      expect([state, line.world.edits]).toEqual(['waiting', []]);
      await line.approve({ ...request, seal });
      await line.settle();
      expect(line.world.edits).toHaveLength(1);
    });

    it('are sealed only when the whole fleet was read', async () => {
      const { inventory } = testPorts({ devices: [aDevice()] }).ports;
      const snapshot = { ...(await inventory.snapshot()), partial: { of: null } };
      await expect(withMembers(aGroupToEdit(), async () => snapshot)).rejects.toThrow(FleetFailure);
    });
  });
});

describe('trouble with the database', () => {
  let line: RequestsSetup;

  /** A setup whose store fails `times` times in a row from this point on, where `wrap` asks it to. */
  async function setupThatFailsAt(
    point: FailpointName,
    times: number,
    wrap: (store: Store, failing: () => void) => Store,
  ): Promise<void> {
    let left = 0;
    let isPassed = false;
    const failing = () => {
      if (left === 0) return;
      left -= 1;
      throw new Error('connection terminated');
    };
    line = await createRequestsSetup({
      onFailpoint: (name) => {
        if (name !== point || isPassed) return;
        isPassed = true;
        left = times;
      },
      around: (store) => wrap(store, failing),
    });
  }

  const failingPause = (store: Store, failing: () => void): Store => ({
    ...store,
    pause: {
      ...store.pause,
      currentOrEndedSince: async (at) => {
        failing();
        return store.pause.currentOrEndedSince(at);
      },
    },
  });
  const failingTransactions = (store: Store, failing: () => void): Store => ({
    ...store,
    transaction: async (job) => {
      failing();
      return store.transaction(job);
    },
  });

  async function approved() {
    const request = await line.ask(reboot);
    await line.approve(request);
    return request;
  }

  describe('a database that fails for a moment', () => {
    it('between the claim and the call leaves it ready, and it is sent later', async () => {
      await setupThatFailsAt('target.claimed', 1, failingPause);
      const request = await approved();
      await line.settle();
      const evidence = [{ kind: 'pause-unread' }];
      expect(await line.targetFor(request)).toMatchObject({ state: 'ready', evidence });
      expect(line.world.posts).toEqual([]);
      await line.pass(2 * SECOND);
      expect(line.world.posts).toEqual([reboot]);
      expect(await line.targetFor(request)).toMatchObject({ state: 'accepted' });
    });

    it('between the call and its record does not lose that it was accepted', async () => {
      await setupThatFailsAt('target.sent', 1, failingTransactions);
      line.world.fate = 'accept-unlisted';
      const request = await approved();
      await line.settle();
      expect(await line.targetFor(request)).toMatchObject({ state: 'accepted', acceptedAt: START });
      expect(line.world.posts).toEqual([reboot]);
    });
  });
});
