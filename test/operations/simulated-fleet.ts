/** A management service with one device, controlled by tests: queue, packages, events, and faults on every call. */

import { type FleetError, FleetFailure, type FleetWriter, type IssueOutcome } from '../../src/fleet/fleet.ts';
import type { Policy } from '../../src/fleet/model/policy.ts';
import type {
  Device,
  FleetCommand,
  FleetEvent,
  Group,
  Package,
  QueueEntry,
} from '../../src/fleet/model/resources.ts';
import { encodeCommand } from '../../src/fleet/queue-entries.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { later, MINUTE } from '../../src/lib/clock.ts';
import { deviceId, eventId, groupId, organizationId, policyId, queueEntryId } from '../../src/lib/ids.ts';
import * as ordinary from '../harness/builders.ts';
import { aFleetReader } from '../harness/fleet-reader.ts';
import { createSimulatedEditor } from './simulated-editor.ts';

export const ORGANIZATION = organizationId(77);
export const DEVICE = deviceId(42);

/**
 * Outcome of a POST: done and answered, the same without a queue entry, done with a lost answer, lost on the way, or
 * refused.
 */
export type PostFate = 'accept' | 'accept-unlisted' | 'lost-after' | 'lost-before' | 'refuse';

export type World = {
  device: Device | null;
  queue: readonly QueueEntry[];
  /** Entries that the list no longer shows. */
  left: readonly QueueEntry[];
  groups: readonly Group[];
  policies: readonly Policy[];
  /** Calls of the editor. */
  edits: readonly string[];
  /** Delays every edit. */
  holdEdit: () => Promise<void>;
  /** Delays every read. */
  holdRead: () => Promise<void>;
  packages: readonly Package[];
  events: readonly FleetEvent[];
  posts: readonly FleetCommand[];
  reads: readonly string[];
  fate: PostFate;
  /** While set, every read fails with it. */
  readError: FleetError | null;
  ids: number;
};

export type SimulatedFleet = ReturnType<typeof createSimulatedFleet>;

export function createSimulatedFleet(clock: Clock) {
  const world: World = {
    device: aDevice({
      lastRefreshTime: later(clock.now(), -60 * MINUTE),
      lastDisconnectTime: later(clock.now(), -900 * MINUTE),
    }),
    queue: [],
    left: [],
    groups: [
      ordinary.aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
      ordinary.aGroup({ id: groupId(9), name: 'Servers', parentId: groupId(1) }),
    ],
    policies: [],
    edits: [],
    holdEdit: async () => {},
    holdRead: async () => {},
    packages: [aPackage('openssl'), aPackage('curl'), aPackage('bash', { installed: true })],
    events: [],
    posts: [],
    reads: [],
    fate: 'accept',
    readError: null,
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
  const present = (): Device => {
    if (world.device === null) throw new FleetFailure(anError('missing', 404));
    return world.device;
  };

  const reader = aFleetReader({
    devices: () => page('devices', () => [present()]),
    device: () => read('device', present),
    packages: () => page('packages', () => world.packages),
    queue: () => read('queue', () => (present() ? world.queue : [])),
    queueEntry: (_id, entry) =>
      read('queue entry', () => [...world.queue, ...world.left].find(({ id }) => id === entry) ?? null),
    events: ({ policyId: policy } = {}) =>
      page(policy === undefined ? 'events' : `events of policy ${policy}`, () => world.events),
    groups: () => page('groups', () => world.groups),
    policies: () => page('policies', () => world.policies),
    policy: (id) =>
      read('policy', () => {
        const policy = present().policies.find((one) => one.id === id);
        if (policy === undefined) throw new FleetFailure(anError('missing', 404));
        return policy;
      }),
  });

  const enqueue = (command: FleetCommand, more: Partial<QueueEntry> = {}): QueueEntry => {
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
    world.queue = [...world.queue, entry];
    return entry;
  };

  let issue: FleetWriter['issue'] = async (_id, command): Promise<IssueOutcome> => {
    world.posts = [...world.posts, command];
    switch (world.fate) {
      case 'accept':
        enqueue(command);
        return { kind: 'accepted' };
      case 'accept-unlisted':
        return { kind: 'accepted' };
      case 'lost-after':
        enqueue(command);
        return { kind: 'unknown', error: anError('timeout', null) };
      case 'lost-before':
        return { kind: 'unknown', error: anError('timeout', null) };
      case 'refuse':
        return { kind: 'refused', error: anError('forbidden', 403) };
    }
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
    /** Changes the device. */
    change: (change: Partial<Device>) => {
      world.device = { ...present(), ...change };
    },
    /** The device answers all queued commands; its output contains a secret. */
    answer: (exitCode: number | null) => {
      const response = exitCode === null ? null : ordinary.aResponse(exitCode, 'token=hunter2');
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

export function anError(
  kind: 'missing' | 'timeout' | 'forbidden' | 'unreachable',
  status: number | null,
): FleetError {
  return { kind, method: 'GET', path: '/servers/{id}', status, detail: '' };
}

export function aDevice(change: Partial<Device> = {}): Device {
  return ordinary.aDevice({
    id: DEVICE,
    organizationId: ORGANIZATION,
    groupId: groupId(9),
    name: 'web-01',
    customName: null,
    osFamily: 'Linux',
    osName: 'Ubuntu',
    osVersion: '24.04',
    agentVersion: '2.0',
    tags: [],
    addresses: [],
    privateAddresses: [],
    serialNumber: null,
    lastLoggedInUser: 'alice',
    connected: true,
    needsReboot: true,
    pending: true,
    compliant: false,
    exception: false,
    needsAttention: false,
    lastScanFailed: false,
    patches: 3,
    pendingPatches: 3,
    uptime: 5000,
    deviceStatus: 'ready',
    agentStatus: 'connected',
    policyStatus: 'non-compliant',
    createTime: null,
    lastUpdateTime: null,
    lastRefreshTime: null,
    lastProcessTime: null,
    lastDisconnectTime: null,
    nextPatchTime: null,
    ...change,
  });
}

export function aPackage(name: string, change: Partial<Package> = {}): Package {
  return ordinary.aPackage({
    id: 1,
    name,
    displayName: name,
    version: '1',
    repo: null,
    installed: false,
    ignored: false,
    deferredUntil: null,
    severity: null,
    cves: [],
    cveScore: null,
    requiresReboot: false,
    ...change,
  });
}

export function anEvent(change: Partial<FleetEvent> = {}): FleetEvent {
  return ordinary.anEvent({
    id: eventId(1),
    name: 'system.patch.failed',
    deviceId: DEVICE,
    deviceName: 'web-01',
    policyId: null,
    policyName: null,
    policyType: null,
    createTime: null,
    patches: [],
    failure: null,
    text: null,
    exitCode: null,
    operatingSystem: null,
    address: null,
    ...change,
  });
}
