/** Silences: periods in which alerts are held and not posted. */
import { z } from 'zod';
import { deviceId, groupId } from '../../lib/ids.ts';
import type { SilenceRecord, SilenceStore } from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import { ownRows, updateOwn, updatesOne } from './own-rows.ts';
import {
  alertKind,
  instantColumn,
  jsonColumn,
  organizationColumn,
  personColumn,
  readRow,
  wholeNumber,
} from './row-schemas.ts';
import { nextNumber } from './table-helpers.ts';

const scope = z.object({
  kinds: z.array(alertKind),
  group: z.object({ id: wholeNumber.transform(groupId), name: z.string() }).nullable(),
  device: z.object({ id: wholeNumber.transform(deviceId), name: z.string() }).nullable(),
  patch: z.string().nullable(),
});

const rowSchema = z.object({
  organizationId: organizationColumn,
  number: wholeNumber,
  scope: jsonColumn(scope),
  reason: z.string().nullable(),
  createdBy: personColumn,
  createdAt: instantColumn,
  until: instantColumn,
  endedAt: instantColumn.nullable(),
  endedBy: z.union([z.literal('patchbay'), personColumn]).nullable(),
  kept: wholeNumber,
}) satisfies z.ZodType<SilenceRecord>;

export function createSilenceTable(session: Session): SilenceStore {
  const { organizationId } = session;
  return {
    add: (silence) =>
      session.inTransaction(async (inner) => {
        const number = await nextNumber(inner, 'silence');
        const record = { ...silence, organizationId, number, endedAt: null, endedBy: null, kept: 0 };
        await inner
          .db()
          .insertInto('silences')
          .values({ ...record, scope: JSON.stringify(silence.scope) })
          .execute();
        return record;
      }),
    get: async (number) => {
      const row = await rows(session).where('number', '=', number).executeTakeFirst();
      return row === undefined ? null : readRow(rowSchema, 'silences', number, row);
    },
    open: async () => {
      const found = await rows(session).where('endedAt', 'is', null).orderBy('number').execute();
      return found.map((row) => readRow(rowSchema, 'silences', row.number, row));
    },
    holdAlert: (number) =>
      updatesOne(change(session, number).set((expression) => ({ kept: expression('kept', '+', 1) }))),
    extend: (number, until) => updatesOne(change(session, number).set({ until })),
    end: (number, endedBy, endedAt) =>
      updatesOne(
        change(session, number)
          .$if(endedBy === 'patchbay', (query) => query.where('until', '<=', endedAt))
          .set({ endedBy, endedAt }),
      ),
  };
}

const rows = (session: Session) => ownRows(session, 'silences').selectAll();

/** Only active silences: a change holds the row, so that the silence can't end meanwhile. */
const change = (session: Session, number: number) =>
  updateOwn(session, 'silences').where('number', '=', number).where('endedAt', 'is', null);
