/** Named command lines of people: aliases and saved targets. */
import { z } from 'zod';
import { type PersonId, personId } from '../../lib/ids.ts';
import { instantField, personField } from '../../lib/record-fields.ts';
import type { NamedLine, NamedLineStore, PeopleStore, StoredLineKind } from '../port/settings-records.ts';
import type { Session } from '../session.ts';
import { deleteOwn, ownRows } from './own-rows.ts';
import { readRow } from './row-schemas.ts';

/** The owner of shared lines: no Slack user has an empty id. */
const EVERYBODY = '';

const rowSchema = z.object({
  name: z.string(),
  line: z.string(),
  owner: z.string().transform((owner) => (owner === EVERYBODY ? null : personId(owner))),
  byPerson: personField,
  keptAt: instantField,
});

export function createNamedLineTable(session: Session): NamedLineStore {
  return {
    put: (kind, named, most) => session.inTransaction((inner) => put(inner, kind, named, most)),
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

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

function read(row: Row): NamedLine {
  const { byPerson: by, keptAt: at, ...line } = readRow(rowSchema, 'named_lines', row.name, row);
  return { ...line, by, at };
}

/** By name; a person's own line before the shared one. */
function byName(a: NamedLine, b: NamedLine): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return Number(a.owner === null) - Number(b.owner === null);
}

/** Two calls at the same time may exceed `most` by one: it only limits the amount stored. */
async function put(session: Session, kind: StoredLineKind, named: NamedLine, most: number) {
  const owner = ownerText(named.owner);
  const others = await rows(session, kind)
    .where('owner', '=', owner)
    .where('name', '!=', named.name)
    .execute();
  if (others.length >= most) return 'full';
  const { organizationId } = session;
  const values = { line: named.line, byPerson: named.by, keptAt: named.at };
  await session
    .db()
    .insertInto('namedLines')
    .values({ organizationId, kind, owner, name: named.name, ...values })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'kind', 'owner', 'name']).doUpdateSet(values),
    )
    .execute();
  return 'kept';
}

export function createPeopleTable(session: Session): PeopleStore {
  const { organizationId } = session;
  return {
    timeZone: async (person) => {
      const row = await ownRows(session, 'peopleSettings')
        .select('timeZone')
        .where('personId', '=', person)
        .executeTakeFirst();
      return row?.timeZone ?? null;
    },
    setTimeZone: async (personId, timeZone) => {
      await session
        .db()
        .insertInto('peopleSettings')
        .values({ organizationId, personId, timeZone })
        .onConflict((conflict) => conflict.columns(['organizationId', 'personId']).doUpdateSet({ timeZone }))
        .execute();
    },
  };
}
