/** A small event log that behaves: ids ascend, pages are newest first, and it can be told to misbehave. */
import { instant } from '../../src/clock.ts';
import type { EventQuery, FleetReader, Page } from '../../src/fleet/fleet.ts';
import type { FleetEvent } from '../../src/fleet/model.ts';
import { deviceId, eventId } from '../../src/ids.ts';

export function aFleetEvent(id: number, changes: Partial<FleetEvent> = {}): FleetEvent {
  return {
    id: eventId(id),
    name: 'system.patch.failed',
    deviceId: deviceId(7),
    deviceName: 'web-01',
    policyId: null,
    policyName: null,
    policyType: null,
    createTime: instant(1_000_000 + id),
    patches: [{ name: 'openssl', version: null, displayName: null }],
    failure: 'exit code 100',
    text: null,
    exitCode: null,
    operatingSystem: 'Ubuntu',
    address: null,
    ...changes,
  };
}

export type EventLog = {
  readonly events: FleetReader['events'];
  readonly add: (...ids: readonly number[]) => void;
  readonly addEvent: (event: FleetEvent) => void;
  readonly requests: () => number;
  /** Called before each page is cut: the log may change while it is walked. */
  beforePage: (page: number) => void;
  order: 'newest-first' | 'oldest-first';
};

export function createEventLog(): EventLog {
  const rows: FleetEvent[] = [];
  let requests = 0;
  const log: EventLog = {
    order: 'newest-first',
    beforePage: () => undefined,
    requests: () => requests,
    addEvent: (event) => void rows.push(event),
    add: (...ids) => {
      for (const id of ids) rows.push(aFleetEvent(id));
    },
    async *events({ pageSize = 500 }: EventQuery = {}): AsyncGenerator<Page<FleetEvent>> {
      for (let page = 0; ; page += 1) {
        log.beforePage(page);
        requests += 1;
        const sign = log.order === 'newest-first' ? -1 : 1;
        const sorted = rows.toSorted((a, b) => sign * (a.id - b.id));
        const cut = sorted.slice(page * pageSize, (page + 1) * pageSize);
        yield { rows: cut, total: null, unreadable: 0 };
        if (cut.length === 0) return;
      }
    },
  };
  return log;
}
