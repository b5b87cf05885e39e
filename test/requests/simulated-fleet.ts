/**
 * A management service controlled by tests: queue, packages, events, and faults on every call. Most tests need its one
 * device; `addDevices` adds more, each with a queue of its own.
 */

import { type FleetError, FleetFailure, type FleetWriter, type IssueOutcome } from '../../src/fleet/fleet.ts';
import type { FleetCommand } from '../../src/fleet/model/actions.ts';
import type {
  Device,
  FleetEvent,
  Group,
  Package,
  Policy,
  QueueEntry,
} from '../../src/fleet/model/resources.ts';
import { encodeCommand } from '../../src/fleet/queue-entries.ts';
import { type Clock, later, MINUTE } from '../../src/lib/clock.ts';
import { type DeviceId, deviceId, eventId, groupId, policyId, queueEntryId } from '../../src/lib/ids.ts';
import * as ordinary from '../harness/builders.ts';
import { aFleetReader } from '../harness/fleet-reader.ts';
import { aDevice, anError, anEvent, aPackage, DEVICE } from './fleet-builders.ts';
import { createSimulatedEditor, fateOf } from './simulated-editor.ts';

/**
 * Outcome of a POST: done or not and answered by an error with a good status, done and answered, the same without a queue
 * entry, done with a lost answer, lost on the way, refused, or certainly never sent.
 */
export type PostFate =
  | 'declined-after'
  | 'declined-before'
  | 'accept'
  | 'accept-unlisted'
  | 'lost-after'
  | 'lost-before'
  | 'refuse'
  | 'unsent';

export type World = {
  device: Device | null;
  /** Other devices. */
  others: readonly Device[];
  queue: readonly QueueEntry[];
  /** The queues of the others. */
  queues: ReadonlyMap<DeviceId, readonly QueueEntry[]>;
  /** Entries that the list no longer shows. */
  left: readonly QueueEntry[];
  groups: readonly Group[];
  policies: readonly Policy[];
  /** Calls of the editor. */
  edits: readonly string[];
  /** Whether reads show what was removed until the test ends that by {@link lateRemovals}. */
  removesLate: boolean;
  lateRemovals: readonly (() => void)[];
  /** Delays every edit. */
  holdEdit: () => Promise<void>;
  /** Delays every read. */
  holdRead: () => Promise<void>;
  packages: readonly Package[];
  events: readonly FleetEvent[];
  posts: readonly FleetCommand[];
  /** The device of each POST, in their order. */
  postedTo: readonly DeviceId[];
  reads: readonly string[];
  /** The device of each read of a device. */
  readDevices: readonly DeviceId[];
  fate: PostFate;
  /** What an `unsent` POST or edit says. */
  unsentError: FleetError;
  retryAfterMs: number | null;
  /** While set, every read fails with it. */
  readError: FleetError | null;
  /** The same for lists of devices alone. */
  listError: FleetError | null;
  ids: number;
};

export type SimulatedFleet = ReturnType<typeof createSimulatedFleet>;

