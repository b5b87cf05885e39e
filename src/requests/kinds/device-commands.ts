/**
 * The kinds of commands to a device, and what proves each of them. Device and queue are read, the queue is followed, the
 * device proves it.
 */
import { type PackageFacts, packageFacts, packageNames, toDeviceFacts } from '../../fleet/facts/facts.ts';
import type { FleetReader, Lane } from '../../fleet/fleet.ts';
import type { FleetAction, FleetCommand } from '../../fleet/model/actions.ts';
import { policyIdOf, toPolicyFacts } from '../../fleet/model/policy-status.ts';
import {
  type Device,
  type FleetEvent,
  isMissing,
  type Package,
  type Policy,
  type QueueEntry,
} from '../../fleet/model/resources.ts';
import { findQueuedDuplicate } from '../../fleet/queue-entries.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { DAY, type Instant, later } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { Baseline, RequestTarget } from '../../store/port/request-records.ts';
import { initialDeadline } from '../look-schedule.ts';
import {
  type DeviceObservation,
  type Effect,
  installEffect,
  mayHaveInstalled,
  newestId,
  policyBaseline,
  policyRemediationEffect,
  policyTestEffect,
  rebootEffect,
  scanEffect,
} from '../proof/effects.ts';
import { evaluateCommand, type Observation, readQueueFor, waitsInQueue } from '../proof/evaluate-command.ts';
import { notSent } from '../target-transitions.ts';
import {
  type ActionKind,
  type KindsOf,
  type LookPorts,
  type ReadPorts,
  type ReadSubject,
  requireDevice,
  type TargetRead,
} from './kind.ts';

export const DEVICE_COMMANDS: KindsOf<FleetCommand['kind']> = {
  scan: deviceCommand({ effect: (_, seen) => scanEffect(seen) }),
  reboot: deviceCommand({ effect: (_, seen) => rebootEffect(seen) }),
  patch: deviceCommand({
    installs: ({ packages }, { name }) => packages.includes(name),
    effect: ({ packages }, seen) => installEffect(seen, packages),
  }),
  'patch-all': deviceCommand({
    installs: () => true,
    effect: (_, seen) => installEffect(seen, seen.target.before.missing),
  }),
  'policy-test': deviceCommand({ effect: ({ policyId }, seen) => policyTestEffect(seen, policyId) }),
  'policy-remediate': deviceCommand({
    effect: ({ policyId }, seen) => policyRemediationEffect(seen, policyId),
  }),
};

type CommandTraits<C extends FleetCommand> = {
  /** Whether the command would install this package, where it is missing; absent: it installs none, and none are read. */
  readonly installs?: (command: C, item: Package) => boolean;
  readonly effect: (command: C, seen: DeviceObservation) => Effect;
};

function deviceCommand<C extends FleetCommand>(traits: CommandTraits<C>): ActionKind<C> {
  return {
    read: (ports, subject) => readForCommand(ports, subject, traits),
    look: async (ports, command, target, row = null) => {
      const observation = await observe(ports, traits, command, target, row);
      const next = evaluateCommand(observation, (seen) => traits.effect(command, seen));
      return { next, device: observation.device };
    },
    showsEffect: (command, target, device, now) => {
      if (traits.installs !== undefined) return mayHaveInstalled({ target, device, now });
      const seen = { target, device, packages: null, events: [], now };
      return traits.effect(command, seen).kind !== 'open';
    },
  };
}

type CommandRead = {
  readonly device: Device;
  readonly queue: readonly QueueEntry[];
  readonly packages: readonly PackageFacts[];
  readonly events: readonly FleetEvent[];
  readonly policy: Policy | null;
  /** How far the service's clock is ahead; null: not known. */
  readonly aheadMs: number | null;
  readonly isListed: boolean;
};

/**
 * Device and queue, and what the proof of the command is compared with. Of a device that was listed a while ago only what
 * no list shows: its queue, and its packages. Events need no comparison then, because they are told by their time.
 */
async function readForCommand<C extends FleetCommand>(
  ports: ReadPorts,
  subject: ReadSubject<C>,
  { installs }: CommandTraits<C>,
): Promise<TargetRead | null> {
  const { reader, clock, groupName, serviceNow } = ports;
  const { action, organizationId, target, lane, listed } = subject;
  const deviceId = requireDevice(target);
  const startedAt = clock.now();
  const found = await nullIfMissing(async (): Promise<CommandRead> => {
    const device = listed?.device ?? (await reader.device(deviceId, { lane }));
    const queue = await reader.queue(deviceId, { lane });
    const rows = installs === undefined ? [] : await collectRows(reader.packages(deviceId, { lane }));
    const packages = packageFacts(
      rows.filter((item) => isMissing(item, startedAt) && installs?.(action, item) === true),
    );
    const acted = { command: action, deviceId, since: startedAt };
    const hasEvents = listed === undefined && (installs !== undefined || policyIdOf(action) !== null);
    const events = hasEvents ? await recentEvents(reader, acted, lane) : [];
    const policy = await policyFor(reader, action, lane);
    const now = clock.now();
    const there = serviceNow === undefined ? now : serviceNow();
    const aheadMs = there === null ? null : there - now;
    return { device, queue, packages, events, policy, aheadMs, isListed: listed !== undefined };
  });
  if (found === null || found.device.organizationId !== organizationId) return null;
  const { device } = found;
  const sealed = target.facts;
  // The name of a group is read only where the device is in another one by now.
  const known = sealed.deviceId !== null && sealed.groupId === device.groupId;
  const facts = toDeviceFacts(device, {
    groupName: known ? sealed.groupName : await groupName(device.groupId),
    packages: found.packages,
    policy: toPolicyFacts(device, action, found.policy),
    asOf: listed?.readAt ?? clock.now(),
  });
  return { facts, claim: (claimed, now) => claimForCommand(claimed, action, found, now) };
}

