/** One line in the thread of a rollout's card for each wave that ended and each incident, in the transaction of it. */
import type { Instant } from '../lib/clock.ts';
import { cardKey, type PersonId, requestCardKey } from '../lib/ids.ts';
import { incidentsBetween, writeLineId } from '../rollout/incidents.ts';
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
  if (incidents.length === 0) return;
  const card = await cards.get(requestCardKey(after));
  if (card === null) return;
  const { channel, fallbackPerson } = card;
  for (const incident of incidents) {
    const key = cardKey('line', writeLineId({ request: after.id, at: now, incident }));
    await cards.enqueue({ key, channel, fallbackPerson, dueAt: now });
  }
}
