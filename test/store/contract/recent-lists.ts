import { describe, expect, it } from 'vitest';
import { DAY, later, MINUTE } from '../../../src/lib/clock.ts';
import { eventId, personId } from '../../../src/lib/ids.ts';
import { anAlert, anApproval, anOperation, asRecent, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

/** Later than what other tests leave in the same database. */
const LATE = later(START, 10_000 * DAY);

export function recentContract(world: () => StoreSetup): void {
  describe('recent alerts and operations', () => {
    it('lists alerts of a kind from a time on, newest first, up to a limit', async () => {
      const { alerts } = world().store;
      const at = (minutes: number) => ({ createdAt: later(LATE, minutes * MINUTE) });
      const old = anAlert(at(-1));
      const first = anAlert(at(0));
      const second = anAlert({ ...at(5), eventId: eventId(900_001) });
      const third = anAlert({ ...at(5), eventId: eventId(900_002) });
      const other = anAlert({ ...at(6), kind: 'device-added' });
      for (const alert of [second, other, old, third, first]) await alerts.insert(alert);
      expect(await alerts.recent('patch-failed', LATE, 10)).toEqual([third, second, first]);
      expect(await alerts.recent('patch-failed', LATE, 2)).toEqual([third, second]);
      expect(await alerts.recent('patch-failed', later(LATE, 10 * MINUTE), 2)).toEqual([]);
    });

    it('lists the commands of one person', async () => {
      const { operations } = world().store;
      const mine = anOperation({ requesterId: personId('U0MINE'), createdAt: LATE });
      const newer = anOperation({ requesterId: personId('U0OTHER'), createdAt: later(LATE, MINUTE) });
      await operations.insert(mine);
      await operations.insert(newer);
      expect(await operations.recent(10, personId('U0MINE'))).toEqual([asRecent(mine)]);
      expect(await operations.recent(2)).toEqual([newer, mine].map(asRecent));
    });

    it('has the request time of a command that waited for approval', async () => {
      const { approvals, operations } = world().store;
      const requestedAt = later(LATE, -10 * MINUTE);
      const requesterId = personId('U0WAITED');
      const approval = anApproval({ requesterId, createdAt: requestedAt });
      await approvals.insert(approval);
      const operation = anOperation({ requesterId, approvalId: approval.id, createdAt: LATE });
      await operations.insert(operation);
      expect(await operations.recent(1, requesterId)).toEqual([{ ...operation, requestedAt }]);
    });
  });
}
