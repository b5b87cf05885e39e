/**
 * The ledger of what is carried out: one transaction writes claims, results and looks together with the request's
 * state and counts, the audit, the following, the card and the message of the end. Its cost does not grow with the
 * number of targets.
 */
import { isEdit } from '../../fleet/model/actions.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import { requestCardKey } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import type { Evidence, EvidenceList } from '../../store/port/evidence.ts';
import {
  FOLLOWED_STATES,
  isUnsent,
  type RequestRecord,
  type RequestTarget,
  type TargetMove,
  type TargetState,
} from '../../store/port/request-records.ts';
import type { AuditEntry, StoreTables } from '../../store/port/store.ts';
import { editAuditDetail } from '../decide/audit-detail.ts';
import { ChangesPaused, pausedBy } from '../decide/pause-switch.ts';
import type { RecordRequestOptions } from '../decide/record-request.ts';
import { firstListLookAt, isFollowedByLists } from '../many-devices.ts';
import { notifyEnd } from '../notifications.ts';
import { NotRunnable, ROLLOUT_FAILPOINTS, type RolloutEvent, settleRequest } from '../settle-request.ts';
import { isClaim, notSent, targetAction } from '../target-transitions.ts';

/**
 * Writes those of these moves whose targets still are where they were, and gives what was written: a claim that a pause
 * or another action on the device forbids was ended instead. During a pause a claim of a rollout, or of what somebody
 * had to approve, throws {@link ChangesPaused}: then nothing is written. Nor is it where the request was decided
 * otherwise, or sealed to other facts, since it was read; nor where a rollout is held or in another wave.
 */
export type RecordMoves = (
  request: RequestRecord,
  moves: readonly TargetMove[],
) => Promise<readonly RequestTarget[]>;

type LedgerOptions = Pick<RecordRequestOptions, 'store' | 'channels' | 'onFailpoint'> & {
  readonly clock: Pick<Clock, 'now'>;
};

export function createLedger({ store, clock, channels, onFailpoint }: LedgerOptions): RecordMoves {
  const { approvals } = channels;
  return async (request, moves) => {
    let reached: readonly RolloutEvent[] = [];
    const recorded = store.transaction(async (tables) => {
      const now = clock.now();
      const allowed = await allowClaims(tables, { request, moves, now });
      const moved = await tables.targets.move(request.id, allowed);
      if (moved.length === 0) return moved;
      const moveAt = new Map(allowed.map((move) => [move.next.position, move]));
      const done = await withdrawOvertaken(tables, {
        request,
        moves: moved.flatMap(({ position }) => moveAt.get(position) ?? []),
        now,
      });
      const written = done.map(({ next }) => next);
      // What a device did stands in the audit before what follows from it for the rollout.
      const audited = done.filter(({ from, next }) => from !== next.state || next.endedAt !== null);
      await tables.audit.appendAll(audited.map(({ next }) => auditEntry(request, next, now)));
      const { after, events } = await settleRequest(tables, { request, moves: done, now, approvals });
      if (done.some(({ from, next }) => FOLLOWED.has(from) || FOLLOWED.has(next.state)))
        await scheduleLook(tables, after, now);
      reached = events;
      if (done.some(({ quiet }) => quiet !== true) || events.length > 0) {
        await notifyEnd(tables, after, now);
        // Progress of a rollout is drawn when its turn comes; what people wait for at once.
        const keepsDue = after.rollout !== null && after.endedAt === null && events.length === 0;
        await tables.cards.enqueueUpdate(requestCardKey(after), now, { keepsDue });
      }
      return written;
    });
    try {
      const written = await recorded;
      for (const event of reached) await onFailpoint?.(ROLLOUT_FAILPOINTS[event]);
      return written;
    } catch (error) {
      if (error instanceof NotRunnable) return [];
      throw error;
    }
  };
}

type MoveContext = {
  readonly request: RequestRecord;
  readonly moves: readonly TargetMove[];
  readonly now: Instant;
};

/** The claims as far as no pause and no other action on their devices forbids them; other moves pass. */
async function allowClaims(tables: StoreTables, context: MoveContext): Promise<readonly TargetMove[]> {
  const { request, moves, now } = context;
  if (!moves.some(isClaim)) return moves;
  // A rollout that a pause stopped says so itself, and goes on when somebody resumes it.
  const since = request.rollout === null ? (request.decidedAt ?? request.createdAt) : null;
  const pause = await tables.pause.lockAndRead(since);
  if (pause !== null && (request.rollout !== null || request.expiresAt !== null))
    throw new ChangesPaused(pause);
  const allowed: TargetMove[] = [];
  for (const move of moves)
    if (!isClaim(move)) allowed.push(move);
    else if (pause !== null) allowed.push({ ...move, next: notSent(move.next, pausedBy(pause), now) });
    else allowed.push(await allowUnlessUnderWay(tables, request, { move, now }));
  return allowed;
}

