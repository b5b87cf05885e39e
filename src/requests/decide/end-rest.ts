/** What is not sent yet of a rollout that was just stopped ends, in the same transaction. */
import type { Instant } from '../../lib/clock.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { StoreTables } from '../../store/port/store.ts';
import { notifyEnd } from '../notifications.ts';
import { settleRequest } from '../settle-request.ts';

export async function endRest(
  tables: StoreTables,
  request: RequestRecord,
  now: Instant,
): Promise<{ readonly unsent: number; readonly settled: RequestRecord }> {
  const unsent = await tables.targets.endReady(request.id, [{ kind: 'stopped', at: now }], now);
  const { after: settled } = await settleRequest(tables, { request, moves: [], now });
  await notifyEnd(tables, settled, now);
  return { unsent, settled };
}
