/** `patch`: requests the installation of all missing patches of devices, or of named packages. */
import { z } from 'zod';
import { type DeviceFacts, packageFacts, packageNames } from '../fleet/facts/facts.ts';
import type { ChosenBySeverity, PackagesCommand } from '../fleet/model/actions.ts';
import { countSeverities, hasSeverity, SEVERITIES, type Severity } from '../fleet/model/derived-fields.ts';
import { type Device, displayName, isMissing, type Package } from '../fleet/model/resources.ts';
import { encodeCommand } from '../fleet/queue-entries.ts';
import { collectRows } from '../fleet/reads/read-helpers.ts';
import type {
  MissingPatchAnswer,
  MissingPatchesEntry,
  MissingPatchFacts,
} from '../inventory/missing-patches/missing-patch-index.ts';
import { nearestNames } from '../inventory/nearest-names.ts';
import { fold } from '../lib/text.ts';
import type { Offer } from '../views/models/problem-model.ts';
import type { UnrequestedTarget } from '../views/models/request-model.ts';
import type { Problem } from '../views/views.ts';
import {
  type ChosenAction,
  type ChosenForMany,
  factsWriter,
  leaveOut,
  planForDevice,
  planTargets,
} from './changes/plan-targets.ts';
import type { Planned, ReadPorts, TypedInput } from './core/command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { patchForm } from './forms/patch-form.ts';
import { type MissingTarget, packageMatcher } from './parser/missing-target.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { isSeverityFilter, severitiesFrom } from './software/package-filters.ts';
import { groupsOf, PACKAGE_WAIT_MS, readingOf } from './targets/find-devices.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';
import { namesAfter, retryFor, targetOffer, unknownNamesProblem } from './targets/resolve-targets.ts';
import { soughtBy } from './targets/select-devices.ts';
import {
  joinNames,
  parseTargetLine,
  splitTarget,
  targetFields,
  toTargetInput,
} from './targets/target-line.ts';

const input = z.object({
  ...targetFields,
  packages: z.array(z.string()).max(500).default([]),
  severities: z.array(z.enum(SEVERITIES)).default([]),
});
type Input = z.infer<typeof input>;

const HEAD = {
  name: 'patch',
  usage: 'patch NAME|#ID|FILTERS [PACKAGE …] [severity:critical|high|medium|low] [OPTIONS] [because REASON]',
};

export const patchCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary:
    'Ask for approval to install all missing patches on devices, or only the packages and severities you name. With both, patches that match either one are installed. Devices selected with “missing:” get only what it names, unless you name something else. Separate several names or severities with commas.',
  examples: [
    'patch web-01',
    'patch web-01 openssl "Example Browser" because CVE list',
    'patch group:"Linux servers" severity:critical,high waves:1,25% because CVE list',
    'patch missing:CVE-2026-1234 because CVE list',
  ],
  input,
  form: patchForm,
  targets: 'filters',
  parse,
  plan: planPatch,
});

/** A package name may look like a filter (`zlib:amd64`), so words with a colon that select no devices are packages. */
function parse(words: LineWords): TypedInput<Input> {
  const line = parseTargetLine(words, { ownKeys: ['severity'], ownsOthers: true, takesWords: true });
  if (line.kind === 'fault') return line;
  const { own, rest } = line.input;
  const read = severitiesFrom(own.filter(isSeverityFilter));
  if (read.kind === 'fault') return read;
  const named = own.filter((part) => !isSeverityFilter(part)).map(({ text }) => text);
  return toTargetInput(line.input, { packages: [...rest, ...named], severities: read.input });
}

/** Where devices follow the first, every word is one or a known package; else it is asked which are meant. */
async function planPatch(typed: Input, ports: ReadPorts): Promise<Planned> {
  const { device, packages } = typed;
  const after = await namesAfter(device, packages, ports);
  if (after === null) return planChosen(typed, ports);
  const { names, packages: own, unknown } = after;
  const input: Input = { ...typed, packages: own };
  const again = { ...HEAD, input, packages: own };
  const problem = await unknownNamesProblem(names, unknown, again, ports);
  if (problem !== null) return { kind: 'problem', problem };
  const named = { device: joinNames(names) };
  if (own.length === 0) return planChosen({ ...input, ...named }, ports);
  const query = [device, ...packages].join(' ');
  const offers = [targetOffer(named, again, ports, own)];
  return { kind: 'problem', problem: { kind: 'not-all-devices', query, unknown: own, offers } };
}

