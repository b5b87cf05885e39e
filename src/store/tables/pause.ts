/** Pauses, one row each, and the switch: one row with the active pause, which every change reads. */
import { z } from 'zod';
import type { Instant } from '../../lib/clock.ts';
import { type PauseId, pauseId } from '../../lib/ids.ts';
import { instantField, nullableText, personField } from '../../lib/record-fields.ts';
import type { PauseRecord, PauseStore } from '../port/settings-records.ts';
import type { Session } from '../session.ts';
import { ownRows, updateOwn } from './own-rows.ts';
import { readRow } from './row-schemas.ts';

const rowSchema = z.object({
  id: z.string().transform(pauseId),
  byPerson: personField,
  reason: nullableText,
  since: instantField,
  endedBy: personField.nullable(),
  endedAt: instantField.nullable(),
});

export function createPauseTable(session: Session): PauseStore {
  return {
    get: (id) => get(session, id),
    current: () => current(session),
    currentOrEndedSince: async (at) => (await current(session)) ?? endedSince(session, at),
    lockAndRead: (since = null) =>
      session.inTransaction(async (inner) => {
        const now = await pauseOrNull(inner, await lockSwitchShared(inner));
        return now ?? (since === null ? null : endedSince(inner, since));
      }),
    begin: (pause) => session.inTransaction((inner) => beginPause(inner, pause)),
    setReason: async (id, reason) => {
      await updateOwn(session, 'pauses').set({ reason }).where('id', '=', id).execute();
    },
    end: (end) => session.inTransaction((inner) => endPause(inner, end)),
  };
}

const switchRow = (session: Session) => ownRows(session, 'pauseSwitches').select('pauseId');

async function current(session: Session): Promise<PauseRecord | null> {
  const row = await switchRow(session).executeTakeFirst();
  return pauseOrNull(session, row?.pauseId ?? null);
}

async function get(session: Session, id: PauseId): Promise<PauseRecord | null> {
  const row = await ownRows(session, 'pauses').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const { byPerson: by, ...pause } = readRow(rowSchema, 'pauses', id, row);
  return { ...pause, by };
}

async function endedSince(session: Session, since: Instant): Promise<PauseRecord | null> {
  const row = await ownRows(session, 'pauses')
    .select('id')
    .where('endedAt', '>', since)
    .orderBy('endedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return pauseOrNull(session, row?.id ?? null);
}

async function pauseOrNull(session: Session, id: PauseId | null): Promise<PauseRecord | null> {
  return id === null ? null : get(session, id);
}

/**
 * Reads the switch with a shared lock, so that nobody turns it meanwhile. A missing row can't be locked: it is created,
 * and read again. SQLite has one transaction at a time and needs no lock.
 */
async function lockSwitchShared(session: Session): Promise<PauseId | null> {
  const { organizationId, engine } = session;
  if (engine === 'sqlite') return (await switchRow(session).executeTakeFirst())?.pauseId ?? null;
  const locked = await switchRow(session).forShare().executeTakeFirst();
  if (locked !== undefined) return locked.pauseId;
  await session
    .db()
    .insertInto('pauseSwitches')
    .values({ organizationId, pauseId: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return lockSwitchShared(session);
}

/** Locks the switch until the transaction ends. The lock is a write that changes nothing, the same on both engines. */
async function lockSwitch(session: Session): Promise<PauseId | null> {
  const { pauseId: current } = await session
    .db()
    .insertInto('pauseSwitches')
    .values({ organizationId: session.organizationId, pauseId: null })
    .onConflict((conflict) =>
      conflict.column('organizationId').doUpdateSet((expression) => ({
        pauseId: expression.ref('pauseSwitches.pauseId'),
      })),
    )
    .returning('pauseId')
    .executeTakeFirstOrThrow();
  return current;
}

async function setSwitch(session: Session, to: PauseId | null): Promise<void> {
  await updateOwn(session, 'pauseSwitches').set({ pauseId: to }).execute();
}

async function beginPause(
  session: Session,
  { by, ...pause }: Parameters<PauseStore['begin']>[0],
): ReturnType<PauseStore['begin']> {
  const current = await pauseOrNull(session, await lockSwitch(session));
  if (current !== null) return { kind: 'already', pause: current };
  const { organizationId } = session;
  await session
    .db()
    .insertInto('pauses')
    .values({ organizationId, ...pause, byPerson: by, endedBy: null, endedAt: null })
    .execute();
  await setSwitch(session, pause.id);
  return { kind: 'begun' };
}

async function endPause(
  session: Session,
  { by, at, id, begunBy = at }: Parameters<PauseStore['end']>[0],
): ReturnType<PauseStore['end']> {
  const current = await lockSwitch(session);
  const pause = await pauseOrNull(session, current);
  if (current === null || pause === null || (id !== undefined && id !== current)) return null;
  if (pause.since > begunBy) return null;
  await updateOwn(session, 'pauses').set({ endedBy: by, endedAt: at }).where('id', '=', current).execute();
  await setSwitch(session, null);
  return get(session, current);
}
