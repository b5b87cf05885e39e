/** The summary of a rollout, counted from the facts that its seal covers. Pure. */
import type { PackageFacts } from '../../fleet/facts/facts.ts';
import { severityRank, systemName } from '../../fleet/model/derived-fields.ts';
import { type Instant, instant } from '../../lib/clock.ts';
import { defined } from '../../lib/record-fields.ts';
import { cut } from '../../lib/text.ts';
import { type RolloutSummary, type Selection, type TopCounts, topCounts } from '../../rollout/summary.ts';
import type { DeviceFacts, TargetFacts } from '../../store/port/records.ts';

/** Names that are cut here are cut on the card, too. */
const MAX_NAME = 80;
/**
 * No field tells servers from the rest (§2.2), and lists of newer services have no model ("management API in practice"
 * 3.3). Windows and some Linux editions have the word in their name; else people put it into the name of the group.
 */
const SERVER_WORD = /\bservers?\b/i;

/** What the card says of these devices; `now` where there are none. */
export function summarizeTargets(
  facts: readonly TargetFacts[],
  now: Instant,
  { packagesRead, unknownFit }: Selection = {},
): RolloutSummary {
  const devices = facts.filter((one): one is DeviceFacts => one.deviceId !== null);
  const count = (is: (device: DeviceFacts) => boolean) => devices.filter(is).length;
  return {
    frozenAt: devices.reduce((first, { asOf }) => instant(Math.min(first, asOf)), now),
    offline: count(({ connected }) => connected === false),
    loggedIn: count(({ lastLoggedInUser: user }) => user !== null && user !== ''),
    deferred: count(({ deferred }) => deferred === true),
    rebootPending: count(({ needsReboot }) => needsReboot === true),
    excluded: count(({ exception }) => exception === true),
    servers: count(({ osName, groupName }) => SERVER_WORD.test(`${osName ?? ''} ${groupName ?? ''}`)),
    groups: topCounts(devices.map(({ groupName, groupId }) => short(groupName ?? idText(groupId)))),
    systems: topCounts(devices.map((device) => short(systemName(device)))),
    packages: countPackages(devices, ({ name, version }) => [version === null ? name : `${name} ${version}`]),
    rebootFor: countPackages(devices, ({ name, requiresReboot }) => (requiresReboot ? [name] : [])),
    severities: countPackages(devices, ({ severity }) => [severity], severityRank),
    cves: countPackages(devices, ({ cves }) => cves),
    ...defined({ packagesRead, unknownFit }),
  };
}

/** On how many devices each of these texts holds of a package. */
function countPackages(
  devices: readonly DeviceFacts[],
  textsOf: (item: PackageFacts) => readonly (string | null)[],
  rankOf?: (text: string | null) => number,
): TopCounts {
  const texts = devices.flatMap(({ packages }) => [...new Set(packages.flatMap(textsOf).map(short))]);
  return topCounts(texts, rankOf);
}

function idText(id: number | null): string | null {
  return id === null ? null : `#${id}`;
}

function short(name: string | null): string | null {
  return name === null || name === '' ? null : cut(name, MAX_NAME);
}