const FOLLOWED: ReadonlySet<TargetState> = new Set(FOLLOWED_STATES);

/**
 * Sent, or about to be, and not known to have had its effect: a device that took a reboot restarts a little later.
 * `ready` ones are judged when they are claimed.
 */
const STATES_UNDER_WAY: ReadonlySet<TargetState> = new Set(['issuing', ...FOLLOWED]);

/** One action of a kind at a time on a device: what the queue does not show yet, or no more, is known only here. */
async function allowUnlessUnderWay(
  { targets }: Pick<StoreTables, 'targets'>,
  { id, action }: RequestRecord,
  { move, now }: { readonly move: TargetMove; readonly now: Instant },
): Promise<TargetMove> {
  const open = await targets.open(move.next.deviceId, targetAction(action, move.next));
  const other = open.find(({ requestId, state }) => requestId !== id && STATES_UNDER_WAY.has(state));
  if (other === undefined) return move;
  return { ...move, next: notSent(move.next, { kind: 'under-way', since: other.issuedAt }, now) };
}

/**
 * Ends the claims beside which another action on the device got under way after {@link allowClaims} looked. From the
 * write of a claim on, the index holds off all later ones, so this second look misses none.
 */
async function withdrawOvertaken(tables: StoreTables, context: MoveContext): Promise<readonly TargetMove[]> {
  const { request, moves, now } = context;
  const judged: TargetMove[] = [];
  for (const move of moves)
    judged.push(isClaim(move) ? await allowUnlessUnderWay(tables, request, { move, now }) : move);
  const overtaken = judged.filter((move, index) => move !== moves[index]);
  const ending = overtaken.map(({ next }) => ({ from: 'issuing', next }) as const);
  if (ending.length > 0) await tables.targets.move(request.id, ending);
  return judged;
}

function auditEntry(request: RequestRecord, target: RequestTarget, at: Instant): AuditEntry {
  const { deviceId, state, evidence } = target;
  const stated = evidence.length === 0 ? null : JSON.stringify(evidence);
  const detail = { device: deviceId, evidence: stated, ...editedFieldsDetail(request, target) };
  const subject = request.id;
  return { at, actor: 'patchbay', action: `operation.${state}`, subject, detail };
}

/** What an edit changed, by the facts that were approved; of one that nobody had to approve it stands with the request. */
function editedFieldsDetail(
  { action, expiresAt }: RequestRecord,
  { endedAt, state, facts }: RequestTarget,
): AuditEntry['detail'] {
  if (endedAt === null || isUnsent(state) || state === 'refused') return {};
  if (expiresAt === null || !isEdit(action)) return {};
  return editAuditDetail(action, [facts]);
}

/** Puts the next look where something is followed; who sees it in lists sees it sooner than it is due by itself. */
async function scheduleLook({ targets, work }: StoreTables, request: RequestRecord, now: Instant) {
  const { id } = request;
  const nextAt = await targets.nextAt(id, FOLLOWED_STATES);
  if (nextAt === null) return;
  const listAt = isFollowedByLists(request) ? firstListLookAt(now) : nextAt;
  const dueAt = listAt < nextAt ? listAt : nextAt;
  await work.put({ kind: 'follow', key: id, dueAt, keepsEarlier: true });
}

export type EndNotSent = (request: RequestRecord, target: RequestTarget, why: EvidenceList) => Promise<void>;

type EndOptions = { readonly recordMoves: RecordMoves; readonly clock: Pick<Clock, 'now'> };

/** All other work waits for the audit trail meanwhile. */
const TARGETS_PER_TRANSACTION = 500;

export async function endEach(
  { recordMoves, clock }: EndOptions,
  request: RequestRecord,
  ready: readonly { readonly target: RequestTarget; readonly why: Evidence | EvidenceList }[],
): Promise<void> {
  for (const part of chunksOf(ready, TARGETS_PER_TRANSACTION)) {
    const now = clock.now();
    const moves = part.map(
      ({ target, why }) => ({ from: 'ready', next: notSent(target, why, now) }) as const,
    );
    await recordMoves(request, moves);
  }
}

/** Ends the target of a request that nothing may be sent for any more. */
export function createEndNotSent(options: EndOptions): EndNotSent {
  return (request, target, why) => endEach(options, request, [{ target, why }]);
}
