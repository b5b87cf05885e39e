/** The event log, stored oldest first; ids ascend with time. */
import type { Instant } from '../../../lib/clock.ts';
import type { EventData, WorldDevice, WorldEvent, WorldPolicy } from './model.ts';

type NewEvent = Pick<WorldEvent, 'name' | 'at' | 'data' | 'listedAt' | 'timeless'> & {
  readonly device?: Pick<WorldDevice, 'id' | 'name'>;
  readonly policy?: WorldPolicy;
  readonly userId?: number;
};

type WorldEventQuery = {
  readonly name?: string | undefined;
  readonly deviceId?: number | undefined;
  readonly policyId?: number | undefined;
  readonly userId?: number | undefined;
  /** Included. */
  readonly from?: Instant | undefined;
  /** Not included. */
  readonly before?: Instant | undefined;
  /** What is listed later is left out. */
  readonly now: Instant;
};

/** The searchable fields of an event besides its time. */
export type EventKeyFields = Omit<WorldEventQuery, 'from' | 'before' | 'now'>;

/** A row of events, oldest first, addressed by index. */
export type PastEvents = {
  readonly size: number;
  readonly timeAt: (place: number) => number;
  readonly matches: (place: number, keys: EventKeyFields) => boolean;
  /** The event with the id that it gets. */
  readonly read: (place: number, id: number) => WorldEvent;
};

export type EventLog = ReturnType<typeof createEventLog>;

/** A log that continues where `past` ends. Its first event has the id `firstId`. */
export function createEventLog(firstId: number, past: PastEvents) {
  const added: WorldEvent[] = [];
  /** When every event is listed. */
  let allListedAt = 0;
  const size = (): number => past.size + added.length;
  const timeAt = (position: number): number =>
    position < past.size
      ? past.timeAt(position)
      : (added[position - past.size]?.at ?? Number.POSITIVE_INFINITY);
  const matches = (position: number, keys: EventKeyFields): boolean => {
    if (position < past.size) return past.matches(position, keys);
    const event = added[position - past.size];
    return event !== undefined && hasKeys(event, keys);
  };
  const read = (position: number): WorldEvent => {
    const event =
      position < past.size ? past.read(position, firstId + position) : added[position - past.size];
    if (event === undefined) throw new Error('The log has no such place.');
    return event;
  };
  const isListed = (position: number, now: Instant): boolean =>
    (added[position - past.size]?.listedAt ?? now) <= now;
  /** Whether the query takes all events of its span. */
  const takesAll = (query: WorldEventQuery): boolean => isKeyless(query) && allListedAt <= query.now;
  const span = ({ from, before }: WorldEventQuery): { first: number; end: number } => ({
    first: from === undefined ? 0 : firstPositionAt(size(), timeAt, from),
    end: before === undefined ? size() : firstPositionAt(size(), timeAt, before),
  });

  return {
    append({ device, ...event }: NewEvent): WorldEvent {
      const none = { userId: null, policy: null };
      const about = { deviceId: device?.id ?? null, deviceName: device?.name ?? null };
      const complete = { ...none, ...event, ...about, id: firstId + size() };
      added.push(complete);
      allListedAt = Math.max(allListedAt, event.listedAt ?? 0);
      return complete;
    },
    /** Newest first. */
    page(filter: WorldEventQuery, { skip, take }: Slice): readonly WorldEvent[] {
      const { first, end } = span(filter);
      const suits = (position: number) => matches(position, filter) && isListed(position, filter.now);
      const places = takesAll(filter)
        ? positionsDown(end - 1 - skip, Math.max(first, end - skip - take))
        : matchingPositions(end - 1, first, { skip, take }, suits);
      return places.map(read);
    },
    count(filter: WorldEventQuery): number {
      const { first, end } = span(filter);
      if (takesAll(filter)) return Math.max(end - first, 0);
      let total = 0;
      for (let position = first; position < end; position++)
        if (matches(position, filter) && isListed(position, filter.now)) total++;
      return total;
    },
  };
}

type Slice = { readonly skip: number; readonly take: number };

/** From `high` down to `low`, both included. */
function positionsDown(high: number, low: number): readonly number[] {
  return Array.from({ length: Math.max(high - low + 1, 0) }, (_, index) => high - index);
}

function matchingPositions(
  high: number,
  low: number,
  { skip, take }: Slice,
  suits: (position: number) => boolean,
): readonly number[] {
  const found: number[] = [];
  let remaining = skip;
  for (let position = high; position >= low && found.length < take; position--) {
    if (!suits(position)) continue;
    if (remaining > 0) remaining--;
    else found.push(position);
  }
  return found;
}

/** The first index whose time is not before `time`; `size` where there is none. */
function firstPositionAt(size: number, timeAt: (position: number) => number, time: number): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeAt(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isKeyless({ name, deviceId, policyId, userId }: EventKeyFields): boolean {
  return name === undefined && deviceId === undefined && policyId === undefined && userId === undefined;
}

function hasKeys(event: WorldEvent, { name, deviceId, policyId, userId }: EventKeyFields): boolean {
  if (name !== undefined && event.name !== name) return false;
  if (deviceId !== undefined && event.deviceId !== deviceId) return false;
  if (policyId !== undefined && event.policy?.id !== policyId) return false;
  return userId === undefined || event.userId === userId;
}

/** The device data of events about a device (system.add, .delete, .patch.applied, .patch.failed). */
export function deviceDetails(device: WorldDevice): EventDetails {
  return {
    ip: device.addresses[0] ?? device.privateAddresses[0] ?? null,
    os: `${device.platform.osName} ${device.platform.osVersion}`,
    systemname: device.name,
  };
}

export type EventDetails = EventData & {
  readonly ip: string | null;
  readonly os: string;
  readonly systemname: string;
};

/** `data.patches` in its older form: quoted names separated by spaces. */
export function namesText(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' ');
}
