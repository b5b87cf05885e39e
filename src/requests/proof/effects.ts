/**
 * How a device stood before a command could have run, and whether it shows the effect: packages that are installed, a policy
 * that ran, a restart. Pure.
 */
import type { FleetCommand } from '../../fleet/model/actions.ts';
import {
  PATCH_APPLIED,
  PATCH_FAILED,
  type PatchFailure,
  POLICY_ACTION,
  patchFailure,
} from '../../fleet/model/event-kinds.ts';
import {
  NEEDS_REMEDIATION,
  PENDING,
  policyIdOf,
  policyName,
  policyStatusOf,
  UP_TO_DATE,
} from '../../fleet/model/policy-status.ts';
import type { Device, FleetEvent, Package, PatchMention } from '../../fleet/model/resources.ts';
import { type Instant, later, MINUTE } from '../../lib/clock.ts';
import type { DeviceId, EventId, PolicyId } from '../../lib/ids.ts';
import { compareVersions } from '../../lib/text.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import type { Baseline, PolicyBaseline, RequestTarget } from '../../store/port/request-records.ts';
import { clip, MAX_QUOTE_LENGTH } from '../clip.ts';

/** By a refresh of the device's data after the command. */
export function scanEffect(seen: BaselineComparison): Effect {
  const { before } = seen.target;
  const refreshed = laterThanBaseline(seen, before.lastRefreshTime, seen.device.lastRefreshTime);
  return refreshed === null
    ? open({ kind: 'not-refreshed', last: before.lastRefreshTime })
    : proven({ kind: 'refreshed', at: refreshed });
}

export function installEffect(observation: DeviceObservation, names: readonly string[]): Effect {
  const left = namesNotInstalled(observation, names);
  if (left === null) return open({ kind: 'packages-unread' });
  if (left.length === 0) return proven({ kind: 'installed', packages: [...names] });
  const applied = eventsOf(observation, PATCH_APPLIED).flatMap(({ patches }) => patches);
  const isApplied = (name: string) =>
    applied.some((patch) => patch.name === name && (patch.version === null || isSealed(observation, patch)));
  if (left.every(isApplied)) return proven({ kind: 'reported-installed', packages: [...left] });
  const failures = failuresOf(observation, names);
  const failure = failures.find(({ patches }) => patches.some(({ name }) => left.includes(name)));
  if (failure !== undefined) {
    const packages = failure.patches.map(({ name }) => name);
    const counts = { installed: names.length - left.length, total: names.length };
    return failed({ kind: 'install-failed', packages, words: quotation(failure), ...counts });
  }
  // It may be the failure of another package, so it ends nothing.
  const nameless = failures.find(({ patches }) => patches.length === 0);
  return open({
    kind: 'not-installed',
    packages: [...left],
    nameless: nameless === undefined ? null : { words: quotation(nameless) },
  });
}

/** Scanned since the command, or with other patches than when sealed: no list shows the packages themselves. */
export function mayHaveInstalled(seen: Compared & { readonly device: Device }): boolean {
  const { before, facts } = seen.target;
  if (laterThanBaseline(seen, before.lastRefreshTime, seen.device.lastRefreshTime) !== null) return true;
  return facts.deviceId !== null && facts.pendingPatches !== seen.device.pendingPatches;
}

/**
 * Several rows may have one name: an old version that is installed, and the one that was asked for. So none of them may be
 * uninstalled, whether it is missing or was ignored or deferred meanwhile; and one of them has to be what was asked for.
 */
function namesNotInstalled(observation: DeviceObservation, names: readonly string[]) {
  if (observation.packages === null) return null;
  const rows = Map.groupBy(observation.packages, ({ name }) => name);
  const isProven = (same: readonly Package[]) =>
    same.every(({ installed }) => installed) && same.some((row) => isSealed(observation, row));
  return names.filter((name) => !isProven(rows.get(name) ?? []));
}

/** Whether it is none older than any version that was sealed under its name; where none was, the name has to do. */
function isSealed({ target: { facts } }: Compared, { name, version }: PatchMention | Package): boolean {
  const sealed = facts.deviceId === null ? [] : facts.packages.filter((item) => item.name === name);
  return sealed.every((item) => item.version === null || compareVersions(version ?? '', item.version) >= 0);
}

/** Newest first. Where nothing says that the device got the command, they may belong to another installation. */
function failuresOf(observation: DeviceObservation, names: readonly string[]): readonly PatchFailure[] {
  if (observation.target.state === 'unknown') return [];
  return eventsOf(observation, PATCH_FAILED).map((event) => patchFailure(event, names));
}

/** Rows are checked again, because a service may ignore a filter that it does not know. */
function eventsOf(seen: DeviceObservation, name: string): readonly FleetEvent[] {
  const { deviceId, before } = seen.target;
  const found = seen.events.filter((event) => event.name === name && event.deviceId === deviceId);
  return eventsAfter(seen, found, before.lastEventId ?? null);
}

