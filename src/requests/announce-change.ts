/**
 * What people are told of a rollout beside its card, in the transaction of it: one line in the card's thread for each wave
 * that ended and each incident, and a direct message where it stands still.
 */
import { type Instant, later, SECOND } from '../lib/clock.ts';
import { cardKey, type PersonId, requestCardKey } from '../lib/ids.ts';
import { incidentsBetween, type RolloutIncident, writeLineId } from '../rollout/incidents.ts';
import type { RequestRecord } from '../store/port/request-records.ts';
import type { StoreTables } from '../store/port/store.ts';
import { type HoldChange, notifyOfHold } from './notifications.ts';

/** Slack takes about one message a second in a channel. */
const LINES_APART_MS = 2 * SECOND;

export type RolloutChange = HoldChange & {
  /** Who pressed; absent: nobody. */
  readonly by?: PersonId;
  /** The next wave begins while devices of the one before are offline. */
  readonly isWithout?: boolean;
};

export async function announceChange(
  { cards }: Pick<StoreTables, 'cards'>,
  { before, after, now, approvals, ...how }: RolloutChange,
): Promise<void> {
  if (before.rollout === null || after.rollout === null || before.rollout === after.rollout) return;
  const incidents = incidentsBetween(before.rollout, after.rollout, how);
  // Cards that are due together are posted at once, so each waits for the one before it.
  for (const [place, incident] of incidents.entries())
    await enqueueLine({ cards }, { request: after, incident, now: later(now, place * LINES_APART_MS) });
  await notifyOfHold({ cards }, { before, after, now, approvals });
}

export async function enqueueLine(
  { cards }: Pick<StoreTables, 'cards'>,
  {
    request,
    incident,
    now,
  }: { readonly request: RequestRecord; readonly incident: RolloutIncident; readonly now: Instant },
): Promise<void> {
  const card = await cards.get(requestCardKey(request));
  if (card === null) return;
  const { channel, fallbackPerson } = card;
  const key = cardKey('line', writeLineId({ request: request.id, at: now, incident }));
  await cards.enqueue({ key, channel, fallbackPerson, dueAt: now });
}