/** The policy of the command; null where it is of none, or the service does not know it. */
export async function policyFor(
  reader: Pick<FleetReader, 'policy'>,
  command: FleetAction,
  lane: Lane,
): Promise<Policy | null> {
  const id = policyIdOf(command);
  return id === null ? null : nullIfMissing(() => reader.policy(id, { lane }));
}

/** A second one in the queue would run too, and asking the approver again would not make the first one go away. */
function claimForCommand(
  target: RequestTarget,
  command: FleetCommand,
  found: CommandRead,
  now: Instant,
): RequestTarget {
  const same = findQueuedDuplicate(command, found.queue);
  if (same !== null) return notSent(target, { kind: 'already-queued', entry: same.id }, now);
  return {
    ...target,
    state: 'issuing',
    nextAt: null,
    evidence: [],
    before: baselineOf(found, command, now),
    issuedAt: now,
    deadlineAt: initialDeadline(now, found.device.connected),
  };
}

function baselineOf(
  { device, queue, packages, events, aheadMs, isListed }: CommandRead,
  command: FleetCommand,
  at: Instant,
): Baseline {
  return {
    ...(isListed ? { from: later(at, aheadMs ?? 0) } : {}),
    ...(aheadMs === null ? {} : { aheadMs }),
    at,
    connected: device.connected,
    lastRefreshTime: device.lastRefreshTime,
    lastDisconnectTime: device.lastDisconnectTime,
    uptime: device.uptime,
    needsReboot: device.needsReboot,
    queueIds: queue.map((entry) => entry.id),
    missing: packageNames(packages),
    policy: policyBaseline(command, { device, events }),
    lastEventId: newestId(events),
  };
}

/**
 * The device is read before its queue: where the command still waits in the queue, the device shows none of its
 * effect. Packages and events are read only when it no longer waits, so that there is something to see, and events of
 * packages only where those prove nothing by themselves; those of a policy always, because what its schedule does
 * meanwhile has to be told from what the command does.
 */
async function observe<C extends FleetCommand>(
  { reader, clock }: LookPorts,
  traits: CommandTraits<C>,
  ...[command, target, row]: readonly [C, RequestTarget, Device | null]
): Promise<Observation> {
  const lane = 'background';
  const deviceId = requireDevice(target);
  const found = await nullIfMissing(async () => {
    const device = row ?? (await reader.device(deviceId, { lane }));
    const queue = await readQueueFor(reader, target, lane);
    const proving = traits.installs !== undefined && !waitsInQueue(command, target, queue);
    const packages = proving ? await collectRows(reader.packages(deviceId, { lane })) : null;
    const acted = { command, deviceId, since: target.issuedAt };
    const seen = { target, device, packages, events: [], now: clock.now() };
    const isOpen = proving && traits.effect(command, seen).kind === 'open';
    const events = isOpen || policyIdOf(command) !== null ? await recentEvents(reader, acted, lane) : [];
    return { queue, device, packages, events };
  });
  const nothing = { queue: [], device: null, packages: null, events: [] };
  return { command, target, now: clock.now(), ...(found ?? nothing) };
}

/** Pages of one device's events that are read at most: the proof is among the newest. */
const EVENT_PAGES = 4;

/**
 * The events of the device since `since`, for a command of a policy those of the policy alone; the day before is
 * asked for too, because dates have no zone (§4.9). Throws FleetFailure.
 */
async function recentEvents(
  reader: Pick<FleetReader, 'events'>,
  { command, deviceId, since }: { command: FleetCommand; deviceId: DeviceId; since: Instant },
  lane: Lane,
): Promise<readonly FleetEvent[]> {
  const policyId = policyIdOf(command);
  const ofPolicy = policyId === null ? {} : { policyId };
  const found: FleetEvent[] = [];
  let pages = 0;
  for await (const page of reader.events({ deviceId, ...ofPolicy, after: later(since, -DAY) }, { lane })) {
    found.push(...page.rows);
    pages += 1;
    if (pages === EVENT_PAGES) break;
  }
  return found;
}
