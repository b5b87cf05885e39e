/** Windows that decide something once they are submitted. */
import { HOUR, later } from '../../lib/clock.ts';
import { type DecisionWindowStore, decisionWindow } from '../port/decision-windows.ts';
import type { Session } from '../session.ts';
import { deleteOwn, ownRows, updateOwn, updatesOne } from './own-rows.ts';
import { jsonColumn, recordsOf } from './row-schemas.ts';

const { decides, view } = decisionWindow.shape;
const row = decisionWindow.extend({ decides: jsonColumn(decides), view: jsonColumn(view) });
const rows = recordsOf(row, 'decision_windows', ({ id }: { readonly id: string }) => id);

export function createDecisionWindowTable(session: Session): DecisionWindowStore {
  const { organizationId } = session;
  return {
    insert: async (window, now) => {
      // Not sooner: a submission in time may be handled, or sent again, after the end.
      await deleteOwn(session, 'decisionWindows').where('endsAt', '<', later(now, -HOUR)).execute();
      const json = { decides: JSON.stringify(window.decides), view: JSON.stringify(window.view) };
      await session
        .db()
        .insertInto('decisionWindows')
        .values({ organizationId, ...window, ...json })
        .execute();
    },
    get: (id) => rows.first(ownRows(session, 'decisionWindows').selectAll().where('id', '=', id)),
    use: (id, submission) =>
      updatesOne(
        updateOwn(session, 'decisionWindows')
          .set({ usedBy: submission })
          .where('id', '=', id)
          .where('usedBy', 'is', null),
      ),
  };
}