export function createSimulatedFleet(clock: Clock) {
  const times = {
    lastRefreshTime: later(clock.now(), -60 * MINUTE),
    lastDisconnectTime: later(clock.now(), -900 * MINUTE),
  };
  const world: World = {
    device: aDevice(times),
    others: [],
    queue: [],
    queues: new Map(),
    left: [],
    groups: [
      ordinary.aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
      ordinary.aGroup({ id: groupId(9), name: 'Servers', parentId: groupId(1) }),
    ],
    policies: [12, 13].map((id) =>
      ordinary.aPolicy({ id: policyId(id), name: '', type: 'custom', digest: 'decade' }),
    ),
    edits: [],
    removesLate: false,
    lateRemovals: [],
    holdEdit: async () => {},
    holdRead: async () => {},
    packages: [aPackage('openssl'), aPackage('curl'), aPackage('bash', { installed: true })],
    events: [],
    posts: [],
    postedTo: [],
    reads: [],
    readDevices: [],
    fate: 'accept',
    unsentError: anError('unreachable', null),
    retryAfterMs: null,
    readError: null,
    listError: null,
    ids: 500,
  };

  const read = async <T>(what: string, value: () => T): Promise<T> => {
    world.reads = [...world.reads, what];
    await world.holdRead();
    if (world.readError !== null) throw new FleetFailure(world.readError);
    return value();
  };
  async function* page<T>(what: string, rows: () => readonly T[]) {
    yield { rows: await read(what, rows), total: null, unreadable: 0 };
  }
  const present = (id: DeviceId = DEVICE): Device => {
    const device = id === DEVICE ? world.device : world.others.find((one) => one.id === id);
    if (device === null || device === undefined) throw new FleetFailure(anError('missing', 404));
    return device;
  };
  const queueOf = (id: DeviceId) => (id === DEVICE ? world.queue : (world.queues.get(id) ?? []));

  const reader = aFleetReader({
    devices: () =>
      page('devices', () => {
        if (world.listError !== null) throw new FleetFailure(world.listError);
        return [...(world.device === null ? [] : [world.device]), ...world.others];
      }),
    device: (id) => {
      world.readDevices = [...world.readDevices, id];
      return read('device', () => present(id));
    },
    packages: () => page('packages', () => world.packages),
    queue: (id) => read('queue', () => (present(id) ? queueOf(id) : [])),
    queueEntry: (id, entry) =>
      read('queue entry', () => [...queueOf(id), ...world.left].find((one) => one.id === entry) ?? null),
    events: ({ policyId: policy } = {}) =>
      page(policy === undefined ? 'events' : `events of policy ${policy}`, () => world.events),
    groups: () => page('groups', () => world.groups),
    group: (id) =>
      read('group', () => {
        const group = world.groups.find((one) => one.id === id);
        if (group === undefined) throw new FleetFailure(anError('missing', 404));
        return group;
      }),
    policies: () => page('policies', () => world.policies),
    policy: (id) =>
      read('policy', () => {
        const known = [...(world.device?.policies ?? []), ...world.policies];
        const policy = known.find((one) => one.id === id);
        if (policy === undefined) throw new FleetFailure(anError('missing', 404));
        return policy;
      }),
  });

  const enqueue = (command: FleetCommand, more: Partial<QueueEntry> = {}, id = DEVICE): QueueEntry => {
    const encoded = encodeCommand(command);
    if (encoded.kind !== 'encoded') throw new Error('not expressible');
    world.ids += 1;
    const entry = ordinary.aQueueEntry({
      id: queueEntryId(world.ids),
      type: encoded.command.type,
      args: encoded.command.args,
      policyId: policyId(0),
      execTime: clock.now(),
      ...more,
    });
    if (id === DEVICE) world.queue = [...world.queue, entry];
    else world.queues = new Map([...world.queues, [id, [...queueOf(id), entry]]]);
    return entry;
  };

  let issue: FleetWriter['issue'] = async (id, command): Promise<IssueOutcome> => {
    if (world.fate !== 'unsent') {
      world.posts = [...world.posts, command];
      world.postedTo = [...world.postedTo, id];
    }
    const outcome = fateOf(world, () => (world.fate === 'accept-unlisted' ? null : enqueue(command, {}, id)));
    return outcome.kind === 'done' ? { kind: 'accepted' } : outcome;
  };
  const writer: FleetWriter = { issue: (id, command) => issue(id, command) };

  return {
    world,
    reader,
    writer,
    editor: createSimulatedEditor(world),
    enqueue,
    /** Wraps every POST. */
    hold: (around: (send: FleetWriter['issue']) => FleetWriter['issue']) => {
      issue = around(issue);
    },
    /** `count` more devices, like the first one; gives the ids of all. */
    addDevices: (count: number): readonly DeviceId[] => {
      const ids = Array.from({ length: count }, (_, index) => deviceId(1001 + index));
      world.others = ids.map((id) => aDevice({ ...times, id, name: `node-${id}` }));
      return [DEVICE, ...ids];
    },
    /** Changes the device. */
    change: (change: Partial<Device>, id = DEVICE) => {
      const changed = { ...present(id), ...change };
      if (id === DEVICE) world.device = changed;
      else world.others = world.others.map((one) => (one.id === id ? changed : one));
    },
    /** The device answers all queued commands; its output contains a secret. */
    answer: (exitCode: number | null) => {
      const response = exitCode === null ? null : ordinary.aResponse(exitCode);
      world.queue = world.queue.map((entry) => ({ ...entry, response, responseTime: clock.now() }));
    },
    /** Answered entries leave the list but can still be read one by one. */
    leaveList: () => {
      world.left = world.queue;
      world.queue = [];
    },
    clearQueue: () => {
      world.queue = [];
    },
    install: (...names: readonly string[]) => {
      world.packages = world.packages.map((item) =>
        names.includes(item.name) ? { ...item, installed: true } : item,
      );
    },
    happen: (event: Partial<FleetEvent>) => {
      world.events = [
        ...world.events,
        anEvent({ createTime: clock.now(), id: eventId(world.events.length + 1), ...event }),
      ];
    },
  };
}
