/** What is different for a request of many devices: whose turn its calls take, and how lists show its devices. Pure. */
import type { FleetReader, Lane } from '../fleet/fleet.ts';
import { policyIdOf, policyStatusOf } from '../fleet/model/policy-status.ts';
import type { Device } from '../fleet/model/resources.ts';
import { type Instant, later, SECOND } from '../lib/clock.ts';
import { listPages, PAGE_PAUSE_MS } from '../lib/lists.ts';
import { isLarge } from '../rollout/plan.ts';
import type { RequestRecord, RequestTarget } from '../store/port/request-records.ts';
import { isSeenInLists, showsEffect } from './kinds/kinds.ts';
import { isExpectedSoon, nextLookAloneAt, nextLookAt } from './look-schedule.ts';

/** Of the reads before sending: a person waits for a few devices, and nobody for hundreds. */
export function readLaneOf({ rollout }: Pick<RequestRecord, 'rollout'>): Lane {
  return rollout !== null && isLarge(rollout.plan) ? 'background' : 'person';
}

/** Of the one call. */
export function writeLaneOf(request: Pick<RequestRecord, 'rollout'>): Exclude<Lane, 'person'> {
  return readLaneOf(request) === 'person' ? 'write' : 'background';
}

/** Where the size of the fleet is not known, more than so many are read by pages. Our own figure. */
const MAX_SINGLE_READS = 20;

export type PagePorts = {
  readonly reader: Pick<FleetReader, 'devices'>;
  /** How many devices the fleet has, from memory; null: not known. */
  readonly fleetSize: () => number | null;
};

/**
 * How many pages the fleet's list has, which cannot be asked for certain devices: where those are more, they are read by
 * pages. Where the size is not known, so many that a few devices are read alone.
 */
export function pagesOfFleet({ fleetSize }: Pick<PagePorts, 'fleetSize'>): number {
  const size = fleetSize();
  return size === null ? MAX_SINGLE_READS : listPages(size);
}

/** A few devices are looked at one by one, and sooner. */
export function isFollowedByLists({ rollout, action }: Pick<RequestRecord, 'rollout' | 'action'>): boolean {
  return rollout !== null && isLarge(rollout.plan) && isSeenInLists(action);
}

/** When a target is looked at next by itself. */
export function nextTargetLookAt(
  request: Pick<RequestRecord, 'rollout' | 'action'>,
  target: RequestTarget,
  { connected, now }: { readonly connected: boolean | null; readonly now: Instant },
): Instant {
  const next = isFollowedByLists(request) ? nextLookAloneAt : nextLookAt;
  return next(target, connected, now);
}

/** Between two looks; where a look has many pages, it takes longer. */
const LOOK_MS = 15 * SECOND;

/** When the next look at so many pages begins, after one that began at `startedAt`. */
export function nextListLookAt(startedAt: Instant, pages: number): Instant {
  return later(startedAt, Math.max(LOOK_MS, pages * PAGE_PAUSE_MS));
}

/** The first look after something moved, where none is scheduled. */
export function firstListLookAt(movedAt: Instant): Instant {
  return later(movedAt, LOOK_MS);
}

/** Two rows that say the same are worth one look. Null: nothing that would be worth reading more. */
export function sayingOf(
  { action }: Pick<RequestRecord, 'action'>,
  target: RequestTarget,
  seen: { readonly device: Device; readonly now: Instant },
): string | null {
  const { device, now } = seen;
  const isBack = device.connected === true && !isExpectedSoon(target, now);
  if (!isBack && !showsEffect(action, target, seen)) return null;
  const policyId = policyIdOf(action);
  const policy = policyId === null ? null : policyStatusOf(device, policyId);
  const { lastRefreshTime, lastDisconnectTime, connected, uptime, pendingPatches } = device;
  return JSON.stringify([lastRefreshTime, lastDisconnectTime, connected, uptime, pendingPatches, policy]);
}
