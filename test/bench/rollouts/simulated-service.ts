/** A management service in memory behind the product's own scheduler: its limits and lanes, and a fixed latency. */
import type { FleetWriter, Lane } from '../../../src/fleet/fleet.ts';
import { createScheduler } from '../../../src/fleet/limits/scheduler.ts';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { type Clock, HOUR, type Instant, later, SECOND, waitOn, wallNow } from '../../../src/lib/clock.ts';
import { type DeviceId, deviceId, organizationId } from '../../../src/lib/ids.ts';
import { aDevice } from '../../harness/builders.ts';
import { aFleetReader } from '../../harness/fleet-reader.ts';

/** Within one region; far below what three calls at once need to use the limit up. */
const LATENCY_MS = 50;
const PAGE = 500;
export const ORGANIZATION = organizationId(77);
/** A device restarts, and the service notes that it left, within this time. */
const RESTART_MS = [30 * SECOND, 90 * SECOND] as const;
const FIRST_DEVICE = 10_001;

export type CallKind = 'list' | 'device' | 'queue' | 'command';

/** What each kind of call counts against. */
export const CALLS = {
  list: { method: 'GET', path: '/servers' },
  device: { method: 'GET', path: '/servers/{id}' },
  queue: { method: 'GET', path: '/servers/{id}/queues' },
  command: { method: 'POST', path: '/servers/{id}/queues' },
} as const;

export function createSimulatedService(clock: Clock, count: number) {
  const scheduler = createScheduler({ clock, limits: 'published' });
  const template = aDevice({ connected: true, organizationId: ORGANIZATION });
  const start = clock.now();
  const devices = Array.from({ length: count }, (_, at) => deviceId(FIRST_DEVICE + at));
  /** When each device leaves because of its command; 0: it got none. */
  const leavesAt = new Float64Array(count);
  const calls = { list: 0, device: 0, queue: 0, command: 0 };
  let first: Instant | null = null;
  let last = start;
  let total = 0;
  let totalAtLast = 0;
  let totalAtFirst = 0;

  const call = async (kind: CallKind, lane: Lane = 'background'): Promise<void> => {
    const deadline = later(wallNow(), HOUR);
    const turn = await scheduler.enter({ lane, request: CALLS[kind], deadline, patient: true });
    if (turn.kind !== 'go') throw new Error(`a call was not let through: ${turn.kind}`);
    calls[kind] += 1;
    total += 1;
    await waitOn(clock, LATENCY_MS);
    turn.leave();
  };

  const deviceAt = (id: DeviceId): Device => {
    const at = leavesAt[id - FIRST_DEVICE] ?? 0;
    const left = at > 0 && at <= clock.now() ? later(start, at - start) : later(start, -HOUR);
    return {
      ...template,
      id,
      name: `node-${id}`,
      lastDisconnectTime: left,
      lastRefreshTime: later(start, -HOUR),
    };
  };

  const reader = aFleetReader({
    async *devices(_query, options) {
      for (let from = 0; from < count; from += PAGE) {
        await call('list', options?.lane);
        yield { rows: devices.slice(from, from + PAGE).map(deviceAt), total: count, unreadable: 0 };
      }
    },
    device: async (id, options) => {
      await call('device', options?.lane);
      return deviceAt(id);
    },
    queue: async (_id, options) => {
      await call('queue', options?.lane);
      return [];
    },
  });

  const writer: FleetWriter = {
    issue: async (id, _command, options) => {
      await call('command', options?.lane);
      const now = clock.now();
      if (first === null) totalAtFirst = total;
      first ??= now;
      last = now;
      totalAtLast = total;
      const [least, most] = RESTART_MS;
      leavesAt[id - FIRST_DEVICE] = now + least + ((id * 7_919) % (most - least));
      return { kind: 'accepted' };
    },
  };
  return {
    reader,
    writer,
    devices,
    deviceAt,
    calls: (): Readonly<Record<CallKind, number>> => ({ ...calls }),
    /** When the first and the last command came. */
    commands: (): { readonly first: Instant; readonly last: Instant; readonly callsBetween: number } => ({
      first: first ?? start,
      last,
      callsBetween: totalAtLast - totalAtFirst,
    }),
    /** One call as any client makes it: for the bare loop. */
    call: (kind: CallKind): Promise<void> => call(kind),
  };
}
