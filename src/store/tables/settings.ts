/**
 * Named command lines of people (aliases and saved targets), their time zones, and pauses: one row each, and the switch, one
 * row with the active pause, which every change reads.
 */
import { z } from 'zod';
import type { Instant } from '../../lib/clock.ts';
import { type PauseId, type PersonId, personId } from '../../lib/ids.ts';
import {
  type NamedLine,
  type NamedLineStore,
  namedLine,
  type PauseRecord,
  type PauseStore,
  type PeopleStore,
  pauseRecord,
  type StoredLineKind,
} from '../port/settings-records.ts';
import type { Session } from '../session.ts';
import { deleteOwn, insertOwn, ownRows, readRow, updateOwn } from './rows.ts';

/** The owner of shared lines: no Slack user has an empty id. */
const EVERYBODY = '';

const { by: byPerson, at: keptAt, ...lineColumns } = namedLine.shape;
const lineRow = z.object({
  ...lineColumns,
  byPerson,
  keptAt,
  owner: z.string().transform((owner) => (owner === EVERYBODY ? null : personId(owner))),
});

export function createNamedLineTable(session: Session): NamedLineStore {
  return {
    put: (kind, named, most) =>
      session.inTransaction(async (inner) => {
        const owner = ownerText(named.owner);
        const own = rows(inner, kind).where('owner', '=', owner);
        // Two calls at the same time may exceed `most` by one: it only limits the amount stored.
        if ((await own.where('name', '!=', named.name).execute()).length >= most) return 'full';
        const values = { line: named.line, byPerson: named.by, keptAt: named.at };
        await insertOwn(inner, 'namedLines', { kind, owner, name: named.name, ...values })
          .onConflict((conflict) =>
            conflict.columns(['organizationId', 'kind', 'owner', 'name']).doUpdateSet(values),
          )
          .execute();
        return 'kept';
      }),
    remove: async (kind, owner, name) => {
      const { numDeletedRows } = await deleteOwn(session, 'namedLines')
        .where('kind', '=', kind)
        .where('owner', '=', ownerText(owner))
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
    find: async (kind, person, name) => {
      const found = await rows(session, kind)
        .where('name', '=', name)
        .where('owner', 'in', [ownerText(person), EVERYBODY])
        .execute();
      const lines = found.map(read);
      return lines.find(({ owner }) => owner === person) ?? lines[0] ?? null;
    },
    list: async (kind, person) => {
      const found = await rows(session, kind)
        .where('owner', 'in', [ownerText(person), EVERYBODY])
        .execute();
      // Sorted here, because the two engines order text differently.
      return found.map(read).toSorted(byName);
    },
  };
}

const ownerText = (owner: PersonId | null): string => owner ?? EVERYBODY;

const rows = (session: Session, kind: StoredLineKind) =>
  ownRows(session, 'namedLines').selectAll().where('kind', '=', kind);

function read(row: Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>): NamedLine {
  const { byPerson: by, keptAt: at, ...line } = readRow(lineRow, 'named_lines', row.name, row);
  return { ...line, by, at };
}

/** By name; a person's own line before the shared one. */
function byName(a: NamedLine, b: NamedLine): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return Number(a.owner === null) - Number(b.owner === null);
}

export function createPeopleTable(session: Session): PeopleStore {
  return {
    timeZone: async (person) => {
      const row = await ownRows(session, 'peopleSettings')
        .select('timeZone')
        .where('personId', '=', person)
        .executeTakeFirst();
      return row?.timeZone ?? null;
    },
    setTimeZone: async (personId, timeZone) => {
      await insertOwn(session, 'peopleSettings', { personId, timeZone })
        .onConflict((conflict) => conflict.columns(['organizationId', 'personId']).doUpdateSet({ timeZone }))
        .execute();
    },
  };
}

const { by, ...pauseColumns } = pauseRecord.shape;
const pauseRow = z.object({ ...pauseColumns, byPerson: by });

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
    begin: ({ by, ...pause }) =>
      session.inTransaction(async (inner) => {
        const current = await pauseOrNull(inner, await lockSwitch(inner));
        if (current !== null) return { kind: 'already', pause: current };
        await insertOwn(inner, 'pauses', { ...pause, byPerson: by, endedBy: null, endedAt: null }).execute();
        await updateOwn(inner, 'pauseSwitches').set({ pauseId: pause.id }).execute();
        return { kind: 'begun' };
      }),
    setReason: async (id, reason) => {
      await updateOwn(session, 'pauses').set({ reason }).where('id', '=', id).execute();
    },
    end: ({ by, at, id, begunBy = at }) =>
      session.inTransaction(async (inner) => {
        const current = await lockSwitch(inner);
        const pause = await pauseOrNull(inner, current);
        if (current === null || pause === null || (id !== undefined && id !== current)) return null;
        if (pause.since > begunBy) return null;
        await updateOwn(inner, 'pauses')
          .set({ endedBy: by, endedAt: at })
          .where('id', '=', current)
          .execute();
        await updateOwn(inner, 'pauseSwitches').set({ pauseId: null }).execute();
        return get(inner, current);
      }),
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
  const { byPerson: by, ...pause } = readRow(pauseRow, 'pauses', id, row);
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
  if (session.engine === 'sqlite') return (await switchRow(session).executeTakeFirst())?.pauseId ?? null;
  const locked = await switchRow(session).forShare().executeTakeFirst();
  if (locked !== undefined) return locked.pauseId;
  await insertOwn(session, 'pauseSwitches', { pauseId: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return lockSwitchShared(session);
}

/** Locks the switch until the transaction ends. The lock is a write that changes nothing, the same on both engines. */
async function lockSwitch(session: Session): Promise<PauseId | null> {
  const { pauseId: current } = await insertOwn(session, 'pauseSwitches', { pauseId: null })
    .onConflict((conflict) =>
      conflict.column('organizationId').doUpdateSet((expression) => ({
        pauseId: expression.ref('pauseSwitches.pauseId'),
      })),
    )
    .returning('pauseId')
    .executeTakeFirstOrThrow();
  return current;
}
