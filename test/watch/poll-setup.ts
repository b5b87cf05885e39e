/** An event log that is polled from its first moment, and the results; new for each test. */
import { createManualClock, instant, later, type MovableClock } from '../../src/lib/clock.ts';
import type { OnFailpoint } from '../../src/lib/failpoints.ts';
import { alertId, channelId, organizationId } from '../../src/lib/ids.ts';
import type { Store } from '../../src/store/port/store.ts';
import type { EventLogAnomaly, IdRestartSign } from '../../src/watch/event-log.ts';
import { type PollOptions, pollEvents } from '../../src/watch/poll.ts';
import { aFleetReader } from '../harness/fleet-reader.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { perTest } from '../harness/per-test.ts';
import { createSimulatedEventLog, type SimulatedEventLog } from './simulated-event-log.ts';

const ORGANIZATION = organizationId(1);
export const CHANNELS = { patchAlerts: channelId('C0ALERTS'), newDevices: channelId('C0NEW') };

type PollSetup = {
  readonly store: Store;
  readonly log: SimulatedEventLog;
  readonly odd: EventLogAnomaly[];
  /** How far the service's clock is ahead of ours; null: it states no time. */
  serviceAheadMs: number | null;
  clock: MovableClock;
};

/** The world of this test. */
export const world = perTest<PollSetup>(
  async () => ({
    store: await memoryStore(ORGANIZATION),
    log: createSimulatedEventLog(),
    odd: [],
    serviceAheadMs: 0,
    clock: createManualClock(instant(1_700_000_000_000)),
  }),
  ({ store }) => store.close(),
);

export const pollOnce = (
  onFailpoint?: OnFailpoint,
  events: SimulatedEventLog['events'] = world().log.events,
  onIds?: (sign: IdRestartSign) => void,
  onFirst?: PollOptions['onFirst'],
) =>
  pollEvents({
    fleet: aFleetReader({ events }),
    serviceNow: () => {
      const { clock, serviceAheadMs } = world();
      return serviceAheadMs === null ? null : later(clock.now(), serviceAheadMs);
    },
    store: world().store,
    clock: world().clock,
    organizationId: ORGANIZATION,
    channels: CHANNELS,
    deviceLabels: async () => new Map(),
    displayName: () => null,
    mayRead: async () => true,
    onAnomaly: (anomaly) => world().odd.push(anomaly),
    onFailpoint,
    onIds,
    onFirst,
  });
export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
/** The channels that got the failure of this event. */
export const alertsIn = async (id: number) => {
  const deliveries = await world().store.deliveries.of(alertId(`patch-failed-${id}`));
  return deliveries.map(({ channel }) => channel);
};
