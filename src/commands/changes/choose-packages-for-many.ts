/** Which packages of many devices a patch installs: those that the missing-patch index knows, sealed with each device. */
import { hasSeverity } from '../../fleet/model/package-state.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { encodeCommand } from '../../fleet/queue-entries.ts';
import type {
  MissingPatchAnswer,
  MissingPatchesEntry,
  MissingPatchFacts,
} from '../../inventory/missing-patches/missing-patch-index.ts';
import { type Instant, SECOND } from '../../lib/clock.ts';
import type { GroupId } from '../../lib/ids.ts';
import type { DeviceFacts } from '../../store/port/records.ts';
import type { Problem } from '../../views/model.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { machineNames, matchingPackages, nearestPackages, type PatchSelection } from './choose-packages.ts';
import { type ChosenForMany, factsWriter, leaveOut } from './plan-targets.ts';

/** A request waits so long for packages that are not fresh; what takes longer is read behind it. */
const PACKAGE_WAIT_MS = 8 * SECOND;

/** The packages of these devices; those that are missing none of them stay out. Throws FleetFailure. */
export async function choosePackagesForMany(
  devices: readonly Device[],
  selection: PatchSelection,
  ports: ReadPorts,
): Promise<ChosenForMany> {
  const answer = await ports.missingPatches.query({ groups: groupsOf(devices), waitMs: PACKAGE_WAIT_MS });
  const candidates = new Set(answer.devices.map(({ id }) => id));
  const listed = devices.filter(({ id }) => candidates.has(id));
  const unread = unreadProblem(listed, answer);
  if (unread !== null) return { kind: 'problem', problem: unread };
  const all = listed.flatMap(({ id }) => answer.known.get(id)?.packages ?? []);
  const named = namesOf(selection, all, devices.length);
  if (named.kind === 'problem') return named;
  const isWanted = (item: MissingPatchFacts) =>
    isAll(selection) || named.names.has(item.name) || hasSeverity(item, selection.severities);
  const factsOf = await factsWriter(devices, ports);
  const targets: DeviceFacts[] = [];
  const leftOut: UnrequestedTarget[] = [];
  for (const device of devices) {
    const entry = answer.known.get(device.id);
    const wanted = (entry?.packages ?? []).filter(isWanted);
    const missing = machineNames(wanted);
    const rebootFor = machineNames(wanted.filter(({ requiresReboot }) => requiresReboot));
    const problem = obstacle(candidates.has(device.id), entry, missing);
    if (problem !== null) leftOut.push(leaveOut(device, problem));
    else
      targets.push(withAge(factsOf(device, { missing, ...(rebootFor.length > 0 && { rebootFor }) }), entry));
  }
  const { severities, shared } = selection;
  const chosen = isAll(selection) ? null : (shared ?? { severities, named: [...named.names].toSorted() });
  return { kind: 'chosen', command: { kind: 'patch-each', chosen }, targets, leftOut };
}

function isAll({ packages, severities, shared }: PatchSelection): boolean {
  return packages.length === 0 && severities.length === 0 && shared === undefined;
}

/** Only lists of a few groups are shorter than that of all devices, which the index decides. */
function groupsOf(devices: readonly Device[]): ReadonlySet<GroupId> | null {
  const groups = new Set(devices.map(({ groupId }) => groupId));
  const known = [...groups].flatMap((group) => (group === null ? [] : [group]));
  return known.length < groups.size ? null : new Set(known);
}

/** While packages are being read, the rest of the devices would look as if they missed nothing. */
function unreadProblem(listed: readonly Device[], { known, isReading }: MissingPatchAnswer): Problem | null {
  const read = listed.flatMap(({ id }) => known.get(id) ?? []);
  if (read.length === listed.length || !isReading) return null;
  const oldest = read.reduce<Instant | null>(
    (old, { asOf }) => (old === null || asOf < old ? asOf : old),
    null,
  );
  return { kind: 'packages-unread', known: read.length, of: listed.length, oldest };
}

type PackageNames =
  | { readonly kind: 'names'; readonly names: ReadonlySet<string> }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** The machine names of what was named; the first that no device is missing is a slip, and nothing is requested. */
function namesOf(
  { packages, shared }: PatchSelection,
  all: readonly MissingPatchFacts[],
  devices: number,
): PackageNames {
  // By machine name, as an earlier request named them.
  if (shared !== undefined) return { kind: 'names', names: new Set(packages) };
  const names = new Set<string>();
  for (const query of packages) {
    const found = matchingPackages(all, query);
    if (found.length === 0) {
      const nearest = nearestPackages(all, query);
      return { kind: 'problem', problem: { kind: 'missing-nowhere', query, devices, nearest } };
    }
    for (const name of found) names.add(name);
  }
  return { kind: 'names', names };
}

/** Why the device stays out, in the words of one device. */
function obstacle(
  isCandidate: boolean,
  entry: MissingPatchesEntry | undefined,
  missing: readonly string[],
): ((deviceName: string) => Problem) | null {
  if (isCandidate && entry === undefined)
    return (deviceName) => ({ kind: 'device-packages-unread', deviceName });
  if (entry === undefined || entry.packages.length === 0)
    return (deviceName) => ({ kind: 'nothing-to-install', deviceName });
  if (missing.length === 0) return (deviceName) => ({ kind: 'none-missing', deviceName });
  const encoded = encodeCommand({ kind: 'patch', packages: missing });
  return encoded.kind === 'encoded' ? null : () => ({ kind: 'unsendable-package', name: encoded.name });
}

/** As old as its packages, which may have been read before the device. */
function withAge(facts: DeviceFacts, entry: MissingPatchesEntry | undefined): DeviceFacts {
  return entry === undefined || entry.asOf > facts.asOf ? facts : { ...facts, asOf: entry.asOf };
}
