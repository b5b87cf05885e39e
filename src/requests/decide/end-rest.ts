/** What is not sent yet of a rollout that was just stopped ends, in the same transaction. */
import type { Instant } from '../../lib/clock.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { StoreTables } from '../../store/port/store.ts';
import { notifyEnd } from '../notifications.ts';
import { settleRequest, stoppedBecause } from '../settle-request.ts';
import { HELD_BY_DEVICE } from './waits-offline.ts';

export async function endRest(
  tables: StoreTables,
  request: RequestRecord,
  now: Instant,
): Promise<{ readonly unsent: number; readonly settled: RequestRecord }> {
  const unsent = await tables.targets.endReady(request.id, [stoppedBecause(request.rollout?.hold, now)], now);
  const { after: settled } = await settleRequest(tables, { request, moves: [], now });
  await notifyEnd(tables, settled, now);
  return { unsent, settled };
}

/** Ends the devices that have the command and are waited for: it stays in their queues, and may still run. */
export async function endWaiting(
  tables: StoreTables,
  { id }: Pick<RequestRecord, 'id'>,
  now: Instant,
): Promise<void> {
  const waiting = await tables.targets.of(id, { states: HELD_BY_DEVICE });
  const ended = await tables.targets.move(
    id,
    waiting.map((target) => ({ from: target.state, next: stillQueued(target, now) })),
  );
  await tables.audit.appendAll(
    ended.map(({ deviceId, state, evidence }) => ({
      ...{ at: now, actor: 'patchbay', action: `operation.${state}`, subject: id },
      detail: { device: deviceId, evidence: JSON.stringify(evidence) },
    })),
  );
}

function stillQueued(target: RequestTarget, now: Instant): RequestTarget {
  const queued = target.evidence.find(({ kind }) => kind === 'queued');
  const offline = queued?.kind === 'queued' ? queued.offline : null;
  const evidence = [{ kind: 'still-queued', offline: offline ?? { since: null } } as const];
  return { ...target, state: 'not_verified', endedAt: now, nextAt: null, evidence };
}