/** The agent's own words, cut. */
function quotation({ agentText }: PatchFailure): string | null {
  return agentText === null || agentText === '' ? null : clip(agentText, MAX_QUOTE_LENGTH);
}

/** The effect of a test: any action or any new standing shows that it ran. */
export function policyTestEffect(observation: DeviceObservation, id: PolicyId): Effect {
  const policy = namedPolicy(observation.device, id);
  const [action] = policyActionsAfter(observation, id);
  if (action !== undefined) return proven({ kind: 'policy-tested', policy, exitCode: action.exitCode });
  const entry = newPolicyStatus(observation, id);
  if (entry !== null) return proven({ kind: 'policy-result', policy, ...entry });
  return open({ kind: 'no-policy-result', policy });
}

/**
 * The effect of a remediation: an action with exit code 0, or the device turned up to date. Another code is a failure; of a
 * test it means only that the device needs remediation.
 */
export function policyRemediationEffect(observation: DeviceObservation, id: PolicyId): Effect {
  const policy = namedPolicy(observation.device, id);
  const found = policyActionsAfter(observation, id);
  const success = found.find(({ exitCode }) => exitCode === 0);
  if (success !== undefined) return proven({ kind: 'policy-ran', policy, exitCode: 0 });
  // Where nothing says that the service took the command, a failure may be that of another run and proves nothing.
  const failure =
    observation.target.state === 'unknown' ? undefined : found.find(({ exitCode }) => exitCode !== null);
  // A script may print secrets and names of people, so what it printed is in no evidence.
  if (failure !== undefined) return failed({ kind: 'policy-failed', policy, exitCode: failure.exitCode });
  if (turnedUpToDate(observation, id)) return proven({ kind: 'policy-met', policy });
  const [last] = found;
  const run = last === undefined ? null : { exitCode: last.exitCode };
  return open({ kind: 'policy-unproven', policy, run });
}

/** What the policy did on the device after the command, newest first. */
function policyActionsAfter(seen: DeviceObservation, id: PolicyId): readonly FleetEvent[] {
  const { before, deviceId } = seen.target;
  if (deviceId === null) return [];
  return eventsAfter(seen, policyActionsIn(seen.events, deviceId, id), before.policy?.lastEventId ?? null);
}

/** How the device stands with the policy, where the service wrote that after the command. */
function newPolicyStatus(seen: DeviceObservation, id: PolicyId) {
  const entry = policyStatusOf(seen.device, id);
  const before = seen.target.before.policy?.statusTime ?? null;
  const at = laterThanBaseline(seen, before, entry?.createTime ?? null);
  return entry === null || at === null ? null : { status: entry.status, at };
}

function turnedUpToDate(observation: DeviceObservation, id: PolicyId): boolean {
  const { policy, from } = observation.target.before;
  if (newPolicyStatus(observation, id)?.status === UP_TO_DATE) return true;
  // Without a time it may have turned after the device was read and before the claim.
  if (from !== undefined) return false;
  const before = policy?.status ?? null;
  const turned = before === NEEDS_REMEDIATION || before === PENDING;
  return turned && policyStatusOf(observation.device, id)?.status === UP_TO_DATE;
}

function namedPolicy(device: Device, id: PolicyId) {
  return { id, name: policyName(device, id) };
}

/** By a new disconnect and the return from it, or by an uptime that fell to less than the time since the command. */
export function rebootEffect(seen: BaselineComparison): Effect {
  const left = disconnectedSince(seen);
  // A cleared flag supports the proof and never suffices: an update may clear it too.
  const flagCleared = seen.target.before.needsReboot === true && seen.device.needsReboot === false;
  if (left !== null && seen.device.connected === true)
    return proven({ kind: 'restarted', left, flagCleared });
  const drop = uptimeDrop(seen);
  if (drop === 'since') return proven({ kind: 'uptime-dropped', flagCleared });
  if (left !== null) return open({ kind: 'not-back', left });
  return open({ kind: 'not-restarted', uptimeDropped: drop === 'perhaps-before' });
}

type BaselineComparison = Pick<DeviceObservation, 'target' | 'device' | 'now'>;

/** When the device went away after the command. The service may note late that it went away before. */
function disconnectedSince(seen: BaselineComparison): Instant | null {
  const { before } = seen.target;
  const left = laterThanBaseline(seen, before.lastDisconnectTime, seen.device.lastDisconnectTime);
  const since = claimedThere(before);
  return left !== null && since !== null && left >= since ? left : null;
}

/**
 * The uptime is as old as the last refresh (§2.2), so only a newer refresh can show a drop; and somebody else may have
 * restarted the device since the one before. Whether it counts minutes or seconds is disputed (management API in
 * practice, 5.1): what is short enough in minutes is so in seconds too.
 */
