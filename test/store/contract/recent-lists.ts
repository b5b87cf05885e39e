import { describe, expect, it } from 'vitest';
import { DAY, later, MINUTE } from '../../../src/lib/clock.ts';
import { eventId } from '../../../src/lib/ids.ts';
import { anAlert, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

/** Later than what other tests leave in the same database. */
const LATE = later(START, 10_000 * DAY);

export function recentContract(world: () => StoreSetup): void {
  describe('recent alerts', () => {
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
  });
}
