/** What the card of a rollout says of its devices: counted once, so that no card reads all of them. */
import type { Instant } from '../lib/clock.ts';

/** A group, system or package, and how many devices have it; null: the service names none. */
export type NamedCount = { readonly name: string | null; readonly devices: number };

/** The most common ones first, and how many others there are. */
export type TopCounts = { readonly top: readonly NamedCount[]; readonly more: number };

/** How the packages were read by which devices were selected. */
export type PackagesRead = {
  /** Devices whose packages were read. */
  readonly looked: number;
  /** Of those, from the list of the whole fleet; the others one by one. */
  readonly fromList: number;
  readonly oldest: Instant;
};

export type RolloutSummary = {
  /** When the facts of the device that was read first were read. */
  readonly frozenAt: Instant;
  readonly offline: number;
  /** Devices that state a user who is or was logged in. */
  readonly loggedIn: number;
  /** Whose users put off patches or a restart. */
  readonly deferred: number;
  readonly rebootPending: number;
  /** Excluded from reports. */
  readonly excluded: number;
  /** With the word in the name of their system or group; all or none of them are nothing unusual. */
  readonly servers: number;
  readonly groups: TopCounts;
  readonly systems: TopCounts;
  /** Of a patch: the packages to be installed with their versions, by devices. */
  readonly packages: TopCounts;
  /** Those of them that need a restart to take effect. */
  readonly rebootFor: TopCounts;
  /** Of the packages to be installed: their severities, and the CVEs that they fix. */
  readonly severities: TopCounts;
  readonly cves: TopCounts;
  /** Absent: the devices were not selected by what they are missing. */
  readonly packagesRead?: PackagesRead;
};

const NO_COUNTS: TopCounts = { top: [], more: 0 };

/** Of no devices. */
export function emptySummary(frozenAt: Instant): RolloutSummary {
  return {
    frozenAt,
    offline: 0,
    loggedIn: 0,
    deferred: 0,
    rebootPending: 0,
    excluded: 0,
    servers: 0,
    groups: NO_COUNTS,
    systems: NO_COUNTS,
    packages: NO_COUNTS,
    rebootFor: NO_COUNTS,
    severities: NO_COUNTS,
    cves: NO_COUNTS,
  };
}

/** Names that a card lists of each. */
const MAX_TOP = 6;

/** How often each name occurs. */
export function topCounts(names: Iterable<string | null>): TopCounts {
  const counts = new Map<string | null, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const all = [...counts].map(([name, devices]) => ({ name, devices }));
  const sorted = all.toSorted((a, b) => b.devices - a.devices || (a.name ?? '').localeCompare(b.name ?? ''));
  return { top: sorted.slice(0, MAX_TOP), more: Math.max(sorted.length - MAX_TOP, 0) };
}
