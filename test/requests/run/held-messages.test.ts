/** Who is told that a rollout stands still: once for each time, until it goes on. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { cardKey, channelId, isCardKey, type PersonId, type RequestId } from '../../../src/lib/ids.ts';
import { holdAllRollouts } from '../../../src/requests/decide/hold-rollout.ts';
import { heldFrom } from '../../../src/rollout/progress.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { ALICE, APPROVALS, BOB } from '../requests-setup.ts';
import { createRolloutSetup, ONE_THEN_REST, scan } from './rollout-setup.ts';

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
    line.fleet.world.fate = 'refuse';
    await line.pass(HOUR);
    const { kind, told, read } = await toldOf(id);
    expect({ kind, told }).toEqual({ kind: 'braked', told: [1, 1] });
    line.fleet.world.fate = 'accept';
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
    line.fleet.world.fate = 'lost-before';
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
