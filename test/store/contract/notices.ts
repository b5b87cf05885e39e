import { describe, expect, it } from 'vitest';
import { DAY, later, MINUTE } from '../../../src/clock.ts';
import { eventId, personId } from '../../../src/ids.ts';
import { aNotice, anOperation, START } from '../builders.ts';
import type { World } from '../world.ts';

/** Later than what other tests leave in the same database. */
const LATE = later(START, 10_000 * DAY);

export function noticesContract(world: () => World): void {
  describe('what happened lately', () => {
    it('lists notices of a kind from a time on, the newest first, and no more than asked for', async () => {
      const { notices } = world().store;
      const at = (minutes: number) => ({ createdAt: later(LATE, minutes * MINUTE) });
      const old = aNotice(at(-1));
      const first = aNotice(at(0));
      const second = aNotice({ ...at(5), eventId: eventId(900_001) });
      const third = aNotice({ ...at(5), eventId: eventId(900_002) });
      const other = aNotice({ ...at(6), kind: 'device-added' });
      for (const notice of [second, other, old, third, first]) await notices.insert(notice);
      expect(await notices.recent('patch-failed', LATE, 10)).toEqual([third, second, first]);
      expect(await notices.recent('patch-failed', LATE, 2)).toEqual([third, second]);
      expect(await notices.recent('patch-failed', later(LATE, 10 * MINUTE), 2)).toEqual([]);
    });

    it('lists the commands of one person alone', async () => {
      const { operations } = world().store;
      const mine = anOperation({ requesterId: personId('U0MINE'), createdAt: LATE });
      const newer = anOperation({ requesterId: personId('U0OTHER'), createdAt: later(LATE, MINUTE) });
      await operations.insert(mine);
      await operations.insert(newer);
      expect(await operations.recent(10, personId('U0MINE'))).toEqual([mine]);
      expect(await operations.recent(2)).toEqual([newer, mine]);
    });
  });
}
