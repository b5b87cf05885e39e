/** An event log that is read, the desk of alerts beside it, and what became of both: new before each test. */
import { beforeEach } from 'vitest';
import { createManualClock, HOUR, instant, later, type MovableClock } from '../../src/clock.ts';
import { alertId, channelId, deviceId, organizationId, personId } from '../../src/ids.ts';
import type { SilenceScope } from '../../src/store/alert-records.ts';
import type { Store } from '../../src/store/store.ts';
import { type AlertDesk, createAlertDesk } from '../../src/watch/desk.ts';
import { poll } from '../../src/watch/poll.ts';
import type { Traits } from '../../src/watch/routing.ts';
import { aFleetReader } from '../harness/fleet-reader.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { perTest } from '../harness/per-test.ts';
import { ANY, EVERYTHING } from './alert-builders.ts';
import { aFleetEvent, createEventLog, type EventLog } from './event-log.ts';

const ORGANIZATION = organizationId(1);
export const ALERTS = channelId('C0ALERTS');
export const TEAM = channelId('C0TEAM');
export const CHANNELS = { patchAlerts: ALERTS, newDevices: channelId('C0NEW') };
export const OPERATOR = personId('UOPERATOR');

type World = {
  readonly store: Store;
  readonly log: EventLog;
  readonly clock: MovableClock;
  readonly desk: AlertDesk;
  /** What is known of devices. */
  traits: Traits;
};

/** That of this test. */
export const world = perTest<World>(
  async () => {
    const store = await memoryStore(ORGANIZATION);
    const clock = createManualClock(instant(1_700_000_000_000));
    const desk = createAlertDesk({ store, channels: CHANNELS, clock, kick: () => undefined });
    return { store, log: createEventLog(), clock, desk, traits: new Map() };
  },
  ({ store }) => store.close(),
);
beforeEach(async () => {
  world().log.add(1);
  await pollOnce();
});

export const pollOnce = (given: Partial<Parameters<typeof poll>[0]> = {}) =>
  poll({
    fleet: aFleetReader({ events: world().log.events }),
    store: world().store,
    clock: world().clock,
    organizationId: ORGANIZATION,
    channels: CHANNELS,
    traits: async () => world().traits,
    displayName: () => null,
    mayRead: async () => true,
    onOddity: () => undefined,
    ...given,
  });
/** Events of one failing patch, each on the device of its number. */
export const fail = (...ids: readonly number[]) => {
  for (const id of ids)
    world().log.addEvent(aFleetEvent(id, { deviceId: deviceId(id), deviceName: `web-${id}` }));
};
export const id = (event: number) => alertId(`patch-failed-${event}`);
export const on = async (card: number, channel = ALERTS) => {
  const { alerts, devices, first } = await world().store.deliveries.onCard(id(card), channel, 3);
  return { alerts, devices, first: first.map(({ eventId }) => Number(eventId)) };
};
export const wish = (scope: Partial<SilenceScope> = {}, lasts = HOUR, createdBy = OPERATOR) =>
  world().desk.silence({
    scope: { ...EVERYTHING, ...scope },
    reason: null,
    createdBy,
    until: later(world().clock.now(), lasts),
  });
export const silence = async (...wanted: Parameters<typeof wish>) => {
  const result = await wish(...wanted);
  if (result.kind === 'full') throw new Error('full');
  return result.silence;
};
export const ofDevice = (number: number) => ({ device: { id: deviceId(number), name: `web-${number}` } });
export const subscribe = (filter = ANY, channel = TEAM) =>
  world().desk.subscribe({ channel, person: null, kinds: ['patch-failed'], filter, createdBy: OPERATOR });
