/** What each filter of `devices` asks of a device. Pure. */

import { DAY, type Instant } from '../../clock.ts';
import { systemName } from '../../fleet/system.ts';
import type { PolicyId } from '../../ids.ts';
import { groupLabel } from '../../inventory/directory.ts';
import { hasAddress, hasSerial, hasUser } from '../../inventory/fields.ts';
import type { IndexedDevice, Snapshot } from '../../inventory/inventory.ts';
import { nearest, nearestOrAny } from '../../inventory/nearest.ts';
import { remembered } from '../../inventory/remembered.ts';
import { seenAt } from '../../inventory/row.ts';
import { fold } from '../../text.ts';
import { CONDITION_NAMES, CONDITIONS, type DeviceFilter, type Matcher, STALE } from './device-filters.ts';
import { groupsNamed } from './group-members.ts';
import { numberOf } from './named.ts';

/** A value that nothing in the fleet has, so that an empty list would hide a slip of the pen. */
export type UnknownValue = {
  readonly kind: 'group' | 'policy' | 'word';
  readonly key: DeviceFilter['key'];
  readonly value: string;
  /** The known values that come near; of words all, where none does and they are few. */
  readonly nearest: readonly string[];
};

/**
 * Not seen for so long: the service's own report counts devices as disconnected from then on ("management API in
 * practice" 5.1).
 */
const STALE_DAYS = 30;

/** Whether a device is as the filter says, its `-` apart; or the value that it cannot be. */
export function matcherOf(
  { key, value }: Pick<DeviceFilter, 'key' | 'value'>,
  snapshot: Snapshot,
  now: Instant,
): Matcher | UnknownValue {
  const wanted = fold(value);
  switch (key) {
    case 'is':
      return condition(value, now);
    case 'group':
      return inGroup(value, snapshot);
    case 'tag':
      return known(snapshot, { key, value, fits: (tag) => tag === wanted });
    case 'os':
      return known(snapshot, { key, value, fits: (system) => system.includes(wanted) });
    case 'version':
      return known(snapshot, { key, value, fits: (version) => version.startsWith(wanted) });
    case 'policy':
      return withPolicy(key, value, snapshot, (device) => policiesOf(device, snapshot));
    case 'fails':
      return withPolicy(key, value, snapshot, (device) => device.failingIds);
    case 'ip':
      return hasAddress(value) ?? nowhere;
    case 'user':
      return hasUser(value);
    case 'serial':
      return hasSerial(value);
  }
}

const nowhere: Matcher = () => false;

function condition(value: string, now: Instant): Matcher | UnknownValue {
  const name = fold(value);
  if (name === STALE) return isStale(now);
  return CONDITIONS.get(name) ?? { kind: 'word', key: 'is', value, nearest: nearest(value, CONDITION_NAMES) };
}

function isStale(now: Instant): Matcher {
  return (device) => {
    const seen = seenAt(device);
    return seen !== null && now - seen >= STALE_DAYS * DAY;
  };
}

function inGroup(value: string, { groups }: Snapshot): Matcher | UnknownValue {
  const members = groupsNamed(value, groups.values());
  if (members.size > 0) return ({ groupId }) => groupId !== null && members.has(groupId);
  return {
    kind: 'group',
    key: 'group',
    value,
    nearest: nearest(value, [...groups.values()].map(groupLabel)),
  };
}

/**
 * Assumption (§2.1, §2.5): a device whose row names no policies, as before its first scan, has those of its group.
 */
function policiesOf({ policyIds, groupId }: IndexedDevice, { groups }: Snapshot): readonly PolicyId[] {
  return policyIds ?? (groupId === null ? undefined : groups.get(groupId)?.policyIds) ?? [];
}

/** By name, else by number: an id is not looked for, because the key may not see policies. */
function withPolicy(
  key: 'policy' | 'fails',
  value: string,
  { policies }: Snapshot,
  of: (device: IndexedDevice) => readonly PolicyId[],
): Matcher | UnknownValue {
  const wanted = fold(value);
  const named = policies.filter(({ name }) => fold(name) === wanted).map(({ id }): number => id);
  const id = numberOf(wanted);
  const ids = new Set(named.length === 0 && id !== null ? [id] : named);
  if (ids.size > 0) return (device) => of(device).some((one) => ids.has(one));
  return {
    kind: 'policy',
    key,
    value,
    nearest: nearest(
      value,
      policies.map(({ name }) => name),
    ),
  };
}

type Fact = {
  readonly key: 'tag' | 'os' | 'version';
  readonly value: string;
  /** Asked of the comparable form of what devices have. */
  readonly fits: (folded: string) => boolean;
};

const FACTS = { tag: tags, os: systems, version: versions } as const;

/** What devices have, each once with its comparable form: few different words stand among many devices. */
const VALUES = {
  tag: valuesOf(tags),
  os: valuesOf(systems),
  version: valuesOf(versions),
} as const;

function valuesOf(of: (device: IndexedDevice) => readonly string[]) {
  return remembered(({ devices }): ReadonlyMap<string, string> => {
    const values = new Map<string, string>();
    for (const device of devices) {
      for (const value of of(device)) if (!values.has(value)) values.set(value, fold(value));
    }
    return values;
  });
}

function known(snapshot: Snapshot, { key, value, fits }: Fact): Matcher | UnknownValue {
  const values = VALUES[key](snapshot);
  const fitting = new Set<string>();
  for (const [one, folded] of values) if (fits(folded)) fitting.add(one);
  const of = FACTS[key];
  if (fitting.size > 0) return (device) => of(device).some((one) => fitting.has(one));
  return { kind: 'word', key, value, nearest: nearestOrAny(value, values.keys()) };
}

function tags({ tags: all }: IndexedDevice): readonly string[] {
  return all;
}

/** As it is shown, so that what was read can be asked for. */
function systems(device: IndexedDevice): readonly string[] {
  return stated(device.osFamily, device.osName, systemName(device));
}

/** Of the agent and of the system. */
function versions({ agentVersion, osVersion }: IndexedDevice): readonly string[] {
  return stated(agentVersion, osVersion);
}

function stated(...values: readonly (string | null)[]): readonly string[] {
  return values.flatMap((value) => (value === null || value === '' ? [] : [value]));
}
