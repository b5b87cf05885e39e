/** An event log that is polled from its first moment, and what became of it: new before each test. */
import { createManualClock, instant, type MovableClock } from '../../src/clock.ts';
import { alertId, channelId, organizationId } from '../../src/ids.ts';
import type { OnStep } from '../../src/steps.ts';
import type { Store } from '../../src/store/store.ts';
import type { Oddity } from '../../src/watch/oddities.ts';
import { poll } from '../../src/watch/poll.ts';
import type { IdsSign } from '../../src/watch/restart.ts';
import { aFleetReader } from '../harness/fleet-reader.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { perTest } from '../harness/per-test.ts';
import { createEventLog, type EventLog } from './event-log.ts';

const ORGANIZATION = organizationId(1);
export const CHANNELS = { patchAlerts: channelId('C0ALERTS'), newDevices: channelId('C0NEW') };

type World = {
  readonly store: Store;
  readonly log: EventLog;
  readonly odd: Oddity[];
  clock: MovableClock;
};

/** That of this test. */
export const world = perTest<World>(
  async () => ({
    store: await memoryStore(ORGANIZATION),
    log: createEventLog(),
    odd: [],
    clock: createManualClock(instant(1_700_000_000_000)),
  }),
  ({ store }) => store.close(),
);

export const pollOnce = (
  onStep?: OnStep,
  events: EventLog['events'] = world().log.events,
  onIds?: (sign: IdsSign) => void,
) =>
  poll({
    fleet: aFleetReader({ events }),
    store: world().store,
    clock: world().clock,
    organizationId: ORGANIZATION,
    channels: CHANNELS,
    traits: async () => new Map(),
    displayName: () => null,
    mayRead: async () => true,
    onOddity: (oddity) => world().odd.push(oddity),
    onStep,
    onIds,
  });
export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
/** The channels to which the failure of this event went. */
export const toldIn = async (id: number) => {
  const deliveries = await world().store.deliveries.of(alertId(`patch-failed-${id}`));
  return deliveries.map(({ channel }) => channel);
};
