/** What the service says about one device right now, as far as a command needs it. */

import { DAY, type Instant, later } from '../clock.ts';
import { collectRows } from '../fleet/collect-rows.ts';
import type { FleetReader, Lane } from '../fleet/fleet.ts';
import {
  type Device,
  type FleetCommand,
  type FleetEvent,
  isMissing,
  type Package,
  type QueueEntry,
} from '../fleet/model.ts';
import type { Policy } from '../fleet/policy.ts';
import { policyOf } from '../fleet/standing.ts';
import { unlessMissing } from '../fleet/unless-missing.ts';
import type { DeviceId, OrganizationId } from '../ids.ts';
import type { Before } from '../store/records.ts';
import { policyBefore } from './policy-before.ts';

export type Found = {
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
export type Survey = Found | { readonly kind: 'gone' };

export type Subject = {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly command: FleetCommand;
  readonly now: Instant;
};

/**
 * Reads device, queue and what the proof of the command is compared with: packages for an installation, the policy
 * and its events for a policy. `gone`: unknown, or another organization's. Throws FleetFailure.
 */
export async function survey(reader: FleetReader, subject: Subject, lane: Lane): Promise<Survey> {
  const { deviceId, organizationId, command, now } = subject;
  const found = await unlessMissing(async (): Promise<Survey> => {
    const device = await reader.device(deviceId, { lane });
    const queue = await reader.queue(deviceId, { lane });
    const packages = installs(command) ? await collectRows(reader.packages(deviceId, { lane })) : null;
    const acted = { command, deviceId, since: now };
    const events = policyOf(command) === null ? [] : await recentEvents(reader, acted, lane);
    return { kind: 'found', device, queue, packages, events, policy: await policyFor(reader, command, lane) };
  });
  return found?.kind === 'found' && found.device.organizationId === organizationId ? found : { kind: 'gone' };
}

/** The policy of the command; null where it is of none, or the service does not know it. */
async function policyFor(reader: FleetReader, command: FleetCommand, lane: Lane): Promise<Policy | null> {
  const id = policyOf(command);
  return id === null ? null : unlessMissing(() => reader.policy(id, { lane }));
}

export function installs(command: FleetCommand): boolean {
  return command.kind === 'patch' || command.kind === 'patch-all';
}

/** Pages of one device's events that are read at most: the proof is among the newest. */
const EVENT_PAGES = 4;

type Acted = { readonly command: FleetCommand; readonly deviceId: DeviceId; readonly since: Instant };

/**
 * The events of the device since `since`, for a command of a policy those of the policy alone; the day before is
 * asked for too, because dates have no zone (§4.9).
 */
export async function recentEvents(
  reader: FleetReader,
  { command, deviceId, since }: Acted,
  lane: Lane,
): Promise<readonly FleetEvent[]> {
  const policyId = policyOf(command);
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
export function missingFor(
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
export function beforeOf(found: Found, command: FleetCommand, at: Instant): Before {
  const { device, queue, packages, events } = found;
  return {
    at,
    connected: device.connected,
    lastRefreshTime: device.lastRefreshTime,
    lastDisconnectTime: device.lastDisconnectTime,
    uptime: device.uptime,
    needsReboot: device.needsReboot,
    queueIds: queue.map((entry) => entry.id),
    missing: missingFor(command, packages, at),
    policy: policyBefore(command, { device, events }),
  };
}
