import { describe, expect, it } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { channelId, type DeviceId, personId } from '../../../src/lib/ids.ts';
import { DEFAULT_ROLLOUT_LIMITS } from '../../../src/lib/rollout-limits.ts';
import { createRecordRequest } from '../../../src/requests/decide/record-request.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { requestsWithTargets } from '../../../src/store/requests-with-targets.ts';
import { fresh, ORGANIZATION, START, someFacts } from '../builders.ts';
import { aRequest, aRequestTarget, freshDevice, type NewRequest, storeRequest } from '../request-builders.ts';
import type { StoreSetup } from '../store-setup.ts';

export function requestedDevicesContract(world: () => StoreSetup): void {
  describe('the requests of a device', () => {
    it('are listed with its target alone, the newest first', async () => {
      const device = freshDevice();
      const { store } = world();
      const put = async (at: number, on: readonly DeviceId[]) => {
        const request = aRequest({ createdAt: instant(START + at) });
        const targets = on.map((one, position) => aRequestTarget(request.id, { deviceId: one, position }));
        await store.requests.insert(request, targets);
        return request.id;
      };
      const older = await put(1, [freshDevice(), device]);
      await put(2, [freshDevice()]);
      const newer = await put(3, [device]);
      const found = await requestsWithTargets(store, { device }, 9);
      expect(found.map(({ id }) => id)).toEqual([newer, older]);
      expect(found.map(({ targets }) => targets.map(({ position }) => position))).toEqual([[0], [1]]);
    });
  });

  const someone = () => personId(`UASK${fresh()}`);

  describe('the devices that a person requested changes of', () => {
    it('are those that were sent or still may be, since a time', async () => {
      const { store } = world();
      const requesterId = someone();
      const put = (given: Partial<NewRequest>, states: Parameters<typeof storeRequest>[2] = ['ready']) =>
        storeRequest(store, { requesterId, askedLastHour: 1, ...given }, states);
      await put({ state: 'running' }, ['verified', 'not_sent', 'ready', 'refused', 'unknown']);
      await put({});
      await put({ createdAt: instant(START - 1) });
      for (const state of ['denied', 'expired', 'withdrawn'] as const) await put({ state });
      await put({ askedLastHour: null });
      await put({ requesterId: someone() });
      await put({ reach: 30 });
      expect(await store.requests.requestedSince(requesterId, instant(START - 1))).toBe(35);
      expect(await store.requests.requestedSince(someone(), instant(0))).toBe(0);
    });

    it('are counted over more requests than a list has', async () => {
      const { store } = world();
      const requesterId = someone();
      await store.transaction(async (tables) => {
        for (let at = 0; at < 501; at += 1) {
          const request = aRequest({ requesterId, askedLastHour: 1 });
          await tables.requests.insert(request, [aRequestTarget(request.id, { deviceId: freshDevice() })]);
        }
      });
      expect(await store.requests.requestedSince(requesterId, instant(0))).toBe(501);
    });

    it('are never more than the limit, however many processes record at once', async () => {
      const requester = someone();
      const clock = createManualClock(START);
      const limits = { ...DEFAULT_ROLLOUT_LIMITS, maxDevicesPerDay: 5 };
      const recordBy = (store: Store) =>
        createRecordRequest({
          ...{ store, clock, limits, organizationId: ORGANIZATION },
          channels: { approvals: channelId('C_APPROVALS') },
          wakeWorker: () => {},
        });
      const records = (await world().replicas(4)).map(recordBy);
      const asks = Array.from({ length: 20 }, (_, at) => {
        const proposal = {
          command: { kind: 'reboot' },
          targets: [someFacts({ deviceId: freshDevice() })],
          reason: null,
        } as const;
        return records[at % 4]?.({
          proposal,
          requester,
          channel: channelId('C_OPS'),
          requestKey: `${requester} ${at}`,
        });
      });
      const kinds = (await Promise.all(asks)).map((result) => result?.kind);
      expect(kinds.filter((kind) => kind === 'recorded')).toHaveLength(5);
      expect(kinds.filter((kind) => kind === 'limited')).toHaveLength(15);
      clock.stop();
    });
  });
}
