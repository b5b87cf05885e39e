/** One line in the thread of a rollout's card for each wave that ended and each incident, in the transaction of it. */
import { type Instant, later } from '../lib/clock.ts';
import { cardKey, type PersonId, requestCardKey } from '../lib/ids.ts';
import { incidentsBetween, type RolloutIncident, writeLineId } from '../rollout/incidents.ts';
import type { RequestRecord } from '../store/port/request-records.ts';
import type { StoreTables } from '../store/port/store.ts';

export type RolloutChange = {
  readonly before: RequestRecord;
  readonly after: RequestRecord;
  /** Who pressed; absent: nobody. */
  readonly by?: PersonId;
  readonly now: Instant;
};

export async function enqueueRolloutLines(
  { cards }: Pick<StoreTables, 'cards'>,
  { before, after, by, now }: RolloutChange,
): Promise<void> {
  if (before.rollout === null || after.rollout === null || before.rollout === after.rollout) return;
  const incidents = incidentsBetween(before.rollout, after.rollout, by ?? null);
  // A thread has them in this order: what is due first is posted first.
  for (const [at, incident] of incidents.entries())
    await enqueueLine({ cards }, { request: after, incident, now: later(now, at) });
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
