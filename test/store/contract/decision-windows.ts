import { describe, expect, it } from 'vitest';
import { HOUR, later, MINUTE } from '../../../src/lib/clock.ts';
import { channelId, messageTs, newWindowId, personId, requestId } from '../../../src/lib/ids.ts';
import type { DecisionWindow } from '../../../src/store/port/decision-windows.ts';
import { fresh, OTHER_ORGANIZATION, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

const aWindow = (given: Partial<DecisionWindow> = {}): DecisionWindow => ({
  id: newWindowId(),
  decides: { kind: 'approve', requestId: requestId('r_1'), seal: '"seal" 💥' },
  devices: 40,
  view: { id: 'V1', hash: '156772938.1827394' },
  channel: channelId('C0APPROVALS'),
  thread: messageTs('1.000001'),
  personId: personId(`U${fresh()}`),
  usedBy: null,
  endsAt: later(START, 15 * MINUTE),
  ...given,
});

export function decisionWindowsContract(world: () => StoreSetup): void {
  describe('windows that decide something', () => {
    it('are returned as stored, to their own organization, until an hour after their end', async () => {
      const { store, reopen } = world();
      const approval = aWindow();
      const about = { requestId: requestId('r_1') };
      const decides = { kind: 'continue-without', ...about, hold: null, wave: 2 } as const;
      const resumed = aWindow({ ...{ decides, devices: null, thread: null }, endsAt: later(START, -HOUR) });
      for (const one of [approval, resumed]) await store.decisionWindows.insert(one, START);
      expect(await store.decisionWindows.get(approval.id)).toEqual(approval);
      expect(await store.decisionWindows.get(resumed.id)).toEqual(resumed);
      await store.decisionWindows.insert(aWindow(), later(START, 1));
      expect(await store.decisionWindows.get(approval.id)).toEqual(approval);
      expect(await store.decisionWindows.get(resumed.id)).toBeNull();
      const others = await reopen(OTHER_ORGANIZATION);
      expect(await others.decisionWindows.get(approval.id)).toBeNull();
      expect(await others.decisionWindows.use(approval.id, 's1')).toBe(false);
      await reopen();
    });

    it('are used once, however many submit them at once', async () => {
      const { decisionWindows } = world().store;
      const { id } = aWindow();
      await decisionWindows.insert(aWindow({ id }), START);
      const used = await Promise.all(['s1', 's2', 's3'].map((by) => decisionWindows.use(id, by)));
      expect(used.filter(Boolean)).toHaveLength(1);
      expect(await decisionWindows.get(id)).toMatchObject({ usedBy: ['s1', 's2', 's3'][used.indexOf(true)] });
    });
  });
}
