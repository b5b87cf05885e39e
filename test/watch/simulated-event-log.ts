/** A small event log: ids ascend, pages are newest first, and tests can make it misbehave. */

import {
  type FleetEventQuery,
  FleetFailure,
  type FleetPage,
  type FleetReader,
} from '../../src/fleet/fleet.ts';
import type { FleetEvent } from '../../src/fleet/model/resources.ts';
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
    async *events({ pageSize = 500, after }: FleetEventQuery = {}): AsyncGenerator<FleetPage<FleetEvent>> {
      for (let page = 0; page < log.mostPages; page += 1) {
        log.beforePage(page, pageSize);
        requests.push(pageSize);
        const sign = log.order === 'newest-first' ? -1 : 1;
        const hidden = (at: Instant | null) =>
          log.filtersDays && after !== undefined && at !== null && at < after;
        const listed = rows.filter(({ createTime }) => !hidden(createTime));
        const sorted = listed.toSorted((a, b) => sign * (a.id - b.id));
        const cut = sorted.slice(page * pageSize, (page + 1) * pageSize);
        const [unreadable, foreignRows] = page === 0 ? [log.unreadable, log.strays] : [0, 0];
        yield { rows: cut, total: cut.length === 0 ? 0 : log.total, unreadable, foreignRows };
        if (cut.length === 0) return;
      }
      throw new FleetFailure({ kind: 'too-large', method: 'GET', path: '/events', status: null, detail: '' });
    },
  };
  return log;
}
