/** What the service says about one device right now, as far as a command needs it. */

import type { FleetReader, Lane } from '../../fleet/fleet.ts';
import type { Policy } from '../../fleet/model/policy.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import {
  type Device,
  type FleetCommand,
  type FleetEvent,
  isMissing,
  type Package,
  type QueueEntry,
} from '../../fleet/model/resources.ts';
import { collectRows, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { DAY, type Instant, later } from '../../lib/clock.ts';
import type { DeviceId, OrganizationId } from '../../lib/ids.ts';
import type { Baseline } from '../../store/port/records.ts';
import { policyBaseline } from '../proof/baseline.ts';

export type DeviceRead = {
  readonly kind: 'found';
  readonly device: Device;
  readonly queue: readonly QueueEntry[];
  /** Null where the command installs nothing. */
  readonly packages: readonly Package[] | null;
  /** Recent events of the command's policy on the device; empty where the command is of none. */
  readonly events: readonly FleetEvent[];
  /** The command's policy; null where the command is of none, or the service does not know it. */
  readonly policy: Policy | null;
};
export type DeviceReadResult = DeviceRead | { readonly kind: 'gone' };

export type ReadSubject = {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly command: FleetCommand;
  readonly now: Instant;
};

/**
 * Reads device, queue and what the proof of the command is compared with: packages for an installation, the policy
 * and its events for a policy. `gone`: unknown, or another organization's. Throws FleetFailure.
 */
export async function readDeviceFor(
  reader: FleetReader,
  subject: ReadSubject,
  lane: Lane,
): Promise<DeviceReadResult> {
  const { deviceId, organizationId, command, now } = subject;
  const found = await nullIfMissing(async (): Promise<DeviceReadResult> => {
    const device = await reader.device(deviceId, { lane });
    const queue = await reader.queue(deviceId, { lane });
    const packages = installsPackages(command)
      ? await collectRows(reader.packages(deviceId, { lane }))
      : null;
    const acted = { command, deviceId, since: now };
    const events = policyIdOf(command) === null ? [] : await recentEvents(reader, acted, lane);
    return { kind: 'found', device, queue, packages, events, policy: await policyFor(reader, command, lane) };
  });
  return found?.kind === 'found' && found.device.organizationId === organizationId ? found : { kind: 'gone' };
}

/** The policy of the command; null where it is of none, or the service does not know it. */
async function policyFor(reader: FleetReader, command: FleetCommand, lane: Lane): Promise<Policy | null> {
  const id = policyIdOf(command);
  return id === null ? null : nullIfMissing(() => reader.policy(id, { lane }));
}

export function installsPackages(command: FleetCommand): boolean {
  return command.kind === 'patch' || command.kind === 'patch-all';
}

/** Pages of one device's events that are read at most: the proof is among the newest. */
const EVENT_PAGES = 4;

type EventQueryContext = {
  readonly command: FleetCommand;
  readonly deviceId: DeviceId;
  readonly since: Instant;
};

/**
 * The events of the device since `since`, for a command of a policy those of the policy alone; the day before is
 * asked for too, because dates have no zone (§4.9).
 */
export async function recentEvents(
  reader: FleetReader,
  { command, deviceId, since }: EventQueryContext,
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

/** The missing packages that matter to the command, by machine name: those it names, or all. */
export function missingPackagesFor(
  command: FleetCommand,
  packages: readonly Package[] | null,
  now: Instant,
): readonly string[] {
  const missing = (packages ?? []).filter((item) => isMissing(item, now)).map((item) => item.name);
  const named =
    command.kind === 'patch' ? missing.filter((name) => command.packages.includes(name)) : missing;
  return [...new Set(named)].toSorted();
}

/** What a proof is later compared with. */
export function baselineOf(found: DeviceRead, command: FleetCommand, at: Instant): Baseline {
  const { device, queue, packages, events } = found;
  return {
    at,
    connected: device.connected,
    lastRefreshTime: device.lastRefreshTime,
    lastDisconnectTime: device.lastDisconnectTime,
    uptime: device.uptime,
    needsReboot: device.needsReboot,
    queueIds: queue.map((entry) => entry.id),
    missing: missingPackagesFor(command, packages, at),
    policy: policyBaseline(command, { device, events }),
  };
}