function uptimeDrop(seen: BaselineComparison): 'none' | 'perhaps-before' | 'since' {
  const { device } = seen;
  const { before } = seen.target;
  const refreshed = laterThanBaseline(seen, before.lastRefreshTime, device.lastRefreshTime);
  if (before.uptime === null || device.uptime === null || refreshed === null) return 'none';
  if (device.uptime >= before.uptime) return 'none';
  const since = claimedThere(before);
  // The uptime is cut to whole minutes: where the device was read long before the claim, the whole minute counts.
  const minutes = before.from === undefined ? device.uptime : device.uptime + 1;
  return since !== null && minutes * MINUTE <= refreshed - since ? 'since' : 'perhaps-before';
}

type ObservedDevice = { readonly device: Device; readonly events: readonly FleetEvent[] };

/** As the device stands now; null for commands of no policy. */
export function policyBaseline(
  command: FleetCommand,
  { device, events }: ObservedDevice,
): PolicyBaseline | null {
  const id = policyIdOf(command);
  if (id === null) return null;
  const entry = policyStatusOf(device, id);
  const lastEventId = newestId(policyActionsIn(events, device.id, id));
  return { status: entry?.status ?? null, statusTime: entry?.createTime ?? null, lastEventId };
}

/** Null: there is none. */
export function newestId(events: readonly FleetEvent[]): EventId | null {
  return events.map(({ id }) => id).toSorted((a, b) => b - a)[0] ?? null;
}

/** The same as far as the service says it now; what it does not say for a moment stays as it was. */
export function movedPolicyBaseline(
  before: PolicyBaseline | null,
  command: FleetCommand,
  observed: ObservedDevice,
): PolicyBaseline | null {
  const now = policyBaseline(command, observed);
  if (now === null || before === null) return now;
  return {
    status: now.status ?? before.status,
    statusTime: now.statusTime ?? before.statusTime,
    lastEventId: now.lastEventId ?? before.lastEventId,
  };
}

/** Rows are checked again, because a service may ignore a filter that it does not know. */
function policyActionsIn(
  events: readonly FleetEvent[],
  deviceId: DeviceId,
  id: PolicyId,
): readonly FleetEvent[] {
  return events.filter(
    (event) => event.name === POLICY_ACTION && event.deviceId === deviceId && event.policyId === id,
  );
}

/** By the clock of the service: its times are compared with no other. Null: how far the clocks are apart is unknown. */
function claimedThere({ at, from, aheadMs }: Baseline): Instant | null {
  return from ?? (aheadMs === undefined ? null : later(at, aheadMs));
}

/** What a time of the service is compared with. */
type Compared = Pick<DeviceObservation, 'target' | 'now'>;

/** Two answers are read one after the other, and clocks drift. */
const AHEAD_TOLERANCE_MS = 5 * MINUTE;

/** Unknown where it lies ahead of the service's own present: it would be later than everything, and prove anything. */
function knownTime({ target, now }: Compared, at: Instant | null): Instant | null {
  const { aheadMs = 0 } = target.before;
  return at !== null && at <= later(now, aheadMs + AHEAD_TOLERANCE_MS) ? at : null;
}

/**
 * The time that the service names now, if it is later than before, and than the claim where the device was read earlier;
 * with none before, later than our look then.
 */
function laterThanBaseline(seen: Compared, before: Instant | null, after: Instant | null): Instant | null {
  const { from } = seen.target.before;
  const since = knownTime(seen, before) ?? claimedThere(seen.target.before);
  const at = knownTime(seen, after);
  if (at === null || since === null || (from !== undefined && at <= from)) return null;
  return at > since ? at : null;
}

/**
 * The events after the command, newest first; where the clocks cannot be compared, by the ids alone.
 * Assumption (§2.8): ids grow with time, so an event that was there before is no later one, whatever the two clocks say.
 */
function eventsAfter(seen: Compared, events: readonly FleetEvent[], last: EventId | null) {
  const since = claimedThere(seen.target.before);
  const isSince = (at: Instant | null) => (since === null ? last !== null : at !== null && at >= since);
  return events
    .filter(({ id, createTime }) => (last === null || id > last) && isSince(knownTime(seen, createTime)))
    .toSorted((a, b) => b.id - a.id);
}

export type Effect =
  | { readonly kind: 'proven' | 'failed'; readonly evidence: Evidence }
  /** Neither; `missing` says what is not there yet. */
  | { readonly kind: 'open'; readonly missing: Evidence };

/** What was read of a device after the command, beside how it was before. */
export type DeviceObservation = {
  readonly target: RequestTarget;
  readonly device: Device;
  /** Null where they were not read. */
  readonly packages: readonly Package[] | null;
  readonly events: readonly FleetEvent[];
  readonly now: Instant;
};

export const proven = (evidence: Evidence): Effect => ({ kind: 'proven', evidence });
export const failed = (evidence: Evidence): Effect => ({ kind: 'failed', evidence });
export const open = (missing: Evidence): Effect => ({ kind: 'open', missing });
