/** A small event log: ids ascend, pages are newest first, and tests can make it misbehave. */

import type { FleetEventQuery, FleetReader } from '../../src/fleet/fleet.ts';
import type { FleetEvent } from '../../src/fleet/model/resources.ts';
import { walkPages } from '../../src/fleet/reads/reads.ts';
import type { RowPage } from '../../src/fleet/schema/rows.ts';
import { type Instant, instant } from '../../src/lib/clock.ts';
import { deviceId, eventId } from '../../src/lib/ids.ts';
import { anEvent } from '../harness/builders.ts';

export function aFleetEvent(id: number, changes: Partial<FleetEvent> = {}): FleetEvent {
  return anEvent({
    id: eventId(id),
    deviceId: deviceId(7),
    createTime: instant(1_000_000 + id),
    patches: [{ name: 'openssl', version: null, displayName: null }],
    failure: 'exit code 100',
    operatingSystem: 'Ubuntu',
    address: null,
    ...changes,
  });
}

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

export function createSimulatedEventLog(): SimulatedEventLog {
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
