/**
 * The switch that pauses all changes. It stands in the database, so a stop does not lift it, and every claim looks at
 * it in its own transaction: nothing is sent that was claimed after the pause began, by whatever replica.
 */
import type { Clock, Instant } from '../../lib/clock.ts';
import { type ChannelId, cardKey, newPauseId, type PauseId, type PersonId } from '../../lib/ids.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { saidAuditDetail } from './audit-detail.ts';
import { holdAllRollouts } from './hold-rollout.ts';

export type PauseSwitchOptions = {
  readonly store: Store;
  readonly clock: Clock;
  /** Where a pause is announced. */
  readonly approvalsChannel: ChannelId;
  readonly wakeWorker: () => void;
};

/** Thrown inside a transaction that would claim or ask for a change, so that it leaves nothing behind. */
export class ChangesPaused extends Error {
  readonly pause: PauseRecord;
  constructor(pause: PauseRecord) {
    super('changes are paused');
    this.name = 'Paused';
    this.pause = pause;
  }
}

/** Throws {@link ChangesPaused} while a pause goes on; otherwise none begins before the transaction of `tables` ends. */
export async function throwIfPaused({ pause }: Pick<StoreTables, 'pause'>): Promise<void> {
  const found = await pause.lockAndRead(null);
  if (found !== null) throw new ChangesPaused(found);
}

/** The answer of `job`, or the pause that was in its way. */
export async function catchPaused<T>(job: () => Promise<T>): Promise<T | ChangesPaused> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof ChangesPaused) return error;
    throw error;
  }
}

/** Why a change was not sent, or has to be approved again. */
export function pausedBy({ since, endedAt, reason }: PauseRecord) {
  return { kind: 'paused', since, endedAt, reason } as const satisfies Evidence;
}

/** Longest of all reasons together: it is said to everybody who is refused. */
const MAX_REASON_LENGTH = 600;

/** A pause begun in a hurry gets its reason later, and another admin may know another one. */
async function addReason(
  tables: StoreTables,
  pause: PauseRecord,
  { by, reason, now }: { readonly by: PersonId; readonly reason: string | null; readonly now: Instant },
): Promise<{ readonly kind: 'already' | 'reason-added'; readonly pause: PauseRecord }> {
  if (reason === null || reason === '' || reasonsOf(pause).includes(reason))
    return { kind: 'already', pause };
  const all = [...reasonsOf(pause), reason].join(REASON_SEPARATOR);
  const kept = all.length <= MAX_REASON_LENGTH ? all : reason;
  await tables.pause.setReason(pause.id, kept);
  await tables.cards.enqueueUpdate(cardKey('pause', pause.id), now);
  const detail = saidAuditDetail('reason', reason);
  const action = 'changes.pause-reason-added';
  await tables.audit.append({ at: now, actor: by, action, subject: pause.id, detail });
  return { kind: 'reason-added', pause: { ...pause, reason: kept } };
}

const REASON_SEPARATOR = '; ';

function reasonsOf({ reason }: PauseRecord): readonly string[] {
  return reason === null ? [] : reason.split(REASON_SEPARATOR);
}

/** While a pause goes on, nothing is sent that changes anything. */
export type PauseControl = Readonly<ReturnType<typeof createPauseSwitch>>;

export function createPauseSwitch(options: PauseSwitchOptions) {
  const { store, clock, approvalsChannel, wakeWorker } = options;
  return {
    current: store.pause.current,
    /** While one goes on, a reason is added to those that it has. */
    begin: async (by: PersonId, reason: string | null) => {
      const now = clock.now();
      const wanted = { id: newPauseId(), by, reason, since: now };
      const begun = await store.transaction(async (tables) => {
        const answer = await tables.pause.begin(wanted);
        if (answer.kind === 'already') return addReason(tables, answer.pause, { by, reason, now });
        const key = cardKey('pause', wanted.id);
        await tables.cards.enqueue({ key, channel: approvalsChannel, fallbackPerson: by, dueAt: now });
        await holdAllRollouts(tables, { kind: 'paused', by: null, at: now }, { now });
        const detail = { reason: null, ...saidAuditDetail('reason', reason) };
        await tables.audit.append({
          at: now,
          actor: by,
          action: 'changes.paused',
          subject: wanted.id,
          detail,
        });
        const pause: PauseRecord = { ...wanted, endedBy: null, endedAt: null };
        return { kind: 'begun' as const, pause };
      });
      wakeWorker();
      return begun;
    },
    /** Ends the pause that goes on, or only that of `id` or one that began by then; null where it does not go on. */
    end: async (by: PersonId, which?: { readonly id: PauseId } | { readonly begunBy: Instant }) => {
      const now = clock.now();
      const ended = await store.transaction(async (tables) => {
        const pause = await tables.pause.end({ by, at: now, ...which });
        if (pause === null) return null;
        await tables.cards.enqueueUpdate(cardKey('pause', pause.id), now);
        const entry = { at: now, actor: by, action: 'changes.resumed', subject: pause.id, detail: {} };
        await tables.audit.append(entry);
        return pause;
      });
      wakeWorker();
      return ended;
    },
  };
}
