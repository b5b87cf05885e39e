/** Silences: periods in which alerts are held and not posted. */
import { type SilenceStore, silenceRecord } from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import { ownRows, updateOwn, updatesOne } from './own-rows.ts';
import { jsonColumn, recordsOf } from './row-schemas.ts';
import { nextNumber } from './table-helpers.ts';

const rowSchema = silenceRecord.extend({ scope: jsonColumn(silenceRecord.shape.scope) });

const silences = recordsOf(rowSchema, 'silences', (row: { readonly number: number }) => row.number);

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
    get: async (number) => silences.first(rows(session).where('number', '=', number)),
    open: async () => silences.all(rows(session).where('endedAt', 'is', null).orderBy('number')),
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
