/** What the card of a rollout reads beside its request. */
import { expect, it } from 'vitest';
import { createManualClock, DAY, later, MINUTE } from '../../../src/lib/clock.ts';
import { rolloutDetails } from '../../../src/slack/cards/card-content.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { requestWithTargets } from '../../../src/store/requests-with-targets.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { aRollout, aRolloutRequest, rolloutTargets } from '../../harness/rollouts.ts';

const clock = createManualClock(START);
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
  const { details } = await rolloutDetails(store, stored, clock);
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
