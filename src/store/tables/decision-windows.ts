/** Windows that let something run once they are submitted. */
import { z } from 'zod';
import { requestId, windowId } from '../../lib/ids.ts';
import { instantField, nullableText, personField } from '../../lib/record-fields.ts';
import { type DecisionWindowStore, windowBody } from '../port/decision-windows.ts';
import type { Session } from '../session.ts';
import { deleteOwn, ownRows, updateOwn, updatesOne } from './own-rows.ts';
import { jsonColumn, recordsOf } from './row-schemas.ts';

const rowSchema = z.object({
  id: z.string().transform(windowId),
  personId: personField,
  requestId: z.string().transform(requestId),
  body: jsonColumn(windowBody),
  usedBy: nullableText,
  endsAt: instantField,
});
const rows = recordsOf(rowSchema, 'decision_windows', ({ id }: { readonly id: string }) => id);

export function createDecisionWindowTable(session: Session): DecisionWindowStore {
  const { organizationId } = session;
  return {
    insert: async ({ id, personId, requestId: request, usedBy, endsAt, ...body }, now) => {
      await deleteOwn(session, 'decisionWindows').where('endsAt', '<', now).execute();
      const values = { organizationId, id, personId, requestId: request, usedBy, endsAt };
      await session
        .db()
        .insertInto('decisionWindows')
        .values({ ...values, body: JSON.stringify(body) })
        .execute();
    },
    get: async (id) => {
      const row = await rows.first(ownRows(session, 'decisionWindows').selectAll().where('id', '=', id));
      if (row === null) return null;
      const { body, ...window } = row;
      return { ...window, ...body };
    },
    use: (id, submission) =>
      updatesOne(
        updateOwn(session, 'decisionWindows')
          .set({ usedBy: submission })
          .where('id', '=', id)
          .where('usedBy', 'is', null),
      ),
  };
}
