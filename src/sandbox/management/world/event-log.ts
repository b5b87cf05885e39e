/** What happened, oldest first inside; ids ascend with time. */
import type { Instant } from '../../../clock.ts';
import type { Device, EventData, Policy, WorldEvent } from './model.ts';

export type NewEvent = Pick<WorldEvent, 'name' | 'at' | 'data'> & {
  readonly device?: Pick<Device, 'id' | 'name'>;
  readonly policy?: Policy;
  readonly userId?: number;
};

export type EventFilter = {
  readonly name?: string | undefined;
  readonly deviceId?: number | undefined;
  readonly policyId?: number | undefined;
  readonly userId?: number | undefined;
  /** Included. */
  readonly from?: Instant | undefined;
  /** Not included. */
  readonly before?: Instant | undefined;
};

/** What an event is found by, apart from its time. */
export type EventKeys = Omit<EventFilter, 'from' | 'before'>;

/** Events in a row, oldest first, each known by its place. */
export type Row = {
  readonly size: number;
  readonly timeAt: (place: number) => number;
  readonly matches: (place: number, keys: EventKeys) => boolean;
  /** With the id that it gets. */
  readonly read: (place: number, id: number) => WorldEvent;
};

export type EventLog = {
  readonly append: (event: NewEvent) => WorldEvent;
  /** Newest first. */
  readonly page: (filter: EventFilter, slice: { skip: number; take: number }) => readonly WorldEvent[];
  readonly count: (filter: EventFilter) => number;
};

/** The log that goes on where `past` ends. Its first event has the id `firstId`. */
export function createEventLog(firstId: number, past: Row): EventLog {
  const added: WorldEvent[] = [];
  const size = (): number => past.size + added.length;
  const timeAt = (place: number): number =>
    place < past.size ? past.timeAt(place) : (added[place - past.size]?.at ?? Number.POSITIVE_INFINITY);
  const matches = (place: number, keys: EventKeys): boolean => {
    if (place < past.size) return past.matches(place, keys);
    const event = added[place - past.size];
    return event !== undefined && hasKeys(event, keys);
  };
  const read = (place: number): WorldEvent => {
    const event = place < past.size ? past.read(place, firstId + place) : added[place - past.size];
    if (event === undefined) throw new Error('The log has no such place.');
    return event;
  };
  const span = ({ from, before }: EventFilter): { first: number; end: number } => ({
    first: from === undefined ? 0 : firstAt(size(), timeAt, from),
    end: before === undefined ? size() : firstAt(size(), timeAt, before),
  });

  return {
    append(event) {
      const complete = completed(event, firstId + size());
      added.push(complete);
      return complete;
    },
    page(filter, { skip, take }) {
      const { first, end } = span(filter);
      const places = isKeyless(filter)
        ? placesDown(end - 1 - skip, Math.max(first, end - skip - take))
        : matchingDown(end - 1, first, { skip, take }, (place) => matches(place, filter));
      return places.map(read);
    },
    count(filter) {
      const { first, end } = span(filter);
      if (isKeyless(filter)) return Math.max(end - first, 0);
      let total = 0;
      for (let place = first; place < end; place++) if (matches(place, filter)) total++;
      return total;
    },
  };
}

/** From `high` down to `low`, both included. */
function placesDown(high: number, low: number): readonly number[] {
  return Array.from({ length: Math.max(high - low + 1, 0) }, (_, index) => high - index);
}

function matchingDown(
  high: number,
  low: number,
  { skip, take }: { skip: number; take: number },
  suits: (place: number) => boolean,
): readonly number[] {
  const found: number[] = [];
  let left = skip;
  for (let place = high; place >= low && found.length < take; place--) {
    if (!suits(place)) continue;
    if (left > 0) left--;
    else found.push(place);
  }
  return found;
}

/** The first place whose time is not before `time`; `size` where there is none. */
function firstAt(size: number, timeAt: (place: number) => number, time: number): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeAt(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isKeyless({ name, deviceId, policyId, userId }: EventKeys): boolean {
  return name === undefined && deviceId === undefined && policyId === undefined && userId === undefined;
}

function hasKeys(event: WorldEvent, { name, deviceId, policyId, userId }: EventKeys): boolean {
  if (name !== undefined && event.name !== name) return false;
  if (deviceId !== undefined && event.deviceId !== deviceId) return false;
  if (policyId !== undefined && event.policy?.id !== policyId) return false;
  return userId === undefined || event.userId === userId;
}

function completed(event: NewEvent, id: number): WorldEvent {
  return {
    id,
    name: event.name,
    at: event.at,
    userId: event.userId ?? null,
    deviceId: event.device?.id ?? null,
    deviceName: event.device?.name ?? null,
    policy: event.policy ?? null,
    data: event.data,
  };
}

/** What every event about a device says of it (system.add, .delete, .patch.applied, .patch.failed). */
export function aboutDevice(device: Device): About {
  return {
    ip: device.addresses[0] ?? device.privateAddresses[0] ?? null,
    os: `${device.platform.osName} ${device.platform.osVersion}`,
    systemname: device.name,
  };
}

export type About = EventData & {
  readonly ip: string | null;
  readonly os: string;
  readonly systemname: string;
};

/** `data.patches` in its older form: quoted names with spaces between. */
export function quotedNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' ');
}