async function planChosen(asked: Input, ports: ReadPorts): Promise<Planned> {
  const { target, meant, rest } = splitTarget(asked);
  const { reason, rollout: _, ...chosen } = rest;
  const selection = { ...chosen, sought: soughtBy(meant.filters ?? []) };
  const again = { ...HEAD, input: rest, packages: rest.packages };
  const choose = (fresh: Device) => choosePackages(fresh, selection, ports);
  const planned = await planTargets(
    {
      again,
      target,
      one: (ref) => planForDevice({ device: ref, retryWith: retryFor(again), reason, choose }, ports),
      many: (devices) => choosePackagesForMany(devices, selection, ports),
    },
    ports,
  );
  if (planned.kind !== 'problem') return planned;
  return { kind: 'problem', problem: withPackageOffers(planned.problem, asked, ports) };
}

/** Each name that may have been meant, with the form for it: what is installed is looked at once more. */
function withPackageOffers(problem: Problem, asked: Input, ports: ReadPorts): Problem {
  const isUnclear =
    problem.kind === 'no-such-package' ||
    problem.kind === 'missing-nowhere' ||
    problem.kind === 'several-packages';
  if (!isUnclear) return problem;
  const names = problem.kind === 'several-packages' ? problem.names : problem.nearest;
  const { offers = packageOffers(names, problem.query, asked, ports) } = problem;
  return offers.length === 0 ? problem : { ...problem, offers };
}

function packageOffers(
  names: readonly string[],
  query: string,
  asked: Input,
  ports: ReadPorts,
): readonly Offer[] {
  const { device, filters } = asked;
  const target = filters !== undefined ? { filters } : device === undefined ? null : { device };
  if (target === null) return [];
  return names.map((name) => {
    const packages = asked.packages.map((one) => (one === query ? name : one));
    const input: Input = { ...asked, packages };
    return targetOffer(target, { name: HEAD.name, input }, ports, packages);
  });
}

const MAX_OFFERS = 3;

/** What is to be installed; nothing chosen: all that is missing. */
type PatchSelection = {
  readonly packages: readonly string[];
  readonly severities: readonly Severity[];
  /** The packages are those of an order for several devices, by machine name, of which each may miss only some. */
  readonly shared?: ChosenBySeverity | undefined;
  /** What the devices were selected by: where nothing else is named, only that is installed. */
  readonly sought?: readonly MissingTarget[];
};

/** With what was sought as names and severities. Null: something was, and none of it is missing. */
function narrowedSelection(
  { sought = [], ...selection }: PatchSelection,
  missing: readonly MissingPatchFacts[],
): PatchSelection | null {
  if (sought.length === 0 || !isAllMissing(selection)) return selection;
  const severities = [...new Set(sought.flatMap((one) => (one.kind === 'severity' ? one.severities : [])))];
  const matchers = sought.filter(({ kind }) => kind !== 'severity').map(packageMatcher);
  const packages = machineNames(missing.filter((item) => matchers.some((matches) => matches(item))));
  return packages.length === 0 && severities.length === 0 ? null : { ...selection, packages, severities };
}

function isAllMissing({ packages, severities, shared }: PatchSelection): boolean {
  return packages.length === 0 && severities.length === 0 && shared === undefined;
}

async function choosePackages(
  device: Device,
  chosen: PatchSelection,
  { fleet, inventory, clock, missingPatches }: ReadPorts,
): Promise<ChosenAction> {
  const now = clock.now();
  const rows = await collectRows(fleet.packages(device.id, PERSON_PRIORITY));
  inventory.learnPackages(rows.map(({ name }) => name));
  missingPatches.learnPackages(device.id, rows, now);
  const missing = rows.filter((row) => isMissing(row, now));
  const deviceName = displayName(device);
  const selection = narrowedSelection(chosen, missing);
  if (selection === null) return { kind: 'problem', problem: { kind: 'none-missing', deviceName } };
  if (missing.length === 0 && selection.packages.length === 0) {
    return { kind: 'problem', problem: nothingToInstall(deviceName, rows) };
  }
  if (isAllMissing(selection)) {
    return { kind: 'command', command: { kind: 'patch-all' }, packages: missing };
  }
  const severe = missing.filter((item) => hasSeverity(item, selection.severities));
  const { severities: asked } = selection;
  if (severe.length === 0 && asked.length > 0) {
    const there = countSeverities(missing);
    return { kind: 'problem', problem: { kind: 'no-such-severity', asked, deviceName, there } };
  }
  const named: string[] = [];
  for (const query of selection.packages) {
    const [name, ...others] = matchingPackages(missing, query);
    if (name === undefined || others.length > 0) {
      return { kind: 'problem', problem: noMatchProblem(query, deviceName, rows, missing) };
    }
    named.push(name);
  }
  const packages = [...new Set([...machineNames(severe), ...named])].toSorted();
  const how = asked.length === 0 ? {} : { chosen: { severities: asked, named } };
  return withinCommandLimit(packages, missing, how);
}

