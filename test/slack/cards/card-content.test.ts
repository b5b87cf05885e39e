/** What a card shows of its record and related facts. */
import { describe, expect, it } from 'vitest';
import { createManualClock, DAY, instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { cardKey, channelId, deviceId, messageTs, organizationId, personId } from '../../../src/lib/ids.ts';
import { announceChange } from '../../../src/requests/notifications.ts';
import { writeLineId } from '../../../src/rollout/incidents.ts';
import { cardContent, rolloutDetails } from '../../../src/slack/cards/card-content.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { requestWithTargets } from '../../../src/store/requests-with-targets.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { anAlert } from '../../harness/records.ts';
import { aRollout, aRolloutRequest, rolloutTargets } from '../../harness/rollouts.ts';

const clock = createManualClock(START);

it('an alert’s card names the group of its device, as far as that is known', async () => {
  const store = await memoryStore(organizationId(7));
  const known = anAlert({ deviceId: deviceId(7) });
  await store.alerts.insert(known);
  const shown = async (groupOf: (id: number) => string | null) => {
    const around = { linkTo: async () => null, groupOf, personal: false, clock };
    return (await cardContent(store, cardKey('alert', known.id), around))?.text;
  };
  expect(await shown((id) => (id === 7 ? 'Linux servers' : null))).toContain('*Group*: Linux servers');
  expect(await shown(() => null)).not.toContain('Group');
  await store.close();
});

it('an alert’s card has the version of its patch, as it was stored', async () => {
  const store = await memoryStore(organizationId(7));
  const alert = anAlert({ packages: [{ name: 'openssl', displayName: 'OpenSSL', version: '3.0.2' }] });
  await store.alerts.insert(alert);
  const around = { linkTo: async () => null, groupOf: () => null, personal: false, clock };
  const card = await cardContent(store, cardKey('alert', alert.id), around);
  expect(card?.text).toMatch(/^⛔ \*Patch failed on web-01\*: OpenSSL 3\.0\.2\n/);
  await store.close();
});

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
    await announceChange(store, change);
    await announceChange(store, change);
    await announceChange(store, { before, after: before, now: START });
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

const standing = createManualClock(START);
const soon = later(START, 20 * MINUTE);
const nextWeek = later(START, 7 * DAY);

const STATES: readonly Partial<RequestTarget>[] = [
  { state: 'verified', endedAt: START },
  { state: 'not_sent', endedAt: START, evidence: [{ kind: 'offline', since: null }] },
  { state: 'not_verified', endedAt: START },
  { state: 'queued', deadlineAt: soon },
  { state: 'queued', deadlineAt: nextWeek },
  { state: 'accepted', deadlineAt: nextWeek },
];

async function detailsOf(over: Parameters<typeof aRolloutRequest>[0] = {}) {
  const all = rolloutTargets(STATES.length).map((target, position) => ({
    ...target,
    position,
    ...STATES[position],
  }));
  const rollout = aRollout(all.length);
  const {
    targets,
    counts: _,
    ...request
  } = aRolloutRequest({ state: 'running', targets: all, rollout, ...over });
  const store = await memoryStore(request.organizationId);
  await store.requests.insert(request, targets);
  const stored = await requestWithTargets(store, request.id);
  if (stored === null) throw new Error('no request');
  const { details } = await rolloutDetails(store, stored, standing);
  await store.close();
  if (details === undefined) throw new Error('no details');
  const names = (found: readonly RequestTarget[]) => found.map(({ displayName }) => displayName);
  return { problems: names(details.problems), offline: names(details.offline) };
}

it('reads the devices on which it failed first, then those that got nothing', async () => {
  expect((await detailsOf()).problems).toEqual(['web-3', 'web-2']);
});

it('takes devices for offline that are followed for longer than an online one', async () => {
  expect((await detailsOf()).offline).toEqual(['web-5', 'web-6']);
});

it('waits for no device where only its record changes', async () => {
  const action = { kind: 'device-edit', change: { tags: ['blue'] } } as const;
  expect((await detailsOf({ action })).offline).toEqual([]);
});
