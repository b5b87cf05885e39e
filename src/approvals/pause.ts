/**
 * The switch that pauses all changes. It stands in the database, so a stop does not lift it, and every claim looks at
 * it in its own transaction: nothing is sent that was claimed after the pause began, by whatever replica.
 */
import type { Clock, Instant } from '../clock.ts';
import type { PauseSwitch } from '../commands/settings.ts';
import { type ChannelId, cardKey, newPauseId, type PersonId } from '../ids.ts';
import type { PauseRecord } from '../store/settings-records.ts';
import type { Store, Tables } from '../store/store.ts';
import { reasonDetail } from './reason.ts';

export type PauseSwitchOptions = {
  readonly store: Store;
  readonly clock: Clock;
  /** Where a pause is announced. */
  readonly approvalsChannel: ChannelId;
  /** Wakes the worker. */
  readonly kick: () => void;
};

/** Thrown inside a transaction that would claim or ask for a change, so that it leaves nothing behind. */
export class Paused extends Error {
  readonly pause: PauseRecord;
  constructor(pause: PauseRecord) {
    super('changes are paused');
    this.name = 'Paused';
    this.pause = pause;
  }
}

/**
 * Throws {@link Paused} while a pause goes on, or where one ended after `since`; otherwise none begins before the
 * transaction of `tables` ends.
 */
export async function unlessPaused(
  { pause }: Pick<Tables, 'pause'>,
  since: Instant | null = null,
): Promise<void> {
  const found = await pause.hold(since);
  if (found !== null) throw new Paused(found);
}

/** The answer of `job`, or the pause that was in its way. */
export async function orPaused<T>(job: () => Promise<T>): Promise<T | Paused> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof Paused) return error;
    throw error;
  }
}

/** Longest of all reasons together: it is said to everybody who is refused. */
const MOST_REASON = 600;

/** A pause begun in a hurry gets its reason later, and another admin may know another one. */
async function addReason(
  tables: Tables,
  pause: PauseRecord,
  { by, reason, now }: { readonly by: PersonId; readonly reason: string | null; readonly now: Instant },
): Promise<{ readonly kind: 'already' | 'reason-added'; readonly pause: PauseRecord }> {
  if (reason === null || reason === '' || reasonsOf(pause).includes(reason))
    return { kind: 'already', pause };
  const all = [...reasonsOf(pause), reason].join(BETWEEN);
  const kept = all.length <= MOST_REASON ? all : reason;
  await tables.pause.giveReason(pause.id, kept);
  await tables.cards.refresh(cardKey('pause', pause.id), now);
  const line = {
    at: now,
    actor: by,
    action: 'changes.pause-reason-added',
    subject: pause.id,
    detail: reasonDetail(reason),
  };
  await tables.audit.append(line);
  return { kind: 'reason-added', pause: { ...pause, reason: kept } };
}

const BETWEEN = '; ';

function reasonsOf({ reason }: PauseRecord): readonly string[] {
  return reason === null ? [] : reason.split(BETWEEN);
}

export function createPauseSwitch(options: PauseSwitchOptions): PauseSwitch {
  const { store, clock, approvalsChannel, kick } = options;
  return {
    current: store.pause.current,
    begin: async (by, reason) => {
      const now = clock.now();
      const wanted = { id: newPauseId(), by, reason, since: now };
      const begun = await store.transaction(async (tables) => {
        const answer = await tables.pause.begin(wanted);
        if (answer.kind === 'already') return addReason(tables, answer.pause, { by, reason, now });
        const key = cardKey('pause', wanted.id);
        await tables.cards.want({ key, channel: approvalsChannel, fallbackPerson: by, dueAt: now });
        const line = {
          at: now,
          actor: by,
          action: 'changes.paused',
          subject: wanted.id,
          detail: { reason: null, ...reasonDetail(reason) },
        };
        await tables.audit.append(line);
        return { kind: 'begun' as const, pause: { ...wanted, endedBy: null, endedAt: null } };
      });
      kick();
      return begun;
    },
    end: async (by, id) => {
      const now = clock.now();
      const ended = await store.transaction(async (tables) => {
        const pause = await tables.pause.end({ by, at: now, id });
        if (pause === null) return null;
        await tables.cards.refresh(cardKey('pause', pause.id), now);
        const line = { at: now, actor: by, action: 'changes.resumed', subject: pause.id, detail: {} };
        await tables.audit.append(line);
        return pause;
      });
      kick();
      return ended;
    },
  };
}
