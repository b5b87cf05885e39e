/**
 * The request as its targets stand after some of them moved: its state, and how far its rollout came. Part of the
 * transaction that moved them, which holds the request's row.
 */
import type { Instant } from '../lib/clock.ts';
import type { FailpointName } from '../lib/failpoints.ts';
import { waveRange } from '../rollout/plan.ts';
import {
  afterAnswer,
  afterEnd,
  hasExpired,
  type Rollout,
  type RolloutHold,
  type WaveCounts,
  waveBegins,
  waveWorkAt,
} from '../rollout/progress.ts';
import { countIn } from '../rollout/results.ts';
import type { Evidence } from '../store/port/evidence.ts';
import {
  type RequestRecord,
  type RequestTarget,
  type TargetCounts,
  type TargetMove,
  totalOf,
  UNSENT_STATES,
} from '../store/port/request-records.ts';
import type { AuditEntry, StoreTables } from '../store/port/store.ts';
import { announceChange, type HoldChange } from './notifications.ts';
import { answerOf, isClaim } from './target-transitions.ts';

/** What a move brought about beside itself. */
export type RolloutEvent = 'braked' | 'wave-ended';

export const ROLLOUT_FAILPOINTS: Readonly<Record<RolloutEvent, FailpointName>> = {
  braked: 'rollout.braked',
  'wave-ended': 'wave.ended',
};

/** A move that its request does not allow any more: ends the transaction, so that nothing is written. */
export class NotRunnable extends Error {}

const RUNNABLE: ReadonlySet<RequestRecord['state']> = new Set(['approved', 'running', 'ended']);

/** Only what is approved may be sent, or ended unsent. What was sent before its return is followed all the same. */
function mayMove(current: RequestRecord, { request, moves }: SettleContext): boolean {
  const isRunnable = RUNNABLE.has(current.state) && current.seal === request.seal;
  return isRunnable || moves.every(({ from }) => from !== 'ready');
}

export type SettleContext = {
  /** As it was when the move was begun. */
  readonly request: Pick<RequestRecord, 'id' | 'seal'>;
  readonly moves: readonly TargetMove[];
  readonly now: Instant;
} & Pick<HoldChange, 'approvals'>;

/** Throws {@link NotRunnable}. */
export async function settleRequest(
  tables: StoreTables,
  context: SettleContext,
): Promise<{ readonly after: RequestRecord; readonly events: readonly RolloutEvent[] }> {
  const { request, moves, now, approvals } = context;
  const claims = moves.filter(isClaim).map(({ next }) => next);
  const current = await currentRequest(tables, request.id, now);
  if (current === null || !mayMove(current, context))
    throw new NotRunnable(`request ${request.id} may not run: ${current?.state ?? 'absent'}`);
  const isRunnable = RUNNABLE.has(current.state);
  const before = current.rollout;
  if (before !== null && !claims.every((claim) => mayBeSent(before, claim, now)))
    throw new NotRunnable(`the rollout of request ${request.id} is held, too old, or in another wave`);
  const rollout = await settledRollout(tables, current, context);
  const next = {
    ...current,
    rollout,
    state: isRunnable ? stateByCounts(current) : current.state,
    startedAt: current.startedAt ?? claims[0]?.issuedAt ?? null,
    endedAt: isRunnable && isOver(current) ? (current.endedAt ?? now) : null,
  };
  const events = await recordProgress(tables, { before: current, after: next, now });
  await announceChange(tables, { before: current, after: next, now, approvals });
  if (
    current.state === next.state &&
    current.startedAt === next.startedAt &&
    current.endedAt === next.endedAt &&
    current.rollout === next.rollout
  )
    return { after: current, events };
  const versioned = { ...next, version: current.version + 1 };
  if (!(await tables.requests.replace(versioned)))
    throw new Error(`request ${request.id} changed inside its own transaction`);
  return { after: versioned, events };
}

/** What was given back after its rollout was stopped ends with the rest. */
async function currentRequest(
  { requests, targets }: Pick<StoreTables, 'requests' | 'targets'>,
  id: RequestRecord['id'],
  now: Instant,
): Promise<RequestRecord | null> {
  const current = await requests.get(id);
  const hold = current?.rollout?.hold ?? null;
  if (hold?.kind !== 'stopped' || (current?.counts.ready ?? 0) === 0) return current;
  await targets.endReady(id, [stoppedBecause(hold, now)], now);
  return requests.get(id);
}

