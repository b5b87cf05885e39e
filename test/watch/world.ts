/** A polled event log with the alert service, and the results of both; new for each test. */
import { type AlertService, createAlertService } from '../../src/alerts/alert-service.ts';
import type { DeviceLabelMap } from '../../src/alerts/routing.ts';
import type { FleetEventQuery, FleetReader } from '../../src/fleet/fleet.ts';
import type { FleetEvent } from '../../src/fleet/model/resources.ts';
import { walkPages } from '../../src/fleet/reads/reads.ts';
import type { RowPage } from '../../src/fleet/schema/rows.ts';
import { createManualClock, type Instant, instant, later, type MovableClock } from '../../src/lib/clock.ts';
import { type ChannelId, channelId, eventId, organizationId } from '../../src/lib/ids.ts';
import type { Store } from '../../src/store/port/store.ts';
import type { EventLogAnomaly } from '../../src/watch/event-log.ts';
import { type PollOptions, pollEvents } from '../../src/watch/poll.ts';
import { aFleetEvent } from '../harness/builders.ts';
import { aFleetReader } from '../harness/fleet-reader.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { perTest } from '../harness/per-test.ts';

const ORGANIZATION = organizationId(1);
export const CHANNELS = { patchAlerts: channelId('C0ALERTS'), newDevices: channelId('C0NEW') };

type WatchWorld = {
  readonly store: Store;
  readonly log: SimulatedEventLog;
  readonly desk: AlertService;
  readonly odd: EventLogAnomaly[];
  /** How far the service's clock is ahead of ours; null: it states no time. */
  serviceAheadMs: number | null;
  clock: MovableClock;
  /** Known labels of devices. */
  traits: DeviceLabelMap;
};

/** The world of this test. */
export const world = perTest<WatchWorld>(
  async () => {
    const store = await memoryStore(ORGANIZATION);
    const clock = createManualClock(instant(1_700_000_000_000));
    const desk = createAlertService({ store, channels: CHANNELS, clock, wakeWorker: () => undefined });
    const log = createSimulatedEventLog();
    return { store, log, desk, odd: [], serviceAheadMs: 0, clock, traits: new Map() };
  },
  ({ store }) => store.close(),
);

type PollChanges = Partial<PollOptions> & { readonly events?: SimulatedEventLog['events'] };

export function pollOnce({ events = world().log.events, ...given }: PollChanges = {}) {
  const { store, clock, serviceAheadMs, traits, odd } = world();
  return pollEvents({
    fleet: aFleetReader({ events }),
    serviceNow: () => (serviceAheadMs === null ? null : later(world().clock.now(), serviceAheadMs)),
    store,
    clock,
    organizationId: ORGANIZATION,
    channels: CHANNELS,
    deviceLabels: async () => traits,
    displayName: () => null,
    mayRead: async () => true,
    onAnomaly: (anomaly) => odd.push(anomaly),
    ...given,
  });
}

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
/** The alert of this event, as a list shows it; null: nobody was notified of it. */
export const alertOf = async (id: number, channel?: ChannelId) => {
  const { alerts } = world().store;
  const found = await alerts.ofEvent(eventId(id));
  return found && alerts.shown(found.id, channel);
};
/** The channels that got the failure of this event, on a card or held by a silence. */
export const alertsIn = async (id: number) => {
  const alert = await alertOf(id);
  const members = alert?.shown.map((member) => ({ alert: member.alert, member: member.id })) ?? [];
  const deliveries = await world().store.deliveries.of(members);
  return [...new Set(deliveries.map(({ channel }) => channel))];
};

/** A small event log: ids ascend, pages are newest first, and tests can make it misbehave. */
export type SimulatedEventLog = {
  readonly events: FleetReader['events'];
  readonly add: (...ids: readonly number[]) => void;
  readonly addEvent: (event: FleetEvent) => void;
  /** Removes an event from the log. */
  readonly remove: (id: number) => void;
  /** The page size of each request. */
  readonly requests: () => readonly number[];
  /** In the first page only. */
  unreadable: number;
  /** What it states as the number of all rows; null: nothing. */
  total: number | null;
  strays: number;
  /** Pages that the client reads of one list before it gives up. */
  mostPages: number;
  /** Called before each page is cut: the log may change during a walk. */
  beforePage: (page: number, pageSize: number) => void;
  /** Which page it shows instead of the requested one (null: an empty one), and with how many rows on each. */
  answers: (page: number, pageSize: number) => { readonly shown?: number | null; readonly size?: number };
  order: 'newest-first' | 'oldest-first';
  /** Whether it leaves out events before the requested time, as the service does by days (§4.9). */
  filtersDays: boolean;
};

function createSimulatedEventLog(): SimulatedEventLog {
  const rows: FleetEvent[] = [];
  const requests: number[] = [];
  const log: SimulatedEventLog = {
    order: 'newest-first',
    filtersDays: false,
    beforePage: () => undefined,
    answers: () => ({}),
    unreadable: 0,
    total: null,
    strays: 0,
    mostPages: 200,
    requests: () => requests,
    remove: (id) => {
      const at = rows.findIndex((row) => row.id === id);
      if (at >= 0) rows.splice(at, 1);
    },
    addEvent: (event) => void rows.push(event),
    add: (...ids) => {
      for (const id of ids) rows.push(aFleetEvent(id));
    },
    events({ pageSize = 500, after }: FleetEventQuery = {}) {
      const rowsOf = (): readonly FleetEvent[] => {
        const sign = log.order === 'newest-first' ? -1 : 1;
        const hidden = (at: Instant | null) =>
          log.filtersDays && after !== undefined && at !== null && at < after;
        return rows.filter(({ createTime }) => !hidden(createTime)).toSorted((a, b) => sign * (a.id - b.id));
      };
      const fetchPage = async (page: number): Promise<RowPage<FleetEvent>> => {
        log.beforePage(page, pageSize);
        requests.push(pageSize);
        const { shown = page, size = pageSize } = log.answers(page, pageSize);
        const cut = shown === null ? [] : rowsOf().slice(shown * size, (shown + 1) * size);
        const [unreadable, foreignRows] = page === 0 ? [log.unreadable, log.strays] : [0, 0];
        const sent = cut.length + unreadable + foreignRows;
        const total = cut.length === 0 ? null : log.total;
        return { kind: 'rows', rows: cut, sent, total, unreadable, foreignRows, deletedIds: [] };
      };
      const { mostPages: maxPages } = log;
      return walkPages({ path: '/events', fetchPage, pageSize, trustsTotal: false, maxPages }, {});
    },
  };
  return log;
}
