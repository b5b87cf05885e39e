/** What the card of a rollout says of its devices: counted once, so that no card reads all of them. */
import { z } from 'zod';
import type { Instant } from '../lib/clock.ts';
import { deviceField, instantField, nullableText, type Stored, wholeNumber } from '../lib/record-fields.ts';

const topCountsSchema = z.object({
  /** The most common groups, systems or packages first; null: the service names none. */
  top: z.array(z.object({ name: nullableText, devices: wholeNumber })),
  more: wholeNumber,
});
export type TopCounts = Stored<typeof topCountsSchema>;

/** How the packages were read by which devices were selected. */
const packagesReadSchema = z.object({
  /** Devices whose packages were read. */
  looked: wholeNumber,
  /** Of those, from the list of the whole fleet; the others one by one. */
  fromList: wholeNumber,
  oldest: instantField,
});

export const summarySchema = z.object({
  /** When the facts of the device that was read first were read. */
  frozenAt: instantField,
  offline: wholeNumber,
  /** Devices that state a user who is or was logged in. */
  loggedIn: wholeNumber,
  /** Whose users put off patches or a restart. */
  deferred: wholeNumber,
  rebootPending: wholeNumber,
  /** Excluded from reports. */
  excluded: wholeNumber,
  /** With the word in the name of their system or group; all or none of them are nothing unusual. */
  servers: wholeNumber,
  groups: topCountsSchema,
  systems: topCountsSchema,
  /** Of a patch: the packages to be installed with their versions, by devices. */
  packages: topCountsSchema,
  /** Those of them that need a restart to take effect. */
  rebootFor: topCountsSchema,
  /** Of the packages to be installed: their severities, worst first, and the CVEs that they fix. */
  severities: topCountsSchema,
  cves: topCountsSchema,
  /** Absent: the devices were not selected by what they are missing. */
  packagesRead: packagesReadSchema.exactOptional(),
  /** Devices that are left out, because it is unknown whether they match the filters, and the first of them. */
  unknownFit: z
    .object({
      devices: wholeNumber,
      some: z.array(z.object({ name: z.string(), hostname: nullableText, deviceId: deviceField })),
    })
    .exactOptional(),
});
export type RolloutSummary = Stored<typeof summarySchema>;
export type Selection = Pick<RolloutSummary, 'packagesRead' | 'unknownFit'>;

const NO_COUNTS: TopCounts = { top: [], more: 0 };

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

/** How often each name occurs: the most common first, unless a lower rank comes before. */
export function topCounts(
  names: Iterable<string | null>,
  rankOf: (name: string | null) => number = () => 0,
): TopCounts {
  const counts = new Map<string | null, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const all = [...counts].map(([name, devices]) => ({ name, devices }));
  const sorted = all.toSorted(
    (a, b) =>
      rankOf(a.name) - rankOf(b.name) || b.devices - a.devices || (a.name ?? '').localeCompare(b.name ?? ''),
  );
  return { top: sorted.slice(0, MAX_TOP), more: Math.max(sorted.length - MAX_TOP, 0) };
}