/** A device of which nothing is listed, as before its first scan, is not known to miss nothing. */
function nothingToInstall(deviceName: string, rows: readonly Package[]): Problem {
  return { kind: 'nothing-to-install', deviceName, ...(rows.length === 0 && { unlisted: true }) };
}

/** Why the query does not name exactly one package that can be installed. */
function noMatchProblem(
  query: string,
  deviceName: string,
  rows: readonly Package[],
  missing: readonly Package[],
): Problem {
  const names = matchingPackages(missing, query);
  if (names.length > 0) return { kind: 'several-packages', query, deviceName, names };
  const installed = rows.filter((row) => row.installed);
  const [name] = matchingPackages(installed, query);
  if (name !== undefined) return { kind: 'already-installed', name, deviceName };
  if (missing.length === 0) return nothingToInstall(deviceName, rows);
  return { kind: 'no-such-package', query, deviceName, nearest: nearestPackages(missing, query) };
}

/** The queue's arguments cannot carry every name (§2.7, §4.3). Such a name is refused rather than cut. */
function withinCommandLimit(
  packages: readonly string[],
  missing: readonly Package[],
  how: Pick<PackagesCommand, 'chosen'>,
): ChosenAction {
  const command = { kind: 'patch', packages, ...how } as const;
  const encoded = encodeCommand(command);
  if (encoded.kind === 'encoded')
    return { kind: 'command', command, packages: missing.filter(({ name }) => packages.includes(name)) };
  return { kind: 'problem', problem: { kind: 'unsendable-package', name: encoded.name } };
}

/** Machine names of the missing packages that the query matches, by machine name first, then by display name. */
function matchingPackages(missing: readonly PackageName[], query: string): readonly string[] {
  const folded = fold(query);
  const byName = machineNames(missing.filter((item) => item.name === query || fold(item.name) === folded));
  return byName.length > 0
    ? byName
    : machineNames(missing.filter((item) => fold(item.displayName) === folded));
}

function machineNames(items: readonly PackageName[]): readonly string[] {
  return [...new Set(items.map((item) => item.name))].toSorted();
}

/** Each package once, ranked by the closer of its two names. */
function nearestPackages(items: readonly PackageName[], query: string): readonly string[] {
  const owners = new Map(
    items.flatMap(({ name, displayName }) => [
      [name, name],
      [displayName, name],
    ]),
  );
  const offered = new Map<string | undefined, string>();
  for (const label of nearestNames(query, owners.keys(), owners.size)) {
    if (!offered.has(owners.get(label))) offered.set(owners.get(label), label);
  }
  return [...offered.values()].slice(0, MAX_OFFERS);
}

type PackageName = Pick<Package, 'name' | 'displayName'>;

/** Sealed with each device; those that miss none of the packages stay out. Throws FleetFailure. */
async function choosePackagesForMany(
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
    const problem = obstacle(candidates.has(device.id), entry, missing, alone);
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

/** The machine names of what was named; the first that no device is missing is a slip, and nothing is requested. */
function namesOf({ packages, shared }: PatchSelection, all: readonly MissingPatchFacts[], devices: number) {
  // By machine name, as an earlier request named them.
  if (shared !== undefined) return { kind: 'names', names: new Set(packages) } as const;
  const names = new Set<string>();
  for (const query of packages) {
    const found = matchingPackages(all, query);
    if (found.length === 0) {
      const nearest = nearestPackages(all, query);
      return { kind: 'problem', problem: { kind: 'missing-nowhere', query, devices, nearest } } as const;
    }
    for (const name of found) names.add(name);
  }
  return { kind: 'names', names } as const;
}

/** Why the device stays out, in the words of one device. `alone`: the severities, where no package was named. */
function obstacle(
  isCandidate: boolean,
  entry: MissingPatchesEntry | undefined,
  missing: readonly string[],
  alone: { readonly severities?: readonly string[] },
): ((deviceName: string) => Problem) | null {
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