/** Why what was not sent of a stopped rollout ends. */
export function stoppedBecause(hold: RolloutHold | null | undefined, now: Instant): Evidence {
  if (hold?.kind === 'stopped' && hold.why === 'rights') return { kind: 'rights-lost', who: 'requester' };
  return { kind: 'stopped', at: hold?.at ?? now };
}

/** Whether the device of this position may be sent now. Whoever holds the rollout has committed that before. */
function mayBeSent(rollout: Rollout, { position }: RequestTarget, now: Instant): boolean {
  const range = waveRange(rollout.plan, rollout.wave);
  if (rollout.hold !== null || hasExpired(rollout, now)) return false;
  if (range === null || waveBegins(rollout, now) > now) return false;
  return position >= range.from && position < range.to;
}

/** A wave is judged where a device of it ended; with nothing left to be sent there is nothing to hold. */
async function settledRollout(
  tables: StoreTables,
  { id, rollout, counts }: RequestRecord,
  { moves, now }: Pick<SettleContext, 'moves' | 'now'>,
): Promise<Rollout | null> {
  if (rollout === null) return rollout;
  const answer = answerOf(moves);
  const counted = answer === null ? rollout : afterAnswer(rollout, answer);
  if ((counts.ready ?? 0) === 0) return counted;
  if (counted === rollout && moves.every(({ next }) => next.endedAt === null)) return counted;
  return afterEnd(counted, await waveCountsOf(tables, id, counted), now);
}

export async function waveCountsOf(
  { requests }: Pick<StoreTables, 'requests'>,
  id: RequestRecord['id'],
  { wave }: Rollout,
): Promise<WaveCounts> {
  const counts: TargetCounts = (await requests.waveCounts(id))[wave] ?? {};
  const { open = 0, verified = 0 } = counts;
  return { total: totalOf(counts), open, verified, notSent: countIn(counts, UNSENT_STATES) };
}

/** What follows when a rollout is held or begins its next wave: its work and its audit lines. */
async function recordProgress(
  { audit, work }: Pick<StoreTables, 'audit' | 'work'>,
  { before, after, now }: HoldChange,
): Promise<readonly RolloutEvent[]> {
  const [was, is] = [before.rollout, after.rollout];
  if (was === null || is === null || was === is) return [];
  const about = { at: now, actor: 'patchbay', subject: after.id } as const;
  const held = is.hold === was.hold || is.hold === null ? null : heldAuditEntry(is.hold, is.wave + 1);
  if (held !== null) {
    await audit.append({ ...about, ...held });
    return ['braked'];
  }
  if (is.wave === was.wave) return [];
  const detail = { wave: was.wave + 1, waits: is.hold?.kind === 'gate' };
  await audit.append({ ...about, action: 'rollout.wave-ended', detail });
  if (is.hold === null) await work.put({ kind: 'run', key: after.id, dueAt: waveWorkAt(is, now) });
  return ['wave-ended'];
}

/** What nobody pressed. Null: a wave that ended says so itself. */
export function heldAuditEntry(
  hold: RolloutHold,
  wave: number,
): Pick<AuditEntry, 'action' | 'detail'> | null {
  const entry = (name: string, facts: AuditEntry['detail'] = {}) => ({
    action: `rollout.${name}`,
    detail: { wave, ...facts },
  });
  switch (hold.kind) {
    case 'gate':
      return null;
    case 'braked':
      return entry(hold.why ?? 'braked', { bad: hold.bad, ended: hold.ended });
    case 'unanswered':
      return entry('unanswered', { sends: hold.sends });
    case 'away':
      return entry('away', { from: hold.from });
    case 'stopped':
      return entry(hold.why === 'rights' ? 'unauthorized' : 'unresumed');
    case 'paused':
    case 'expired':
      return entry(hold.kind);
  }
}

/** Whether nothing of it can change any more. An unknown target may be ended and still not be known. */
function isOver({ counts }: RequestRecord): boolean {
  return (counts.open ?? 0) === 0;
}

/** With nothing claimed it may still be returned to its approvers. */
function stateByCounts(request: RequestRecord): RequestRecord['state'] {
  if (isOver(request)) return 'ended';
  return countIn(request.counts, ['ready']) === totalOf(request.counts) ? 'approved' : 'running';
}
