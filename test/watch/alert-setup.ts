/** A polled event log with the alert service, and the results of both; new for each test. */
import { beforeEach } from 'vitest';
import { createManualClock, HOUR, instant, later, type MovableClock } from '../../src/lib/clock.ts';
import { alertId, channelId, deviceId, organizationId, personId } from '../../src/lib/ids.ts';
import type { SilenceScope } from '../../src/store/port/alert-records.ts';
import type { Store } from '../../src/store/port/store.ts';
import { type AlertService, createAlertService } from '../../src/watch/alert-service.ts';
import { pollEvents } from '../../src/watch/poll.ts';
import type { DeviceLabelMap } from '../../src/watch/routing.ts';
import { aFleetReader } from '../harness/fleet-reader.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { perTest } from '../harness/per-test.ts';
import { ANY, EVERYTHING } from './alert-builders.ts';
import { aFleetEvent, createSimulatedEventLog, type SimulatedEventLog } from './simulated-event-log.ts';

const ORGANIZATION = organizationId(1);
export const ALERTS = channelId('C0ALERTS');
export const TEAM = channelId('C0TEAM');
export const CHANNELS = { patchAlerts: ALERTS, newDevices: channelId('C0NEW') };
export const OPERATOR = personId('UOPERATOR');

type AlertSetup = {
  readonly store: Store;
  readonly log: SimulatedEventLog;
  readonly clock: MovableClock;
  readonly desk: AlertService;
  /** Known labels of devices. */
  traits: DeviceLabelMap;
};

/** The world of this test. */
export const world = perTest<AlertSetup>(
  async () => {
    const store = await memoryStore(ORGANIZATION);
    const clock = createManualClock(instant(1_700_000_000_000));
    const alerts = createAlertService({ store, channels: CHANNELS, clock, wakeWorker: () => undefined });
    return { store, log: createSimulatedEventLog(), clock, desk: alerts, traits: new Map() };
  },
  ({ store }) => store.close(),
);
beforeEach(async () => {
  world().log.add(1);
  await pollOnce();
});

export const pollOnce = (given: Partial<Parameters<typeof pollEvents>[0]> = {}) =>
  pollEvents({
    fleet: aFleetReader({ events: world().log.events }),
    store: world().store,
    clock: world().clock,
    organizationId: ORGANIZATION,
    channels: CHANNELS,
    deviceLabels: async () => world().traits,
    displayName: () => null,
    mayRead: async () => true,
    onAnomaly: () => undefined,
    ...given,
  });
/** Failures of one patch, each on the device of its number. */
export const fail = (...ids: readonly number[]) => {
  for (const id of ids)
    world().log.addEvent(aFleetEvent(id, { deviceId: deviceId(id), deviceName: `web-${id}` }));
};
export const id = (event: number) => alertId(`patch-failed-${event}`);
export const on = async (card: number, channel = ALERTS) => {
  const { alerts, devices, first } = await world().store.deliveries.onCard(id(card), channel, 3);
  return { alerts, devices, first: first.map(({ eventId }) => Number(eventId)) };
};
export const enqueuedAlert = (scope: Partial<SilenceScope> = {}, lasts = HOUR, createdBy = OPERATOR) =>
  world().desk.silence({
    scope: { ...EVERYTHING, ...scope },
    reason: null,
    createdBy,
    until: later(world().clock.now(), lasts),
  });
export const silence = async (...wanted: Parameters<typeof enqueuedAlert>) => {
  const result = await enqueuedAlert(...wanted);
  if (result.kind === 'full') throw new Error('full');
  return result.silence;
};
export const ofDevice = (number: number) => ({ device: { id: deviceId(number), name: `web-${number}` } });
export const subscribe = (filter = ANY, channel = TEAM) =>
  world().desk.subscribe({ channel, person: null, kinds: ['patch-failed'], filter, createdBy: OPERATOR });
