/** Which packages of many devices a patch installs: those that the missing-patch index knows, sealed with each device. */
import { packageFacts, packageNames } from '../../fleet/facts/facts.ts';
import { hasSeverity } from '../../fleet/model/package-state.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { encodeCommand } from '../../fleet/queue-entries.ts';
import type {
  MissingPatchAnswer,
  MissingPatchesEntry,
  MissingPatchFacts,
} from '../../inventory/missing-patches/missing-patch-index.ts';
import type { DeviceFacts } from '../../store/port/records.ts';
import type { Problem } from '../../views/model.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { groupsOf, PACKAGE_WAIT_MS, readingOf } from '../targets/find-devices.ts';
import {
  isAllMissing,
  matchingPackages,
  narrowedSelection,
  nearestPackages,
  type PatchSelection,
} from './choose-packages.ts';
import { type ChosenForMany, factsWriter, leaveOut } from './plan-targets.ts';

/** The packages of these devices; those that are missing none of them stay out. Throws FleetFailure. */
export async function choosePackagesForMany(
  devices: readonly Device[],
  asked: PatchSelection,
  ports: ReadPorts,
): Promise<ChosenForMany> {
  const answer = await ports.missingPatches.query({ groups: groupsOf(devices), waitMs: PACKAGE_WAIT_MS });
  const candidates = new Set(answer.devices.map(({ id }) => id));
  const listed = devices.filter(({ id }) => candidates.has(id));
  const unread = unreadProblem(listed, answer);
  if (unread !== null) return { kind: 'problem', problem: unread };
  const all = listed.flatMap(({ id }) => answer.known.get(id)?.packages ?? []);
  // Null where none of the devices misses any more what they were selected by: they stay out below.
  const selection = narrowedSelection(asked, all) ?? { ...asked, shared: NOTHING };
  const named = namesOf(selection, all, devices.length);
  if (named.kind === 'problem') return named;
  const { severities } = selection;
  const isWanted = (item: MissingPatchFacts) =>
    isAllMissing(selection) || named.names.has(item.name) || hasSeverity(item, severities);
  const alone = named.names.size === 0 && severities.length > 0 ? { severities } : {};
  const factsOf = await factsWriter(devices, ports);
  const targets: DeviceFacts[] = [];
  const leftOut: UnrequestedTarget[] = [];
  for (const device of devices) {
    const entry = answer.known.get(device.id);
    const wanted = (entry?.packages ?? []).filter(isWanted);
    const packages = packageFacts(wanted);
    const missing = packageNames(packages);
    const problem = obstacle({ isCandidate: candidates.has(device.id), entry, missing, alone });
    if (problem !== null) leftOut.push(leaveOut(device, problem));
    else targets.push(withAge(factsOf(device, { packages }), entry));
  }
  const chosen = isAllMissing(selection)
    ? null
    : (selection.shared ?? { severities, named: [...named.names].toSorted() });
  return { kind: 'chosen', command: { kind: 'patch-each', chosen }, targets, leftOut };
}

const NOTHING = { severities: [], named: [] } as const;

/** While packages are being read, the rest of the devices would look as if they missed nothing. */
function unreadProblem(listed: readonly Device[], answer: MissingPatchAnswer): Problem | null {
  const { looked, candidates, oldest, isGoing } = readingOf(answer, new Set(listed.map(({ id }) => id)));
  if (looked === candidates || !isGoing) return null;
  return { kind: 'packages-unread', known: looked, of: candidates, oldest, isGoing };
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
function obstacle({
  isCandidate,
  entry,
  missing,
  alone,
}: {
  readonly isCandidate: boolean;
  readonly entry: MissingPatchesEntry | undefined;
  readonly missing: readonly string[];
  /** The severities, where no package was named. */
  readonly alone: { readonly severities?: readonly string[] };
}): ((deviceName: string) => Problem) | null {
  if (isCandidate && entry === undefined)
    return (deviceName) => ({ kind: 'device-packages-unread', deviceName });
  if (entry === undefined || entry.packages.length === 0)
    return (deviceName) => ({ kind: 'nothing-to-install', deviceName });
  if (missing.length === 0) return (deviceName) => ({ kind: 'none-missing', deviceName, ...alone });
  const encoded = encodeCommand({ kind: 'patch', packages: missing });
  return encoded.kind === 'encoded' ? null : () => ({ kind: 'unsendable-package', name: encoded.name });
}

/** As old as its packages, which may have been read before the device. */
function withAge(facts: DeviceFacts, entry: MissingPatchesEntry | undefined): DeviceFacts {
  return entry === undefined || entry.asOf > facts.asOf ? facts : { ...facts, asOf: entry.asOf };
}
