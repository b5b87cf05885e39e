/** Lines in the thread of a rollout's card: posted once, where the card is. */
import { describe, expect, it } from 'vitest';
import { createManualClock, instant, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { cardKey, channelId, messageTs, personId } from '../../../src/lib/ids.ts';
import { enqueueRolloutLines } from '../../../src/requests/rollout-lines.ts';
import { writeLineId } from '../../../src/rollout/incidents.ts';
import { cardContent } from '../../../src/slack/cards/card-content.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { aRollout, aRolloutRequest, rolloutTargets } from '../../harness/rollouts.ts';

const CHANNEL = channelId('C0APPROVALS');
const BOB = personId('U0BOB');
const around = {
  linkTo: async () => null,
  groupOf: () => null,
  personal: false,
  clock: createManualClock(START),
};

async function aScene() {
  const {
    targets,
    counts: _,
    ...request
  } = aRolloutRequest({
    state: 'approved',
    targets: rolloutTargets(40),
  });
  const store = await memoryStore(request.organizationId);
  await store.requests.insert(request, targets);
  const parent = cardKey('approval', request.id);
  await store.cards.enqueue({ key: parent, channel: CHANNEL, fallbackPerson: null, dueAt: START });
  const incident = { kind: 'paused', by: BOB } as const;
  const key = cardKey('line', writeLineId({ request: request.id, at: START, incident }));
  return { store, parent, key, request };
}

describe('a line in the thread of a rollout', () => {
  it('waits for the card, and is posted in its thread wherever that is', async () => {
    const { store, parent, key } = await aScene();
    expect(await cardContent(store, key, around)).toMatchObject({ thread: null });
    const place = { channel: channelId('D0BOB'), ts: messageTs('7.000001') };
    await store.cards.recordPosted(parent, { ...place, revision: 1 });
    expect(await cardContent(store, key, around)).toMatchObject({
      text: '⚠️ Paused by <@U0BOB>.',
      thread: place,
    });
    await store.close();
  });

  it('is enqueued once for each incident, in the channel of the card', async () => {
    const { store, request } = await aScene();
    const before = { ...request, counts: {} };
    const hold = { kind: 'paused', by: BOB, at: START } as const;
    const after = { ...before, rollout: aRollout(40, { hold }) };
    const change = { before, after, now: instant(START + MINUTE) };
    await enqueueRolloutLines(store, change);
    await enqueueRolloutLines(store, change);
    await enqueueRolloutLines(store, { before, after: before, now: START });
    const due = await store.work.claim({ now: instant(START + 2 * MINUTE), leaseMs: SECOND, limit: 9 });
    const lines = due.map(({ key }) => key).filter((key) => key.startsWith('line:'));
    expect(lines).toEqual([`line:r_1.${START + MINUTE}.{"kind":"paused","by":"U0BOB"}`]);
    await store.close();
  });

  it('is forgotten where its card was given up', async () => {
    const { store, parent, key } = await aScene();
    const card = await store.cards.get(parent);
    if (card === null) throw new Error('no card');
    await store.cards.giveUp(card, 'is_archived');
    expect(await cardContent(store, key, around)).toBeNull();
    await store.close();
  });
});
